//! What happens when nobody plays, and what is measured of it.

use sentir::core::math;
use sentir::prelude::*;
use sentir_act::formation::{Formation, Pattern, Rule, role};

use super::layout::Layout;
use super::march::SQUAD;
use super::mind::{Drill, What};
use super::world::{Ending, World, formation, leader, place_of};
use sentir_harness::metric::Metric;

/// What a script goes through.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Patterns to form, one after the other; the last one marches.
    pub patterns: Vec<Pattern>,
    /// How roles count.
    pub rule: Rule,
    /// Distance between neighbors, m.
    pub spacing_m: f32,
    /// How many die or join before the march.
    pub changes: u8,
    /// How many places of the route are marched to.
    pub legs: usize,
    /// When it ends at the latest, ticks.
    pub ticks_max: u64,
}

/// Where a script stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Stage {
    /// Before the beginning.
    #[default]
    Idle,
    /// Going to the slots.
    Form,
    /// On them, for a look.
    Show,
    /// Somebody dies or joins, now and then.
    Change,
    /// Along the route.
    March,
    /// At its end, closing up.
    Close,
    /// Standing.
    Rest,
}

/// The state of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Script {
    stage: Stage,
    since: Tick,
    /// Patterns formed already.
    shown: u8,
    /// Deaths and joins already.
    changed: u8,
    /// Places left of the leader's path at the last tick.
    left: u16,
    /// When the leader passed the last corner, until that is measured.
    corner: Option<Tick>,
}

/// The figures so far.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Tally {
    /// Longest time to form, s.
    form_s: f32,
    /// Sum of mean slot errors on the march, m, and over how many ticks.
    error_sum_m: f32,
    error_ticks: u32,
    error_max_m: f32,
    /// Greatest slot error 3 s after a corner, or at the next corner if that comes sooner, m.
    corner_error_m: Option<f32>,
    /// From the order to every member on its slot at the end of the route, s.
    arrive_s: Option<f32>,
    /// The farthest anybody moved while all should stand, m; and where everybody stood.
    rest_m: f32,
    stood: Vec<Vec2>,
    /// Survivors who changed slots when somebody died or joined.
    pub reassigned: u32,
    /// Most empty slots at any time, and hard rules broken.
    empty_max: u32,
    broken: u32,
    empty: u32,
    role_cost: u32,
}

impl Tally {
    /// Takes the greatest slot error for that of a corner.
    fn measure_corner(&mut self, worst_m: f32) {
        self.corner_error_m = Some(math::max(self.corner_error_m.unwrap_or(0.0), worst_m));
    }
}

const FATE: Purpose = Purpose::new("formation.fate");
/// On one's slot, m.
const ON_SLOT_M: f32 = 0.3;
/// Longest time for one pattern, s: then the show goes on.
const FORM_S: f32 = 12.0;
/// Between a death and a join, s.
const CHANGE_S: f32 = 4.0;
/// How many of the metrics are about the march.
const MARCH_FIGURES: usize = 6;
/// From a corner to when it counts as passed by all, s.
const CORNER_S: f32 = 3.0;
/// How near the leader must be to the end of the march, m.
const GOAL_M: f32 = 1.0;
/// After so long without anybody on the way, those in formation are sent again, s.
const AGAIN_S: f32 = 1.0;
/// For settling, and then for standing, s.
const SETTLE_S: f32 = 2.0;
const REST_S: f32 = 2.0;

