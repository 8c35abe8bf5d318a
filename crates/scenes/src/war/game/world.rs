//! A war in play: who is there and how they are, what lies about, and what happens to it in a tick.

use sentir::core::index::PointIndex;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_sim::input::Held;

use super::leaf::{WORK_M, reach_m, site_place};
use super::mind::{Head, Notice, STRIKE_SLACK_M, WarMind};
use super::rules::Kind;
use super::tally::Tally;

/// How deep below the base those are who are not there, m: dead, or not built yet. No eye looks there.
pub(crate) const AWAY_M: f32 = -20.0;
/// Damage of a blow differs by so much, as a share.
const CHANCE_SHARE: f32 = 0.15;
const BLOW: Purpose = Purpose::new("war.blow");
/// Times that overlapping bodies are moved apart in a tick.
const PUSHES: usize = 2;

/// A unit or structure. Its key is its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) struct Piece {
    pub(crate) kind: u16,
    pub(crate) side: u8,
    /// Which of its kind on its side: of turrets, the site.
    pub(crate) number: u8,
    pub(crate) place: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) yaw: f32,
    /// 0 for who is not there.
    pub(crate) health: f32,
    /// When the dead come back; none for who does not.
    pub(crate) back: Option<Tick>,
    pub(crate) carries: bool,
    pub(crate) work: Work,
    /// When it last struck, was struck, and killed.
    pub(crate) struck: Tick,
    pub(crate) hit: Tick,
    /// What it strikes at.
    pub(crate) target: Option<u64>,
}

/// What a worker is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) enum Work {
    #[default]
    None,
    /// Which resource, and for how many ticks.
    Harvest(u8, u32),
    /// Which site, and for how many ticks.
    Build(u8, u32),
}

/// How a match ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) enum Ending {
    #[default]
    None,
    /// A base fell: the side that won.
    Base(u8),
    /// Out of time: the side that is better off, if one is.
    Points(u8),
    Draw,
    /// What the scene was for is done.
    Done,
    /// It was not done in time.
    TimeUp,
}

/// What is remembered beside the brains.
#[derive(State)]
pub(crate) struct World {
    pub(crate) pieces: Vec<Piece>,
    /// When each resource is back; none while it is there.
    pub(crate) resources: Vec<Option<Tick>>,
    pub(crate) tally: Tally,
    pub(crate) ending: Ending,
    /// Whom a person has selected, by key and in order.
    pub(crate) selected: Vec<u64>,
    /// The controls that hold, by player, and where a drag began.
    pub(crate) held: Held,
    pub(crate) drag: Option<Vec2>,
    /// How many orders were given.
    pub(crate) orders: u32,
    /// Errands of the scenes that have them: how far each piece is.
    pub(crate) legs: Vec<u16>,
}

/// What a step needs and need not remember.
#[derive(Default)]
pub(crate) struct Cache {
    index: PointIndex,
    points: Vec<Vec2>,
    shoves: Vec<Vec2>,
    blows: Vec<(u64, u64, f32)>,
    pub(crate) there: Vec<bool>,
}

impl Piece {
    pub(crate) fn is_up(&self) -> bool {
        self.health > 0.0
    }

    pub(crate) fn what(&self) -> Kind {
        Kind::of(self.kind)
    }
}

impl World {
    /// The body of a piece as the loop knows it.
    pub(crate) fn body(&self, mind: &WarMind, key: usize) -> Body {
        let piece = &self.pieces[key];
        let rule = mind.rules.kind(piece.what());
        let height = if piece.is_up() { 0.0 } else { AWAY_M };
        let place = if piece.is_up() { piece.place } else { mind.map.places.base[usize::from(piece.side)] };
        Body {
            pose: Pose { position: plane::lift(place, height), yaw: piece.yaw },
            velocity: plane::lift(piece.velocity, 0.0),
            radius_m: rule.radius,
            eye_m: rule.eye_m,
            health: math::saturate(piece.health / rule.health),
            ..Body::default()
        }
    }

