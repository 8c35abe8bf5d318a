//! `cargo xtask studio`: builds the page with its engine and has `sentir studio` serve it on loopback. The built page is
//! plain files in `web/dist`, which any web server can serve.
//!
//! [`check`] runs the page in Debian's Chromium and holds what it plays against the native program.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{array, text};
use crate::{Failure, npm, package, process};

const PAGE: &str = "web";
const BUILT: &str = "web/dist";
const GALLERY: &str = "web/public/gallery";
/// When the pictures of the gallery are taken, ticks: just as far as the browser plays every scene, so that one native run is
/// both picture and proof.
const PICTURE_TICKS: u64 = 600;
const PICTURE_WIDTH: &str = "480";
/// Frames a second of the moving pictures: enough to see who goes where, few enough to be loaded while one points.
const FILM_FPS: &str = "5";
const SCENES: &str = "web/test/scenes.mjs";
const HANDS: &str = "web/test/hands.mjs";
const LOOK: &str = "web/test/look.mjs";
/// Those that leave recordings for the native program.
const SCRIPTS: [&str; 2] = ["web/test/browser.mjs", "web/test/play.mjs"];
/// Whole games, a minute and a half each, in real time: with another browser beside them they do not keep up.
const GAMES: [&str; 2] = ["web/test/horde.mjs", "web/test/war.mjs"];
/// Of a family, how many scenes the suite plays.
const FEW: usize = 2;
const MEASURE: &str = "web/test/measure.mjs";
const COMPRESS: &str = "xtask/node/compress.mjs";
const SIZES: &str = "xtask/node/sizes.mjs";
const FIRST: &str = "web/test/first.mjs";
/// Scenes whose first picture is waited for: a small family and the largest.
const FIRST_SCENES: [&str; 3] = ["patrol", "crowd", "firefight"];
const PORT: u16 = 4173;
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Builds, then has the program serve it until it is stopped.
pub fn studio(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let port = port(arguments)?;
    build(root, Which::All)?;
    let mut command = Command::new(package::native(root)?);
    command.args(["studio", "--port", &port.to_string(), "--files"]).arg(root.join(BUILT));
    Ok(process::run(&mut command)?)
}

fn port(arguments: &[String]) -> Result<u16, Failure> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(PORT),
        ["--port", number] => number
            .parse()
            .map_err(|_| Failure::Usage(format!("--port needs a number from 0 to 65535, but got '{number}'"))),
        ["--port"] => Err(Failure::Usage("--port needs a number from 0 to 65535".to_owned())),
        [other, ..] => Err(Failure::Usage(format!("there is no option '{other}' of studio; expected --port"))),
    }
}

/// A scene as the native program played it: its name, how many ticks it went on for at most, and the hash at the end.
type Played = (String, u64, String);

/// Which scenes are played in the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// Two of each family.
    Few,
    /// All of them.
    All,
}

impl Which {
    /// As the script has it.
    fn word(self) -> &'static str {
        match self {
            Which::Few => "few",
            Which::All => "all",
        }
    }
}

/// Builds engine, pictures of these scenes and page; returns what the native program played for the pictures.
fn build(root: &Path, which: Which) -> Result<Vec<Played>, String> {
    let modules = package::build(root)?;
    let catalog = std::fs::read_to_string(modules.join("catalog.json"))
        .map_err(|error| format!("the catalog of the modules cannot be read: {error}"))?;
    let played = paint_gallery(root, &names(&catalog, which)?)?;
    npm(root, &["ci", "--no-audit", "--no-fund"])?;
    npm(root, &["run", "build"])?;
    process::run(Command::new("node").arg(root.join(COMPRESS)).arg(root.join(BUILT)))?;
    Ok(played)
}

/// Runs npm in the folder of the page.
fn npm(root: &Path, words: &[&str]) -> Result<(), String> {
    process::run(Command::new("npm").args(words).current_dir(root.join(PAGE)))
}

/// The scenes of a catalog, by family.
fn names(catalog: &str, which: Which) -> Result<Vec<String>, String> {
    let catalog: Value =
        serde_json::from_str(catalog).map_err(|error| format!("the catalog of the modules is no JSON: {error}"))?;
    let most = if which == Which::Few { FEW } else { usize::MAX };
    let of = |family| array(family, "scenes").iter().filter_map(|scene| text(scene, "name")).take(most);
    Ok(array(&catalog, "families").iter().flat_map(of).map(str::to_owned).collect())
}

