//! The camera of a run: takes pictures, films and contact sheets while the match is played. It only looks.

use crate::cli::CameraOptions;
use crate::error::LabError;
use crate::file;
use sentir::core::draw::{DrawList, Layer};
use sentir_asset::nearest;
use sentir_film::{Film, FilmError, FilmFormat, Frame, LayerFilter, Sheet, Style, View, caption, paint, png};
use sentir_harness::game_match::Match;
use sentir_harness::info::{SceneError, SceneInfo, SettingError};
use std::path::{Path, PathBuf};

/// Columns of a contact sheet.
const SHEET_COLUMNS: u32 = 4;
/// Moments on a contact sheet at most.
const SHEET_FRAMES: usize = 16;
/// Room around the level, m.
const MARGIN_M: f32 = 1.5;

/// Everything a run was asked to show.
pub(crate) struct Camera {
    title: String,
    layers: LayerFilter,
    style: Style,
    width: u32,
    rate_hz: u64,
    /// The first tick it saw.
    first: Option<u64>,
    list: DrawList,
    view: Option<View>,
    film: Option<Reel>,
    picture: Option<Shot>,
    sheet: Option<Moments>,
}

/// A film being made.
struct Reel {
    path: PathBuf,
    format: FilmFormat,
    fps: u16,
    film: Option<Film>,
}

/// A picture to be taken.
struct Shot {
    path: PathBuf,
    /// At which tick; at the end if none.
    at: Option<u64>,
    frame: Option<Frame>,
}

/// Moments for a contact sheet: kept evenly spread over a match whose length is not known, by doubling the step and
/// dropping every other one whenever there are too many.
struct Moments {
    path: PathBuf,
    step: u64,
    kept: Vec<(u64, Frame)>,
}

impl Camera {
    /// A camera for a run. Refuses names of layers that no scene draws, and file names that do not say what they hold.
    pub(crate) fn new(options: &CameraOptions, scene: &SceneInfo, seed: u64) -> Result<Camera, LabError> {
        let layers = LayerFilter::parse(&options.layers);
        if let Some(name) = layers.names().find(|name| !Layer::ALL.iter().any(|layer| layer.0 == *name)) {
            let nearest = nearest(name, Layer::ALL.iter().map(|layer| layer.0));
            let expected = Layer::ALL.map(|layer| layer.0).join(", ");
            let why = SettingError::Value { name: "layers", value: name.to_owned(), expected, nearest };
            return Err(SceneError::Setting(why).into());
        }
        let film = options.film.clone().map(|path| {
            let format = match ending(&path).as_str() {
                "png" | "apng" => FilmFormat::Apng,
                "gif" => FilmFormat::Gif,
                _ => return Err(LabError::Ending { path, expected: ".png or .gif" }),
            };
            Ok(Reel { path, format, fps: options.fps, film: None })
        });
        for path in [&options.picture, &options.sheet].into_iter().flatten() {
            if ending(path) != "png" {
                return Err(LabError::Ending { path: path.clone(), expected: ".png" });
            }
        }
        let at = options.at.map(|seconds| scene.rate.ticks(seconds));
        Ok(Camera {
            title: format!("{}, seed {seed}", scene.name),
            layers,
            style: if options.dark { Style::dark() } else { Style::light() },
            width: options.width,
            rate_hz: u64::from(scene.rate.hz()),
            first: None,
            list: DrawList::default(),
            view: None,
            film: film.transpose()?,
            picture: options.picture.clone().map(|path| Shot { path, at, frame: None }),
            sheet: options.sheet.clone().map(|path| Moments { path, step: 1, kept: Vec::new() }),
        })
    }

    /// Looks at a match between two ticks.
    pub(crate) fn see(&mut self, game: &dyn Match) -> Result<(), LabError> {
        let tick = game.tick().0;
        // A frame whenever the film's own clock passes one: any rate of frames plays at the right speed.
        let frame_at = |tick: u64, fps: u16| tick * u64::from(fps) / self.rate_hz;
        let is_new = |fps: u16| self.first.is_none() || frame_at(tick, fps) != frame_at(tick.saturating_sub(1), fps);
        let films = self.film.as_ref().is_some_and(|reel| is_new(reel.fps));
        self.first.get_or_insert(tick);
        let shoots = self.picture.as_ref().is_some_and(|shot| shot.at == Some(tick));
        // A quarter of a second at least between two moments.
        let moment =
            self.sheet.as_ref().is_some_and(|sheet| tick.is_multiple_of(sheet.step * (self.rate_hz / 4).max(1)));
        if films || shoots || moment {
            let frame = self.frame(game);
            if films {
                self.film(&frame)?;
            }
            if let Some(sheet) = self.sheet.as_mut().filter(|_| moment) {
                sheet.keep(tick, &frame, self.rate_hz);
            }
            if let Some(shot) = self.picture.as_mut().filter(|_| shoots) {
                shot.frame = Some(frame);
            }
        }
        Ok(())
    }