impl World {
    /// Plays a tick of the script.
    pub fn follow_script(&mut self, brains: &mut Loop<Drill>, layout: &Layout, plan: &Plan, scratch: &mut Scratch) {
        let now = brains.tick();
        let lasted_s = brains.rate().seconds(now.since(self.script.since));
        let is_settled = formation(brains).is_none_or(Formation::is_settled);
        let is_formed = self.error_m[1] < ON_SLOT_M && is_settled;
        let next = match self.script.stage {
            Stage::Idle if lasted_s > 0.5 => self.next_pattern(brains, plan),
            // The errors of this tick are those of the last formation.
            Stage::Form if (is_formed && lasted_s > 0.1) || lasted_s > FORM_S => {
                self.tally.form_s = math::max(self.tally.form_s, lasted_s);
                Stage::Show
            }
            Stage::Show if lasted_s > 1.0 => match usize::from(self.script.shown) {
                shown if shown < plan.patterns.len() => self.next_pattern(brains, plan),
                _ if plan.changes > 0 => Stage::Change,
                _ => self.set_out(brains, layout, plan),
            },
            Stage::Change if lasted_s > CHANGE_S => {
                if self.script.changed < plan.changes {
                    self.change(brains, layout, scratch);
                    self.script.since = now;
                    Stage::Change
                } else {
                    self.set_out(brains, layout, plan)
                }
            }
            Stage::March if brains.squad(SQUAD).is_some_and(|march| march.is_refused) => {
                self.ending = Ending::NoPath;
                Stage::March
            }
            Stage::March if self.has_arrived(brains) => match self.is_at_goal(brains, layout, plan) {
                true => Stage::Close,
                // Whoever leads now was sent nowhere, as when the one who was sent fell: the order stands.
                false if lasted_s > AGAIN_S && leader(brains).is_some() => self.set_out(brains, layout, plan),
                false => Stage::March,
            },
            Stage::Close if is_formed || lasted_s > 20.0 => {
                let took_s = brains.rate().seconds(now.since(self.script.since)) + self.tally.arrive_s.unwrap_or(0.0);
                self.tally.arrive_s = Some(took_s);
                Stage::Rest
            }
            Stage::Rest if lasted_s > SETTLE_S + REST_S => {
                let is_there = self.is_at_goal(brains, layout, plan);
                self.ending = if is_there { Ending::Formed } else { Ending::Elsewhere };
                Stage::Rest
            }
            stage => stage,
        };
        if next == Stage::Close && self.script.stage == Stage::March {
            self.tally.arrive_s = Some(lasted_s);
        }
        if next != self.script.stage {
            self.script = Script { stage: next, since: now, ..self.script };
        }
    }

    /// Whether the leader of the formation is where the march was to end.
    fn is_at_goal(&self, brains: &Loop<Drill>, layout: &Layout, plan: &Plan) -> bool {
        let goal = layout.route[plan.legs.min(layout.route.len() - 1)];
        let place = leader(brains).and_then(|leader| place_of(brains, leader));
        place.is_some_and(|place| place.distance(goal) <= GOAL_M)
    }

    /// Forms the next pattern of the plan with all there are.
    fn next_pattern(&mut self, brains: &mut Loop<Drill>, plan: &Plan) -> Stage {
        let Some(&pattern) = plan.patterns.get(usize::from(self.script.shown)) else { return Stage::Rest };
        // All who were enlisted; a stranger is nobody's soldier.
        let next_key = self.next_key;
        let all = brains.motions().filter(|(it, _)| it.key.0 < next_key).map(|(it, _)| it.agent);
        self.selected.clear();
        self.selected.extend(all);
        self.order(brains, What::Form { pattern, rule: plan.rule, spacing_m: plan.spacing_m });
        self.script.shown += 1;
        Stage::Form
    }

    /// Sends those who are in formation along the route.
    fn set_out(&mut self, brains: &mut Loop<Drill>, layout: &Layout, plan: &Plan) -> Stage {
        let has_slot = |agent| formation(brains).is_some_and(|formation| formation.slot_of(agent).is_some());
        self.selected.retain(|&agent| has_slot(agent));
        let legs = plan.legs.min(layout.route.len() - 1) as u16;
        self.order(brains, What::March { legs });
        self.script.left = legs;
        Stage::March
    }

    /// By turns, somebody dies and somebody joins.
    fn change(&mut self, brains: &mut Loop<Drill>, layout: &Layout, scratch: &mut Scratch) {
        let mut random = brains.streams().at(0, FATE, brains.tick());
        if self.script.changed.is_multiple_of(2) {
            if let Some(&victim) = random.pick(&self.selected) {
                self.bury(brains, victim, scratch);
            }
        } else {
            let place = layout.route[0] + Vec2::new(-6.0, random.between(-3.0, 3.0));
            let kind = random.below(4) as u16;
            if let Some(agent) = self.enlist(brains, kind, place, 0.0) {
                let others = std::mem::replace(&mut self.selected, vec![agent]);
                self.order(brains, What::Join);
                self.selected = others;
                self.selected.push(agent);
            }
        }
        self.script.changed += 1;
    }