    /// The agent of a piece. Pieces come into the loop in the order of their keys.
    pub(crate) fn agent(brains: &Loop<WarMind>, key: usize) -> Option<AgentId> {
        brains.agent_of(HostKey(key as u64))
    }

    /// Brings those back whose time has come.
    pub(crate) fn revive(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>) {
        let now = brains.tick();
        for key in 0..self.pieces.len() {
            let piece = &self.pieces[key];
            if piece.is_up() || piece.back.is_none_or(|back| back > now) {
                continue;
            }
            let spots = &mind.map.places.spawns[usize::from(piece.side)];
            // The nearest ones; all of them where there are many to come back.
            let near = if self.pieces.len() > 400 { spots.len() } else { spots.len().min(24) };
            let spot = spots[(key + piece.struck.0 as usize) % near];
            self.raise(mind, brains, key, spot);
        }
    }

    /// Puts somebody who is away onto the field, whole.
    pub(crate) fn raise(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>, key: usize, place: Vec2) {
        let piece = &mut self.pieces[key];
        let rule = mind.rules.kind(piece.what());
        *piece = Piece {
            place,
            velocity: Vec2::ZERO,
            health: rule.health,
            back: None,
            carries: false,
            work: Work::None,
            ..*piece
        };
        let pose = self.body(mind, key).pose;
        if let Some(agent) = World::agent(brains, key) {
            brains.pause_agent(agent, false);
            brains.teleport(agent, pose);
            brains.notify(agent, Notice::Born);
        }
    }

    /// Takes somebody off the field; units come back after a while, unless the reserves are used up.
    fn fell(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>, key: usize) {
        let now = brains.tick();
        let spec = &mind.rules.spec;
        let piece = &mut self.pieces[key];
        let has_reserves = brains.rate().seconds(now.0) < spec.reserves_s;
        let is_unit = !piece.what().is_structure();
        self.tally.lost += u32::from(piece.carries);
        (piece.health, piece.carries, piece.work) = (0.0, false, Work::None);
        piece.velocity = Vec2::ZERO;
        piece.back = (is_unit && has_reserves).then(|| now + brains.rate().ticks(spec.respawn_s));
        self.selected.retain(|&other| other != key as u64);
        let pose = self.body(mind, key).pose;
        if let Some(agent) = World::agent(brains, key) {
            brains.teleport(agent, pose);
            brains.pause_agent(agent, true);
        }
    }

    /// Moves everybody as it wants, then apart and off what cannot be walked on.
    pub(crate) fn walk(&mut self, mind: &WarMind, brains: &Loop<WarMind>, cache: &mut Cache, pool: &dyn Pool) {
        let tick_s = brains.rate().tick_s();
        for (key, piece) in self.pieces.iter_mut().enumerate().filter(|(_, piece)| piece.is_up()) {
            let Some(motion) = World::agent(brains, key).and_then(|agent| brains.motion(agent)) else { continue };
            piece.yaw = motion.yaw;
            if !piece.what().is_structure() {
                piece.velocity = plane::ground(motion.velocity);
                piece.place += piece.velocity * tick_s;
            }
        }
        for _ in 0..PUSHES {
            cache.points.clear();
            cache.points.extend(self.pieces.iter().map(|piece| if piece.is_up() { piece.place } else { Vec2::NAN }));
            cache.index.build(&cache.points, 2.0, pool);
            cache.shoves.clear();
            cache.shoves.extend((0..self.pieces.len()).map(|key| self.shove(mind, &cache.index, key)));
            for (piece, shove) in self.pieces.iter_mut().zip(&cache.shoves).filter(|(piece, _)| piece.is_up()) {
                if !piece.what().is_structure() {
                    piece.place += plane::truncated(*shove, 0.4);
                    mind.map.push_out(&mut piece.place, mind.rules.kind(Kind::of(piece.kind)).radius);
                }
            }
        }
    }