/// Has the program paint a picture of each scene, some seconds into it, and the film up to there, two scenes at a time.
fn paint_gallery(root: &Path, names: &[String]) -> Result<Vec<Played>, String> {
    let native = package::native(root)?;
    let gallery = root.join(GALLERY);
    std::fs::create_dir_all(&gallery)
        .map_err(|error| format!("the folder '{}' cannot be made: {error}", gallery.display()))?;
    let paint = |name: &str| {
        let mut command = Command::new(&native);
        let ticks = PICTURE_TICKS.to_string();
        command.args(["run", name, "--seed", "7", "--ticks", &ticks, "--width", PICTURE_WIDTH, "--fps", FILM_FPS]);
        command.arg("--film").arg(gallery.join(format!("{name}.film.gif")));
        let answer = process::json(command.args(["--json", "--picture"]).arg(gallery.join(format!("{name}.png"))))?;
        let ticks = answer.get("ticks").and_then(Value::as_u64).unwrap_or(0);
        Ok((name.to_owned(), ticks, text(&answer, "hash").unwrap_or("none").to_owned()))
    };
    let half = names.len().div_ceil(2);
    std::thread::scope(|scope| {
        let parts: Vec<_> = names
            .chunks(half.max(1))
            .map(|part| scope.spawn(|| part.iter().map(|name| paint(name)).collect::<Result<Vec<Played>, String>>()))
            .collect();
        let mut all = Vec::new();
        for part in parts {
            all.extend(part.join().map_err(|_| "a painter panicked".to_owned())??);
        }
        Ok(all)
    })
}

/// Builds the page, checks its code, tries it in browsers, and compares what was played there with the native program: two
/// scenes of each family. `prove studio` plays all of them, and whole games.
pub fn check(root: &Path) -> Result<(), String> {
    let native_runs = build(root, Which::Few)?;
    npm(root, &["run", "lint"])?;
    npm(root, &["run", "unit"])?;
    let browser = Browser::find(root)?;
    // Browsers wait a lot: for pictures, for the next frame. Side by side they take half the time.
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| browser.scenes(Which::Few, &native_runs));
        let second = SCRIPTS.map(|script| browser.ask(script, &[]));
        (first.join(), second)
    });
    let count = first.map_err(|_| "a browser's thread panicked".to_owned())??;
    second.into_iter().try_for_each(|report| browser.replay(&report?))?;
    println!("{}", package::largest(root, &root.join(package::OUT))?);
    println!("{count} scenes play in the browser as natively; pictures are in {}", browser.pictures.display());
    npm::check(root, &browser.program)
}

/// A browser that tries the built page.
struct Browser<'a> {
    root: &'a Path,
    program: PathBuf,
    /// Where pictures of what was tried go.
    pictures: PathBuf,
}

impl Browser<'_> {
    fn find(root: &Path) -> Result<Browser<'_>, String> {
        Ok(Browser { root, program: program()?, pictures: package::target_folder(root)?.join("studio") })
    }

    /// Runs a script with it; returns its report.
    fn ask(&self, script: &str, words: &[&str]) -> Result<Value, String> {
        let mut command = Command::new("node");
        command
            .arg(self.root.join(script))
            .arg(self.root.join(BUILT))
            .arg(&self.program)
            .arg(&self.pictures)
            .args(words);
        process::json_watched(&mut command)
    }

    /// Plays natively again what a report says was recorded.
    fn replay(&self, report: &Value) -> Result<(), String> {
        let native = package::native(self.root)?;
        let record = text(report, "record").ok_or("the page recorded nothing")?;
        for record in [Some(record), text(report, "edited")].into_iter().flatten() {
            process::capture(Command::new(&native).arg("replay").arg(record))?;
        }
        Ok(())
    }

    /// Takes pictures for eyes to look at, and says where the sheets of them are; returns how many.
    fn look(&self, what: &str) -> Result<u64, String> {
        let looked = self.ask(LOOK, &[what])?;
        for sheet in array(&looked, "sheets") {
            println!("to look at: {}", sheet.as_str().unwrap_or_default());
        }
        looked.get("pictures").and_then(Value::as_u64).ok_or_else(|| "no picture was taken".to_owned())
    }

    /// Plays scenes and holds them against the native runs; returns how many.
    fn scenes(&self, which: Which, native_runs: &[Played]) -> Result<usize, String> {
        let report = self.ask(SCENES, &[which.word()])?;
        let scenes = array(&report, "scenes");
        if scenes.is_empty() {
            return Err("the page lists no scene".to_owned());
        }
        if which == Which::All && scenes.len() != native_runs.len() {
            return Err(format!("{} scenes are in the page, {} natively", scenes.len(), native_runs.len()));
        }
        scenes.iter().try_for_each(|scene| as_natively(native_runs, scene))?;
        Ok(scenes.len())
    }
}

/// Whether a scene came out in the page as in the native program.
fn as_natively(native_runs: &[Played], scene: &Value) -> Result<(), String> {
    let of = |key| text(scene, key).ok_or_else(|| format!("the report of a scene has no '{key}'"));
    let (name, hash) = (of("name")?, of("hash")?);
    let played = native_runs.iter().find(|(one, ..)| one == name);
    let (_, ticks, expected) = played.ok_or_else(|| format!("{name} was not played natively"))?;
    if scene.get("ticks").and_then(Value::as_u64) != Some(*ticks) {
        return Err(format!("{name} was not played for {ticks} ticks in the page"));
    }
    if hash != expected {
        return Err(format!("{name}: the hash after {ticks} ticks is {hash}, natively {expected}"));
    }
    Ok(())
}