    /// Measures a tick.
    pub fn measure(&mut self, brains: &Loop<Drill>) {
        let now = brains.tick();
        let [mean, worst] = self.error_m;
        if matches!(self.script.stage, Stage::March | Stage::Close) {
            self.tally.error_sum_m += mean;
            self.tally.error_ticks += 1;
            self.tally.error_max_m = math::max(self.tally.error_max_m, worst);
        }
        if self.script.stage == Stage::March {
            let leader = leader(brains).and_then(|leader| brains.brain(leader));
            let left = leader.map_or(0, |soldier| soldier.path.len() as u16);
            let is_corner = left < self.script.left && left > 0;
            self.script.left = left;
            if is_corner && self.script.corner.replace(now).is_some() {
                self.tally.measure_corner(worst);
            }
        }
        if self.script.corner.is_some_and(|corner| now.since(corner) >= brains.rate().ticks(CORNER_S)) {
            self.script.corner = None;
            self.tally.measure_corner(worst);
        }
        self.measure_rest(brains);
        if let Some(formation) = formation(brains).filter(|formation| !formation.members().is_empty()) {
            let members = formation.members();
            let filled = members.iter().filter(|member| member.slot.is_some()).count();
            let slots = formation.slots();
            let role_of = |slot: Option<u16>| slot.and_then(|slot| slots.get(usize::from(slot))).map(|slot| slot.role);
            let held = || members.iter().filter_map(|member| role_of(member.slot).map(|role| (member.kind, role)));
            self.tally.empty = slots.len().saturating_sub(filled) as u32;
            self.tally.empty_max = self.tally.empty_max.max(self.tally.empty);
            self.tally.role_cost = held().map(|(kind, role)| u32::from(role::cost(kind, role))).sum();
            let is_broken = formation.rule() == Rule::Hard && held().any(|(kind, role)| !role::may(kind, role));
            self.tally.broken += u32::from(is_broken);
        }
    }

    /// How far anybody moves while all stand; the first seconds are for settling.
    fn measure_rest(&mut self, brains: &Loop<Drill>) {
        let lasted_s = brains.rate().seconds(brains.tick().since(self.script.since));
        if self.script.stage != Stage::Rest || lasted_s < SETTLE_S {
            return;
        }
        let members = formation(brains).map_or(&[][..], Formation::members);
        let places = || members.iter().map(|member| place_of(brains, member.agent).unwrap_or_default());
        if self.tally.stood.is_empty() {
            self.tally.stood.extend(places());
        }
        let moved = self.tally.stood.iter().zip(places()).map(|(&stood, at)| at.distance(stood));
        self.tally.rest_m = moved.fold(self.tally.rest_m, math::max);
    }

    /// The figures as metrics: those of the march, and those of roles if they count.
    pub fn metrics(&self, has_roles: bool) -> Vec<Metric> {
        let tally = &self.tally;
        let known = |value: Option<f32>| value.unwrap_or(f32::NAN);
        let mean = if tally.error_ticks > 0 { tally.error_sum_m / tally.error_ticks as f32 } else { f32::NAN };
        let all = [
            ("form_s", tally.form_s),
            ("error_mean_m", mean),
            ("error_max_m", tally.error_max_m),
            ("corner_error_m", known(tally.corner_error_m)),
            ("arrive_s", known(tally.arrive_s)),
            ("rest_m", tally.rest_m),
            ("empty_slots", tally.empty as f32),
            ("empty_slots_max", tally.empty_max as f32),
            ("role_cost", tally.role_cost as f32),
            ("reassigned", tally.reassigned as f32),
            ("rules_broken", tally.broken as f32),
        ];
        let count = if has_roles { all.len() } else { MARCH_FIGURES };
        all[..count].iter().map(|&(name, value)| Metric::new(name, value)).collect()
    }

    /// What the script does now, in a word.
    pub fn stage_name(&self) -> &'static str {
        match self.script.stage {
            _ if self.is_played => "played",
            Stage::Idle => "idle",
            Stage::Form => "form up",
            Stage::Show => "stand",
            Stage::Change => "losses, joins",
            Stage::March => "march",
            Stage::Close => "close up",
            Stage::Rest => "rest",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{begin, plan_of};
    use super::*;
    use sentir_harness::game_match::Match;
    use sentir_harness::info::Changes;

    #[test]
    fn a_corner_is_measured_in_time_or_at_the_next_one_and_only_once() {
        let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
        let plan = Plan { patterns: vec![Pattern::Triangle], legs: 9, ..plan_of(&setup) };
        let mut game = begin(&setup, plan, |_, _| 0).unwrap();
        (0..60 * 12).for_each(|_| game.step(&[], &Serial));
        let (brains, world) = game.parts_mut();
        let (now, leader) = (brains.tick(), leader(brains).unwrap());
        let late = Tick(now.0 - brains.rate().ticks(CORNER_S));
        for (corner, passes, error) in [(now, false, None), (now, true, Some(0.7)), (late, false, Some(0.7))] {
            let left = brains.brain(leader).unwrap().path.len() as u16 + u16::from(passes);
            world.script = Script { corner: Some(corner), left, ..world.script };
            (world.tally.corner_error_m, world.error_m) = (None, [0.3, 0.7]);
            world.measure(brains);
            assert_eq!((world.script.stage, world.tally.corner_error_m), (Stage::March, error));
            assert_eq!(world.script.corner, (corner == now).then_some(now));
        }
        world.error_m = [0.3, 0.9];
        world.measure(brains);
        assert_eq!(world.tally.corner_error_m, Some(0.7));
    }
}