    /// By how much somebody is to be moved off those it overlaps.
    fn shove(&self, mind: &WarMind, index: &PointIndex, key: usize) -> Vec2 {
        let me = &self.pieces[key];
        let mut sum = Vec2::ZERO;
        if !me.is_up() || me.what().is_structure() {
            return sum;
        }
        let radius = mind.rules.kind(me.what()).radius;
        index.visit_radius(me.place, radius + 1.8, |slot, _| {
            let it = &self.pieces[slot as usize];
            let way = me.place - it.place;
            let (distance, room) = (way.length(), radius + mind.rules.kind(it.what()).radius);
            if slot as usize == key || distance >= room {
                return;
            }
            // Who stands for ever gives no way; two at one place part by their keys.
            let share = if it.what().is_structure() { 1.0 } else { 0.5 };
            let off = if distance > 1e-4 {
                way / distance
            } else if key < slot as usize {
                Vec2::X
            } else {
                Vec2::NEG_X
            };
            sum += off * ((room - distance) * share);
        });
        sum
    }

    /// Everybody who strikes; all blows of a tick fall at once.
    pub(crate) fn fight(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>, cache: &mut Cache) {
        let now = brains.tick();
        cache.blows.clear();
        for key in 0..self.pieces.len() {
            if let Some((victim, damage)) = self.blow(mind, brains, key) {
                cache.blows.push((key as u64, victim, damage));
            }
        }
        for &(by, victim, damage) in &cache.blows {
            let [striker, struck] = [by as usize, victim as usize];
            let from = plane::lift(self.pieces[striker].place, 1.0);
            self.pieces[striker].struck = now;
            self.pieces[striker].target = Some(victim);
            let piece = &mut self.pieces[struck];
            let rule = mind.rules.kind(piece.what());
            let (kind, taken) = (piece.what(), math::min(damage * (1.0 - rule.defense), piece.health));
            (piece.health, piece.hit) = (piece.health - taken, now);
            let side = usize::from(piece.side);
            self.tally.hurt(side, kind, taken);
            if let Some(who) = World::agent(brains, struck) {
                brains.hurt(Hurt { who, amount: taken / rule.health, from, at: now });
            }
            if taken > 0.0 && self.pieces[struck].health <= 0.0 {
                let killer = World::agent(brains, striker);
                killer.map(|killer| brains.notify(killer, Notice::Killed(rule.influence)));
                self.tally.kill(side, kind);
                self.fell(mind, brains, struck);
            }
        }
    }

    /// The blow that somebody strikes in this tick: at whom, and how hard.
    fn blow(&self, mind: &WarMind, brains: &Loop<WarMind>, key: usize) -> Option<(u64, f32)> {
        let piece = &self.pieces[key];
        let rule = mind.rules.kind(piece.what());
        let now = brains.tick();
        let is_ready =
            piece.is_up() && rule.blow > 0.0 && now.since(piece.struck) >= brains.rate().ticks(rule.strike_s);
        let agent = World::agent(brains, key).filter(|_| is_ready)?;
        let wants = brains.motion(agent).is_some_and(|motion| motion.actions.contains(Actions::FIRE));
        let target = brains.brain(agent).filter(|_| wants)?.target?;
        let victim = brains.presence(target)?.key.0;
        let it = self.pieces.get(victim as usize).filter(|it| it.is_up() && it.side != piece.side)?;
        let reach = reach_m(&mind.rules, piece.what(), mind.rules.kind(it.what()).radius) + STRIKE_SLACK_M;
        let (eye, to) = (self.body(mind, key).eye(), self.body(mind, victim as usize).eye());
        let field = super::map::Field { map: &mind.map, has_fog: true, resources: &[] };
        if piece.place.distance(it.place) > reach || !field.is_clear(eye, to) {
            return None;
        }
        let mut blow = rule.blow;
        if piece.what() == Kind::Spy && !self.is_noticed(brains, agent, it.side) {
            blow = mind.rules.spec.spy_unseen_damage * rule.strike_s;
        }
        let chance = brains.streams().at(agent.to_bits(), BLOW, now).between(1.0 - CHANCE_SHARE, 1.0 + CHANCE_SHARE);
        Some((victim, blow * chance))
    }

