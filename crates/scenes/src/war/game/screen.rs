//! What a screen shows of a war beside the picture: how both sides stand, buttons for attitudes, who is selected, the map small.

use sentir::core::draw::Color;
use sentir::core::math;
use sentir::prelude::*;
use sentir_harness::hud::{Button, Gauge, Minimap, Panel, PanelRow, Place, Play, ResultCard, Tone};
use sentir_harness::metric::Metric;
use sentir_harness::scene::MatchView;
use sentir_squad::strategy::Attitude;

use super::command::{FREE_BUTTON, button_of};
use super::leaf::Deed;
use super::mind::{Lead, WarMind};
use super::picture::{SIDES, color_of};
use super::rules::Kind;
use super::world::{Ending, World};
use super::{RATE, WarScene};

const NAMES: [&str; 2] = ["blue", "red"];

impl WarScene {
    pub(crate) fn screen(&self, view: MatchView<'_, Self>) -> Play {
        let (brains, world) = (view.brains, view.world);
        Play {
            gauges: self.gauges(brains, world),
            panels: self.panels(brains, world),
            minimap: Some(self.minimap(brains)),
            selection: world.selected.iter().map(|&key| HostKey(key)).collect(),
            result: self.result(brains, world),
            ..Play::default()
        }
    }

    fn share_of_base(&self, world: &World, side: usize) -> f32 {
        world
            .first(side as u8, Kind::Base)
            .map_or(0.0, |base| math::max(base.health, 0.0) / self.mind.rules.kind(Kind::Base).health)
    }

    fn gauges(&self, brains: &Loop<WarMind>, world: &World) -> Vec<Gauge> {
        let mut gauges = Vec::new();
        let places = [Place::TopLeft, Place::TopRight];
        const TITLES: [[&str; 3]; 2] =
            [["blue base", "blue units", "blue turrets"], ["red base", "red units", "red turrets"]];
        for side in 0..2 {
            let share = self.share_of_base(world, side);
            let up = |is_unit: bool| {
                let is_it = |kind: Kind| if is_unit { !kind.is_structure() } else { kind == Kind::Turret };
                world.pieces.iter().filter(|it| usize::from(it.side) == side && it.is_up() && is_it(it.what())).count()
            };
            let tone = if share > 0.5 { Tone::Plain } else { Tone::Bad };
            let [base, units, turrets] = TITLES[side];
            gauges.push(
                Gauge::new(base, format!("{:.0} %", share * 100.0), places[side]).with_share(share).with_tone(tone),
            );
            gauges.push(Gauge::new(units, up(true).to_string(), places[side]));
            gauges.push(Gauge::new(turrets, up(false).to_string(), places[side]));
        }
        let time = RATE.seconds(brains.tick().0) as u32;
        gauges.push(Gauge::new("time", format!("{}:{:02}", time / 60, time % 60), Place::TopCenter));
        gauges
    }

    fn panels(&self, brains: &Loop<WarMind>, world: &World) -> Vec<Panel> {
        let mut panels = Vec::new();
        for (side, name) in NAMES.into_iter().enumerate() {
            let Some(staff) = brains.squad(SquadId::whole(TeamId(side as u32))) else { continue };
            let is_own =
                self.mind.leads[side] == Lead::Person || self.mind.leads.iter().all(|lead| *lead != Lead::Person);
            let mut rows = vec![PanelRow::new("attitude", staff.attitude.name())];
            // What a side believes is its own affair.
            if is_own {
                let report = &staff.report;
                rows.push(PanelRow::new("strength", format!("{:.0}", report.own_strength)));
                rows.push(PanelRow::new("enemies known", format!("{:.0}", report.enemy_strength)));
                rows.push(PanelRow::new("on own ground", format!("{:.0}", report.threat)));
                rows.push(PanelRow::new("health", format!("{:.0} %", report.health * 100.0)).with_share(report.health));
            }
            let button = |attitude: Attitude| {
                let about =
                    ["march on the enemy, heal the weak", "hold bridge and base", "everybody forward, no healing"];
                Button::new(button_of(side, attitude), attitude.name(), about[attitude as usize])
                    .on(staff.attitude == attitude)
                    .enabled(self.has_attitudes(side))
            };
            let title = name.to_owned();
            panels.push(Panel { id: name, title, rows, buttons: Attitude::ALL.map(button).to_vec() });
        }
        if !world.selected.is_empty() {
            panels.push(self.selection(brains, world));
        }
        panels
    }