    /// Writes what was seen, and tells of each file whether that worked.
    pub(crate) fn finish(&mut self, game: &dyn Match, told: &mut impl FnMut(Result<(), LabError>)) {
        let is_wanted = self.picture.is_some() || self.sheet.is_some() || self.film.is_some();
        if is_wanted {
            let last = self.frame(game);
            told(self.finish_film(&last));
            told(self.finish_picture(game, &last));
            told(self.finish_sheet(game, &last));
        }
    }

    fn finish_film(&mut self, last: &Frame) -> Result<(), LabError> {
        // The end, with its caption, is always in the film.
        self.film(last)?;
        let Some(Reel { path, film: Some(film), .. }) = self.film.take() else { return Ok(()) };
        let bytes = film.finish().map_err(|why| LabError::Film { path: path.clone(), why })?;
        file::write(&path, &bytes)
    }

    fn finish_picture(&mut self, game: &dyn Match, last: &Frame) -> Result<(), LabError> {
        let Some(shot) = self.picture.take() else { return Ok(()) };
        let seconds = |tick: u64| tick as f64 / self.rate_hz as f64;
        if let (Some(at), None) = (shot.at, &shot.frame) {
            let (at_s, from_s, to_s) = (seconds(at), seconds(self.first.unwrap_or(0)), seconds(game.tick().0));
            return Err(LabError::NoMoment { path: shot.path, at_s, from_s, to_s });
        }
        file::write(&shot.path, &png(shot.frame.as_ref().unwrap_or(last)))
    }

    fn finish_sheet(&mut self, game: &dyn Match, last: &Frame) -> Result<(), LabError> {
        let Some(mut sheet) = self.sheet.take() else { return Ok(()) };
        let tick = game.tick().0;
        sheet.kept.retain(|&(kept, _)| kept < tick);
        sheet.kept.push((tick, last.clone()));
        let laid_out = sheet.laid_out(self.style, self.rate_hz);
        let frame = laid_out.map_err(|why| LabError::Film { path: sheet.path.clone(), why })?;
        file::write(&sheet.path, &png(&frame))
    }

    fn frame(&mut self, game: &dyn Match) -> Frame {
        self.list.clear();
        game.draw(&mut self.list);
        let (list, width) =
            (&self.list, if self.film.is_none() && self.picture.is_none() { self.width / 2 } else { self.width });
        // One view for the whole match: around the level, or around everything where there is none.
        let view = self.view.get_or_insert_with(|| {
            let level = list.bounds(|layer| layer == Layer::LEVEL);
            View::fit(level.or_else(|| list.bounds(|_| true)), width, MARGIN_M)
        });
        let seconds = game.tick().0 as f64 / self.rate_hz as f64;
        let title = match game.ending() {
            Some(ending) => format!("{}: {ending}", self.title),
            None => self.title.clone(),
        };
        paint(list, view, &self.style, &self.layers, &caption(&title, seconds))
    }

    fn film(&mut self, frame: &Frame) -> Result<(), LabError> {
        let Some(reel) = &mut self.film else { return Ok(()) };
        let refuse = |why: FilmError| LabError::Film { path: reel.path.clone(), why };
        if reel.film.is_none() {
            let film = Film::new(frame.width(), frame.height(), u32::from(reel.fps), reel.format).map_err(refuse)?;
            reel.film = Some(film);
        }
        match &mut reel.film {
            Some(film) => film.push(frame).map_err(refuse),
            None => Ok(()),
        }
    }
}

impl Moments {
    fn keep(&mut self, tick: u64, frame: &Frame, rate_hz: u64) {
        self.kept.push((tick, frame.clone()));
        if self.kept.len() >= SHEET_FRAMES {
            self.step *= 2;
            let step = self.step * (rate_hz / 4).max(1);
            self.kept.retain(|(tick, _)| tick.is_multiple_of(step));
        }
    }

    fn laid_out(&self, style: Style, rate_hz: u64) -> Result<Frame, FilmError> {
        let width = self.kept.first().map_or(480, |(_, frame)| frame.width());
        let mut sheet = Sheet::new(SHEET_COLUMNS, width.min(480))?.with_style(style);
        for (tick, frame) in &self.kept {
            sheet.push(frame, &format!("{:.2} s", *tick as f64 / rate_hz as f64))?;
        }
        sheet.finish()
    }
}

/// The last part of a file's name, in small letters.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}