    /// Whether anybody of a side sees somebody now.
    pub(crate) fn is_noticed(&self, brains: &Loop<WarMind>, agent: AgentId, by: u8) -> bool {
        let watchers = self.pieces.iter().enumerate().filter(|(_, it)| it.side == by && it.is_up());
        watchers
            .filter_map(|(key, _)| brains.beliefs(World::agent(brains, key)?))
            .any(|beliefs| beliefs.other(agent).is_some_and(|other| other.is_visible))
    }

    /// Workers fetch and build, hospitals heal, resources come back.
    pub(crate) fn work(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>) {
        let now = brains.tick();
        for back in &mut self.resources {
            if back.is_some_and(|back| back <= now) {
                *back = None;
                self.tally.grown += 1;
            }
        }
        for key in 0..self.pieces.len() {
            let piece = self.pieces[key];
            if piece.what() != Kind::Worker || !piece.is_up() {
                continue;
            }
            let Some(agent) = World::agent(brains, key) else { continue };
            let before = (piece.carries, matches!(piece.work, Work::Build(..)));
            let is_working = brains.motion(agent).is_some_and(|motion| motion.actions.contains(Actions::USE));
            let head = brains.brain(agent).filter(|_| is_working);
            let work = head.map_or(Work::None, |head| self.next_work(mind, &piece, head));
            if matches!((piece.work, work), (Work::Build(..), Work::None | Work::Harvest(..))) {
                self.tally.interrupted[usize::from(piece.side & 1)] += 1;
            }
            self.pieces[key].work = work;
            self.finish(mind, brains, key);
            let piece = &self.pieces[key];
            let after = (piece.carries, matches!(piece.work, Work::Build(..)));
            if after != before {
                brains.notify(agent, Notice::Hands { carries: after.0, builds: after.1 });
            }
        }
        self.heal(mind, brains);
    }

    /// What a worker that uses its hands is at: on with it, or something new; none if there is nothing to do here.
    fn next_work(&self, mind: &WarMind, piece: &Piece, head: &Head) -> Work {
        let side = usize::from(piece.side);
        let is_near = |place: Vec2| piece.place.distance(place) <= WORK_M + 0.2;
        if !piece.carries {
            let Some(number) = head.errand.resource.filter(|_| head.errand.resource.is_some()) else {
                return Work::None;
            };
            let place = mind.map.places.resources[usize::from(number)];
            let is_there = self.resources[usize::from(number)].is_none();
            return match piece.work {
                _ if !is_there || !is_near(place) => Work::None,
                Work::Harvest(same, ticks) if same == number => Work::Harvest(number, ticks + 1),
                _ => Work::Harvest(number, 1),
            };
        }
        let ordered = match head.order {
            super::mind::Order::Build(site) => Some(site),
            _ => head.errand.site,
        };
        let Some(site) = ordered.filter(|&site| !self.is_built(side, site)) else { return Work::None };
        match piece.work {
            _ if !is_near(site_place(&mind.map, side, site)) => Work::None,
            Work::Build(same, ticks) if same == site => Work::Build(site, ticks + 1),
            _ => Work::Build(site, 1),
        }
    }

    /// The structure of a site: turrets first, then the hospital.
    pub(crate) fn structure_at(&self, side: usize, site: u8) -> Option<usize> {
        self.pieces.iter().position(|it| {
            let is_it = match it.what() {
                Kind::Turret => it.number == site,
                Kind::Hospital => site == 2,
                _ => false,
            };
            is_it && usize::from(it.side) == side
        })
    }

    fn is_built(&self, side: usize, site: u8) -> bool {
        self.structure_at(side, site).is_none_or(|key| self.pieces[key].is_up())
    }