    fn selection(&self, brains: &Loop<WarMind>, world: &World) -> Panel {
        let row = |key: &u64| {
            let piece = &world.pieces[*key as usize];
            let head = World::agent(brains, *key as usize).and_then(|agent| brains.brain(agent));
            let deed = head.map_or("", |head| Deed::of(head.deed).name());
            let text = if piece.carries { format!("{deed}, carries a resource") } else { deed.to_owned() };
            PanelRow::new(piece.what().name(), text)
                .with_share(piece.health / self.mind.rules.kind(piece.what()).health)
        };
        let rows = world.selected.iter().take(12).map(row).collect();
        let title = format!("{} selected", world.selected.len());
        let buttons = vec![Button::new(FREE_BUTTON, "by themselves", "forget orders and formation")];
        Panel { id: "selection", title, rows, buttons }
    }

    /// Ground with the influence that each side whose beliefs may be shown believes.
    fn minimap(&self, brains: &Loop<WarMind>) -> Minimap {
        let map = &self.mind.map;
        let person = self.mind.leads.iter().position(|lead| *lead == Lead::Person);
        let full = self.mind.rules.spec.influence_full;
        let side = |team: usize| brains.squad(SquadId::whole(TeamId(team as u32))).filter(|it| !it.own.is_empty());
        // One side's beliefs where a person leads it, else what each knows of itself.
        let value = |team: usize, index: usize| match person {
            Some(own) => side(own).map_or(0.0, |it| if team == own { it.own[index] } else { it.enemy[index] }),
            None => side(team).map_or(0.0, |it| it.own[index]),
        };
        let mut rgba = Vec::with_capacity(map.ground.len() * 4);
        for y in (0..map.height as usize).rev() {
            for x in 0..map.width as usize {
                let index = y * map.width as usize + x;
                let mut color = channels(color_of(map.ground[index]));
                for (team, tint) in SIDES.into_iter().enumerate() {
                    let share = math::saturate(value(team, index) / full) * 0.65;
                    let tint = channels(tint);
                    color = [0, 1, 2].map(|channel| color[channel] + (tint[channel] - color[channel]) * share);
                }
                rgba.extend(color.map(|value| value as u8));
                rgba.push(255);
            }
        }
        Minimap { corner: Vec2::ZERO, size: map.size(), cells: [map.width, map.height], rgba }
    }

    fn result(&self, brains: &Loop<WarMind>, world: &World) -> Option<ResultCard> {
        let (title, winner) = match world.ending {
            Ending::None => return None,
            Ending::Base(side) => (format!("{} destroyed the base", NAMES[usize::from(side)]), Some(usize::from(side))),
            Ending::Points(side) => {
                (format!("Time: {} is better off", NAMES[usize::from(side)]), Some(usize::from(side)))
            }
            Ending::Draw => ("A draw".to_owned(), None),
            Ending::Done => ("Done".to_owned(), None),
            Ending::TimeUp => ("Out of time".to_owned(), None),
        };
        let own = self.mind.leads.iter().position(|lead| *lead == Lead::Person);
        let is_won = own.and_then(|own| winner.map(|winner| winner == own));
        let tally = &world.tally;
        let pair = |of: &dyn Fn(usize) -> String| format!("{} : {}", of(0), of(1));
        let rows = vec![
            ("length", format!("{:.0} s", RATE.seconds(brains.tick().0))),
            ("bases", pair(&|side| format!("{:.0} %", self.share_of_base(world, side) * 100.0))),
            ("fallen", pair(&|side| tally.deaths[side][..Kind::UNITS].iter().sum::<u32>().to_string())),
            ("turrets built", pair(&|side| tally.turrets[side][0].to_string())),
            ("healed", pair(&|side| format!("{:.0}", tally.healed[side]))),
        ];
        Some(ResultCard { title, is_won, rows })
    }

    /// What is measured.
    pub(crate) fn figures(&self, world: &World) -> Vec<Metric> {
        world.metrics(&self.mind, RATE, world.tally.ticks)
    }
}

/// Red, green and blue, 0..=255.
fn channels(color: Color) -> [f32; 3] {
    [color.r, color.g, color.b].map(f32::from)
}
