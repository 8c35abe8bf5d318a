//! Leaks, planted on purpose: ways in which a mind could know what its senses did not give. The honesty test must find each.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::sense::HearingConfig;
use sentir::think::board::Blackboard;
use sentir::think::key::{KeySpec, Keys, Scope};

use super::rooms::{Rooms, SHUT};
use super::{Notice, Scout};

/// Things from this id on are no doors but what the leak [`Leak::Map`] tells.
pub(super) const MAP_ID: u32 = 1000;

/// How often [`Leak::Briefing`] tells, ticks.
const TOLD_TICKS: u64 = 30;

/// How far [`Leak::Board`] counts, m.
const BOARD_M: f32 = 12.0;

/// What somebody knows that it should not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Leak {
    /// Nothing.
    #[default]
    None,
    /// Sees through walls.
    Sight,
    /// Hears what is out of range.
    Hearing,
    /// Knows of every door that it opened or closed, so paths lead elsewhere.
    Path,
    /// Knows on which points of the map somebody stands, and does not go there.
    Map,
    /// Knows what comrades see before they say it.
    Team,
    /// Is told by the scene where the nearest foe is.
    Briefing,
    /// Reads on its squad's board how many are near, as movement knows it.
    Board,
}

impl Leak {
    /// Every word for one, in the order of the setting.
    pub(crate) const NAMES: [&str; 8] = ["none", "sight", "hearing", "path", "map", "team", "told", "board"];

    /// The one of a name.
    pub(crate) fn named(name: &str) -> Leak {
        let all =
            [Leak::None, Leak::Sight, Leak::Hearing, Leak::Path, Leak::Map, Leak::Team, Leak::Briefing, Leak::Board];
        Leak::NAMES.iter().position(|known| *known == name).map_or(Leak::None, |place| all[place])
    }

    /// The senses, with ears that are too good if that is the leak.
    pub(super) fn tuned(self, config: &SenseConfig) -> SenseConfig {
        let keenness = if self == Leak::Hearing { config.hearing.keenness * 4.0 } else { config.hearing.keenness };
        SenseConfig { hearing: HearingConfig { keenness, ..config.hearing }, ..*config }
    }

    /// Writes what should not be known.
    pub(super) fn leaks(self, scout: &Scout, view: &SenseView<'_>, beliefs: &mut Beliefs) {
        let me = view.me;
        match self {
            Leak::None | Leak::Hearing | Leak::Briefing | Leak::Board => {}
            Leak::Sight => view.world.visit_near(me.body.pose.position, 12.0, |it| {
                if it.team != me.team {
                    beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
                }
            }),
            Leak::Path => {
                let rooms = Rooms { scout, geometry: view.world.geometry };
                for (id, door) in (0..).zip(&scout.ways.doors) {
                    let value = if rooms.is_shut(door) { SHUT } else { 0 };
                    let (position, at, source) = (plane::lift(door.at, 1.0), view.tick, Sense::Sight);
                    beliefs.note(Thing { id, value, position, at, source });
                }
            }
            Leak::Map => {
                for (id, point) in (MAP_ID..).zip(&scout.ways.points) {
                    let is_taken = view
                        .world
                        .presences()
                        .any(|it| it.agent != me.agent && plane::ground(it.body.pose.position).distance(*point) < 3.0);
                    let position = plane::lift(*point, 0.0);
                    beliefs.note(Thing {
                        id,
                        value: u16::from(is_taken),
                        position,
                        at: view.tick,
                        source: Sense::Sight,
                    });
                }
            }
            Leak::Team => {
                let comrades = view.world.presences().filter(|it| it.team == me.team && it.agent != me.agent);
                for comrade in comrades {
                    let eye = comrade.body.eye();
                    view.world.visit_near(comrade.body.pose.position, 15.0, |it| {
                        if it.team != me.team && view.world.geometry.is_clear(eye, it.body.eye()) {
                            let seen = Other::seen(it.agent, it.team, &it.body, view.tick);
                            beliefs.update(Other { is_visible: false, ..seen });
                        }
                    });
                }
            }
        }
    }

    /// What movement keeps for its squad: how many are near, seen or not.
    pub(super) fn counts(self, view: &ActView<'_>) -> u32 {
        let mut count = 0;
        if self == Leak::Board {
            view.world.visit_near(view.me.body.pose.position, BOARD_M, |_| count += 1);
        }
        count
    }

    /// Writes that on the squad's board.
    pub(super) fn writes(self, roster: &mut Roster<'_, '_, Scout>) {
        if self != Leak::Board {
            return;
        }
        let near = (0..roster.members().len()).filter_map(|place| roster.member(place)).map(|it| it.motor.near);
        let near = near.sum::<u32>() as i32;
        if let Ok(keys) = Keys::build([KeySpec::new::<i32>("near", Scope::Team)])
            && let Ok(key) = keys.key("near")
        {
            *roster.board_mut() = Blackboard::new(&keys);
            roster.board_mut().set(key, near);
        }
    }

    /// Notifies everybody of what should not be known.
    pub(super) fn notify(self, brains: &mut Loop<Scout>) {
        if self != Leak::Briefing || !brains.tick().0.is_multiple_of(TOLD_TICKS) {
            return;
        }
        let all: Vec<Presence> = brains.motions().map(|(it, _)| *it).collect();
        for me in &all {
            let distance = |it: &Presence| it.body.pose.position.distance(me.body.pose.position);
            let foes: Vec<&Presence> = all.iter().filter(|it| it.team != me.team).collect();
            let nearest = sentir::core::order::least(foes.iter().map(|it| distance(it)));
            if let Some(place) = nearest {
                brains.notify(me.agent, Notice::Lead(foes[place].body.pose.position));
            }
        }
    }
}