    /// Ends work that is done.
    fn finish(&mut self, mind: &WarMind, brains: &mut Loop<WarMind>, key: usize) {
        let (rate, spec) = (brains.rate(), &mind.rules.spec);
        let piece = self.pieces[key];
        match piece.work {
            Work::Harvest(number, ticks) if u64::from(ticks) >= rate.ticks(spec.harvest_s) => {
                self.resources[usize::from(number)] = Some(brains.tick() + rate.ticks(spec.resource_back_s));
                (self.pieces[key].carries, self.pieces[key].work) = (true, Work::None);
                self.tally.taken += 1;
            }
            Work::Build(site, ticks) if u64::from(ticks) >= rate.ticks(spec.build_s) => {
                (self.pieces[key].carries, self.pieces[key].work) = (false, Work::None);
                self.tally.used += 1;
                let side = usize::from(piece.side);
                if let Some(structure) = self.structure_at(side, site) {
                    let place = site_place(&mind.map, side, site);
                    self.raise(mind, brains, structure, place);
                    self.tally.built(side, self.pieces[structure].what(), brains.tick());
                }
            }
            _ => {}
        }
    }

    fn heal(&mut self, mind: &WarMind, brains: &Loop<WarMind>) {
        let spec = &mind.rules.spec;
        if brains.rate().seconds(brains.tick().0) >= spec.reserves_s {
            return;
        }
        let amount = spec.heal_per_s * brains.rate().tick_s();
        for key in 0..self.pieces.len() {
            let tent = self.pieces[key];
            if tent.what() != Kind::Hospital || !tent.is_up() {
                continue;
            }
            for it in
                self.pieces.iter_mut().filter(|it| it.is_up() && it.side == tent.side && !it.what().is_structure())
            {
                let full = mind.rules.kind(Kind::of(it.kind)).health;
                if it.health < full && it.place.distance(tent.place) <= spec.heal_range {
                    let healed = math::min(amount, full - it.health);
                    it.health += healed;
                    self.tally.healed[usize::from(it.side)] += healed;
                }
            }
        }
    }

    /// Lets the loop observe where everybody is.
    pub(crate) fn observe(&self, mind: &WarMind, brains: &mut Loop<WarMind>) {
        for key in 0..self.pieces.len() {
            if let Some(agent) = World::agent(brains, key) {
                brains.observe(agent, self.body(mind, key));
            }
        }
    }

    /// Tells both bases how the other one is, now and then: that is public.
    pub(crate) fn tell_score(&self, mind: &WarMind, brains: &mut Loop<WarMind>) {
        if !brains.tick().0.is_multiple_of(20) {
            return;
        }
        let full = mind.rules.kind(Kind::Base).health;
        for (key, piece) in self.pieces.iter().enumerate().filter(|(_, it)| it.what() == Kind::Base) {
            let share = self.first(1 - piece.side, Kind::Base).map_or(1.0, |base| math::saturate(base.health / full));
            let agent = World::agent(brains, key);
            let is_news = |agent: &AgentId| brains.brain(*agent).is_some_and(|head| head.score != share);
            if let Some(agent) = agent.filter(is_news) {
                brains.notify(agent, Notice::Score(share));
            }
        }
    }

    /// The piece of a kind and side, the first of them.
    pub(crate) fn first(&self, side: u8, kind: Kind) -> Option<&Piece> {
        self.pieces.iter().find(|it| it.side == side && it.what() == kind)
    }

    /// Whether a match is over: a base fell, or time is up.
    pub(crate) fn judge(&mut self, mind: &WarMind, brains: &Loop<WarMind>) {
        let health = |side: u8| self.first(side, Kind::Base).map_or(0.0, |base| base.health);
        let (blue, red) = (health(0), health(1));
        let points = |side: usize| self.tally.dealt(1 - side);
        self.ending = match () {
            () if blue <= 0.0 && red <= 0.0 => Ending::Draw,
            () if red <= 0.0 => Ending::Base(0),
            () if blue <= 0.0 => Ending::Base(1),
            () if brains.rate().seconds(brains.tick().0) < mind.rules.spec.limit_s => Ending::None,
            () if (blue - red).abs() >= 1.0 => Ending::Points(u8::from(red > blue)),
            () if (points(0) - points(1)).abs() >= 1.0 => Ending::Points(u8::from(points(1) > points(0))),
            () => Ending::Draw,
        };
    }
}