/// Plays every scene in the built page as natively, and measures it; returns the figures.
pub fn measure(root: &Path) -> Result<String, String> {
    let native_runs = build(root, Which::All)?;
    let browser = Browser::find(root)?;
    let count = browser.scenes(Which::All, &native_runs)?;
    browser.ask(HANDS, &[])?;
    for game in GAMES {
        browser.replay(&browser.ask(game, &[])?)?;
    }
    let pictures = browser.look("views")? + browser.look("sizes")?;
    let mut command = Command::new("node");
    command.arg(root.join(MEASURE)).arg(root.join(BUILT)).arg(&browser.program);
    let figures = process::capture_watched(&mut command)?;
    Ok(format!(
        "{count} scenes play in the browser as natively\ngamepad, groups, edges, small map and sounds were tried; a round of \
         the horde and a war were played to be replayed natively\n{pictures} pictures to look at: every scene as a map and in 3D, \
         twelve in four sizes, light and dark\n{figures}"
    ))
}

/// What a page loads: the sizes of all modules, and how long the first picture takes when the program serves it; as figures.
pub fn measure_package(root: &Path) -> Result<String, String> {
    build(root, Which::All)?;
    let engine = npm::build(root)?.with_file_name("sentir_bg.wasm");
    let folder = root.join(package::OUT);
    let mut sizes = Command::new("node");
    sizes.arg(root.join(SIZES)).arg(engine);
    sizes.args(package::families(root)?.iter().map(|family| folder.join(format!("{family}_bg.wasm"))));
    let mut output = process::tee(&mut sizes)?;
    println!("{}", package::largest(root, &folder)?);
    let mut server = Command::new(package::native(root)?);
    server.args(["studio", "--no-open", "--port", "0", "--files"]).arg(root.join(BUILT));
    let first = process::while_serving(&mut server, |address| {
        let mut command = Command::new("node");
        process::tee(command.arg(root.join(FIRST)).arg(address).arg(program()?).args(FIRST_SCENES))
    })?;
    output.push_str(&first);
    Ok(output)
}

/// A browser of this machine; Debian's is installed where there is none and we may.
fn program() -> Result<PathBuf, String> {
    let found = || BROWSERS.iter().find(|name| process::capture(Command::new(name).arg("--version")).is_ok());
    if found().is_none() {
        process::run(Command::new("apt-get").args(["install", "-y", "chromium"]))
            .map_err(|error| format!("{error}\ninstall Chromium, with `chromium` on the path"))?;
    }
    let name = found().ok_or("Chromium is missing; install it, with `chromium` on the path")?;
    let path = process::capture(Command::new("sh").args(["-c", &format!("command -v {name}")]))?;
    Ok(PathBuf::from(path.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_that_comes_out_otherwise_in_the_page_is_an_error() {
        let native = [("patrol".to_owned(), PICTURE_TICKS, "00ff".to_owned())];
        let scene = |hash: &str, ticks: u64| serde_json::json!({ "name": "patrol", "hash": hash, "ticks": ticks });
        assert_eq!(as_natively(&native, &scene("00ff", PICTURE_TICKS)), Ok(()));
        assert!(as_natively(&native, &scene("00fe", PICTURE_TICKS)).unwrap_err().contains("natively 00ff"));
        assert!(as_natively(&native, &scene("00ff", 3)).unwrap_err().contains("was not played for 600"));
        assert!(as_natively(&[], &scene("00ff", PICTURE_TICKS)).unwrap_err().contains("was not played natively"));
    }

    #[test]
    fn the_suite_plays_two_scenes_a_family() {
        let scenes = |names: &[&str]| names.iter().map(|name| serde_json::json!({ "name": name })).collect::<Vec<_>>();
        let families = [
            serde_json::json!({ "scenes": scenes(&["a", "b", "c"]) }),
            serde_json::json!({ "scenes": scenes(&["d"]) }),
        ];
        let catalog = &serde_json::json!({ "families": families }).to_string();
        assert_eq!(names(catalog, Which::Few), Ok(["a", "b", "d"].map(str::to_owned).to_vec()));
        assert_eq!(names(catalog, Which::All).map(|all| all.len()), Ok(4));
        assert!(names("", Which::All).unwrap_err().contains("is no JSON"));
    }

    #[test]
    fn the_port_is_a_number() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(port(&words("--port 8080")), Ok(8080));
        assert_eq!(port(&[]), Ok(PORT));
        for line in ["--port", "--port many", "--prot 1"] {
            assert!(matches!(port(&words(line)), Err(Failure::Usage(_))), "{line}");
        }
    }
}
