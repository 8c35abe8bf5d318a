//! Things thrown: a parabola with bounces, a fuse, and the blast at its end.
//!
//! Flights are exact parabolas at tick borders; within a tick the chord is tested against what holds bodies, at most
//! [`BOUNCES_PER_TICK_MAX`] times. A blast hurts whom its center has an open line to, and pieces that nothing shields.

use sentir::State;
use sentir::core::geometry::Ray;
use sentir::core::glam::Vec3;
use sentir::core::id::{AgentId, TeamId};
use sentir::core::math;
use sentir::core::tick::{Tick, TickRate};
use sentir_level::{Blocks, Level, LevelState, LevelView, PieceId};

use crate::armory::{BlastSpec, ThrownSpec, WeaponId};
use crate::reach::{is_open_to, near_pieces};
use crate::shot::{Target, distance_to, is_open};

/// Bounces in one tick at most; then it waits for the next.
pub const BOUNCES_PER_TICK_MAX: u32 = 4;
/// How far it is kept from surfaces, m, so that the next ray does not begin in one.
pub const SKIN_M: f32 = 0.02;
/// Slower than this across the ground, m/s, it lies still.
pub const REST_M_PER_S: f32 = 0.3;

/// A thing in the air.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Flight {
    /// Who threw it.
    pub by: AgentId,
    /// On which side it is.
    pub team: TeamId,
    /// What it is.
    pub weapon: WeaponId,
    /// Where it is, m.
    pub position: Vec3,
    /// How fast it goes, m/s.
    pub velocity: Vec3,
    /// When it bursts.
    pub burst_at: Tick,
    /// Whether it lies still.
    pub is_at_rest: bool,
}

/// What happened to a flight in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlightStep {
    /// It flies or lies.
    Goes,
    /// It bounced.
    Bounced,
    /// It bursts, where it is: take it out of the world.
    Bursts,
}

/// A throw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// Who throws.
    pub by: AgentId,
    /// On which side it is.
    pub team: TeamId,
    /// What.
    pub weapon: WeaponId,
    /// Where the hand is, m.
    pub hand: Vec3,
    /// Where to; unit length.
    pub aim: Vec3,
    /// The thrower's own velocity, m/s: it goes on top.
    pub carried: Vec3,
}

/// What a throw becomes: its fuse burns from this tick on.
pub fn launch(spec: &ThrownSpec, throw: &Throw, tick: Tick, rate: TickRate) -> Flight {
    let Throw { by, team, weapon, hand, aim, carried } = *throw;
    let velocity = aim * spec.speed_m_per_s + carried;
    let burst_at = tick + rate.ticks(spec.fuse_s);
    Flight { by, team, weapon, position: hand, velocity, burst_at, is_at_rest: false }
}

/// One tick of a flight. Bodies stop only what bursts on touch, and never their own throws.
pub fn step(
    flight: &mut Flight,
    spec: &ThrownSpec,
    view: &LevelView<'_>,
    targets: &[Target],
    tick: Tick,
    rate: TickRate,
) -> FlightStep {
    let is_lost = !flight.position.is_finite() || !flight.velocity.is_finite();
    if tick >= flight.burst_at || is_lost {
        return FlightStep::Bursts;
    }
    if flight.is_at_rest {
        return FlightStep::Goes;
    }
    let fall = Vec3::NEG_Y * spec.gravity_m_per_s2;
    let (mut left_s, mut outcome) = (rate.tick_s(), FlightStep::Goes);
    for _ in 0..BOUNCES_PER_TICK_MAX {
        let to = flight.position + flight.velocity * left_s + fall * (0.5 * left_s * left_s);
        let Some(ray) = Ray::between(flight.position, to) else { break };
        // Stops short of a surface, back along its own way: pushed out along a normal it could end up behind a neighbor.
        let wall = view.hit(&Ray { length_m: ray.length_m + SKIN_M, ..ray }, Blocks::BODIES);
        let limit = wall.map_or(ray.length_m, |hit| math::max(hit.hit.distance_m - SKIN_M, 0.0));
        if spec.bursts_on_touch && touches(&Ray { length_m: limit, ..ray }, flight, targets) {
            return FlightStep::Bursts;
        }
        let Some(wall) = wall else {
            flight.position = to;
            flight.velocity += fall * left_s;
            break;
        };
        let spent_s = left_s * math::min(limit / ray.length_m, 1.0);
        let normal = wall.hit.normal;
        flight.position = ray.origin + ray.direction * limit;
        if spec.bursts_on_touch {
            return FlightStep::Bursts;
        }
        flight.velocity += fall * spent_s;
        bounce(flight, spec, normal);
        outcome = FlightStep::Bounced;
        left_s -= spent_s;
        if flight.is_at_rest || left_s <= 0.0 {
            break;
        }
    }
    outcome
}

/// Whether a body is on the way; then the flight ends at its skin.
fn touches(ray: &Ray, flight: &mut Flight, targets: &[Target]) -> bool {
    let others = targets.iter().filter(|target| target.agent != flight.by);
    let nearest = others.filter_map(|target| distance_to(ray, target)).reduce(math::min);
    if let Some(distance_m) = nearest {
        flight.position = ray.origin + ray.direction * distance_m;
    }
    nearest.is_some()
}

fn bounce(flight: &mut Flight, spec: &ThrownSpec, normal: Vec3) {
    let across = normal * flight.velocity.dot(normal);
    let along = flight.velocity - across;
    flight.velocity = along * (1.0 - spec.grip) - across * spec.restitution;
    // Only ground holds what is slow; from a wall it falls.
    if normal.y > 0.7 && flight.velocity.length() < REST_M_PER_S {
        flight.velocity = Vec3::ZERO;
        flight.is_at_rest = true;
    }
}

/// Calls `visit` with everybody whom a blast hurts, and how much: the damage falls with the distance to the skin, and
/// there must be an open line for shots from the center of the blast to the center of the body.
pub fn hurt_bodies(
    view: &LevelView<'_>,
    center: Vec3,
    blast: &BlastSpec,
    targets: &[Target],
    mut visit: impl FnMut(&Target, f32),
) {
    for target in targets {
        let damage = blast.damage_at(target.distance_m(center));
        if damage > 0.0 && is_open(view, center, target.center(), Blocks::SHOTS) {
            visit(target, damage);
        }
    }
}

/// What a blast does to a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceDamage {
    /// Which piece.
    pub piece: PieceId,
    /// Health it takes. Limit: > 0.
    pub damage: f32,
}

/// Damages every piece near a blast that no other surface shields. Calls `visit` with each, the damage, and whether it was
/// destroyed. All shields count as they stood before the blast. `scratch` is emptied and filled.
pub fn hurt_pieces(
    level: &Level,
    state: &mut LevelState,
    center: Vec3,
    blast: &BlastSpec,
    scratch: &mut Vec<PieceDamage>,
    mut visit: impl FnMut(PieceId, f32, bool),
) {
    scratch.clear();
    let view = LevelView { level, state };
    near_pieces(&view, center, blast.radius_m, |near| {
        let damage = blast.damage_at(near.distance_m);
        let breaks = level.pieces().get(usize::from(near.piece.0)).is_some_and(|piece| piece.health.is_some());
        if breaks && damage > 0.0 && is_open_to(&view, center, &near, Blocks::SHOTS) {
            scratch.push(PieceDamage { piece: near.piece, damage });
        }
    });
    for &PieceDamage { piece, damage } in scratch.iter() {
        let is_destroyed = state.damage_piece(level, piece, damage);
        visit(piece, damage, is_destroyed);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::armory::{WeaponKind, stock};
    use proptest::prelude::*;
    use sentir::core::state::{Noticed, perturb};
    use sentir_level::parse;

    const FIELD: &str = "
name: field
solids:
  - slab: { outline: [[-60, -60], [60, -60], [60, 60], [-60, 60]], thickness_m: 0.5 }
  - wall: { along: [[20, -5], [20, 5]], height_m: 3 }
pieces:
  - { name: crate, at: [0, 30], health: 40, solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 1 } }] }
  - { name: sheltered, at: [22, 0], health: 40, solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 1 } }] }
";

    fn field() -> (Level, LevelState) {
        let level = parse(FIELD.as_bytes(), "field.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level);
        (level, state)
    }

    fn grenade() -> ThrownSpec {
        let armory = stock();
        match armory.spec(armory.named("grenade").unwrap()).unwrap().kind {
            WeaponKind::Thrown(thrown) => thrown,
            _ => panic!(),
        }
    }

    fn throw(hand: Vec3, aim: Vec3) -> Throw {
        Throw { by: AgentId::from_bits(0), team: TeamId(0), weapon: WeaponId(5), hand, aim, carried: Vec3::ZERO }
    }

    fn target(foot: Vec3) -> Target {
        let agent = AgentId::from_bits(1 << 32);
        Target::standing(agent, TeamId(1), foot)
    }

    #[test]
    fn a_throw_goes_as_far_as_the_parabola() {
        let (level, state) = field();
        let view = LevelView { level: &level, state: &state };
        for hz in [20, 60, 144] {
            for (pitch, hand_m) in [(0.0f32, 1.5f32), (0.4, 1.5), (0.785, 1.5), (1.2, 0.5)] {
                // Bursts where it first touches the ground.
                let (spec, rate) = (ThrownSpec { fuse_s: 60.0, bursts_on_touch: true, ..grenade() }, TickRate::new(hz));
                let (sin, cos) = math::sin_cos(pitch);
                let hand = Vec3::new(-30.0, hand_m, 0.0);
                let mut it = launch(&spec, &throw(hand, Vec3::new(cos, sin, 0.0)), Tick(0), rate);
                let ticks =
                    (0..).take_while(|&tick| step(&mut it, &spec, &view, &[], Tick(tick), rate) != FlightStep::Bursts);
                let air_ticks = ticks.count() as f32;
                let (up, g) = (spec.speed_m_per_s * sin, spec.gravity_m_per_s2);
                let air_s = (up + (up * up + 2.0 * g * hand_m).sqrt()) / g;
                let (range, wanted) = (it.position.x - hand.x, spec.speed_m_per_s * cos * air_s);
                assert!((range - wanted).abs() < 0.02 * wanted, "{range} for {wanted} at {hz} Hz");
                assert_eq!(air_ticks, (air_s * f32::from(hz)).floor(), "at {hz} Hz");
            }
        }
    }

    #[test]
    fn grenades_bounce_lower_come_to_rest_and_burst_at_their_tick() {
        let (level, state) = field();
        let view = LevelView { level: &level, state: &state };
        let (spec, rate) = (ThrownSpec { fuse_s: 6.0, ..grenade() }, TickRate::new(60));
        let mut it = launch(&spec, &throw(Vec3::Y * 1.5, Vec3::X), Tick(100), rate);
        let (mut bounces, mut tick) = (0, Tick(100));
        let energy = |it: &Flight| it.velocity.length_squared() * 0.5 + 9.81 * it.position.y;
        let mut last = energy(&it);
        loop {
            match step(&mut it, &spec, &view, &[], tick, rate) {
                FlightStep::Bursts => break,
                FlightStep::Bounced => bounces += 1,
                FlightStep::Goes => {}
            }
            assert!(energy(&it) <= last + 9.81 * SKIN_M + 1e-2, "a bounce gives no energy");
            last = energy(&it);
            assert!(it.position.y > 0.0 && it.position.x < 20.0, "it went through: {it:?}");
            tick = tick + 1;
        }
        assert_eq!(tick, Tick(100 + 360));
        assert!(bounces >= 3 && it.is_at_rest, "{it:?} after {bounces}");
    }

    #[test]
    fn what_bursts_on_touch_bursts_at_bodies_and_walls() {
        let (level, state) = field();
        let view = LevelView { level: &level, state: &state };
        let (spec, rate) =
            (ThrownSpec { bursts_on_touch: true, gravity_m_per_s2: 0.0, ..grenade() }, TickRate::new(60));
        let fly = |targets: &[Target]| {
            let mut it = launch(&spec, &throw(Vec3::Y, Vec3::X), Tick(0), rate);
            let tick = (0..).find(|&tick| step(&mut it, &spec, &view, targets, Tick(tick), rate) == FlightStep::Bursts);
            (it.position.x, tick.unwrap())
        };
        assert!((fly(&[target(Vec3::X * 10.0)]).0 - 9.7).abs() < 1e-3);
        assert!((fly(&[]).0 - (19.85 - SKIN_M)).abs() < 1e-3);
        assert!(
            (fly(&[Target { agent: AgentId::from_bits(0), ..target(Vec3::X * 10.0) }]).0 - (19.85 - SKIN_M)).abs()
                < 1e-3
        );
    }

    #[test]
    fn blasts_hurt_by_distance_and_not_behind_walls() {
        let (level, state) = field();
        let view = LevelView { level: &level, state: &state };
        let blast = BlastSpec { radius_m: 6.0, damage: 90.0 };
        let hurt = |center: Vec3, foot: Vec3| {
            let mut damage = 0.0;
            hurt_bodies(&view, center, &blast, &[target(foot)], |_, amount| damage += amount);
            damage
        };
        assert!((hurt(Vec3::new(0.0, 1.0, 0.0), Vec3::X * 3.3) - 45.0).abs() < 1e-3);
        assert_eq!(hurt(Vec3::new(0.0, 1.0, 0.0), Vec3::X * 6.4), 0.0);
        assert_eq!(hurt(Vec3::new(19.0, 0.1, 0.0), Vec3::X * 21.0), 0.0);
        assert!(hurt(Vec3::new(19.0, 0.1, 0.0), Vec3::X * 17.0) > 40.0);
        assert_eq!(hurt(Vec3::NAN, Vec3::X), 0.0);
    }

    #[test]
    fn blasts_break_pieces_in_the_open_and_spare_sheltered_ones() {
        let (level, mut state) = field();
        let blast = BlastSpec { radius_m: 6.0, damage: 90.0 };
        let mut scratch = Vec::new();
        let mut broken = Vec::new();
        hurt_pieces(&level, &mut state, Vec3::new(1.0, 0.2, -30.0), &blast, &mut scratch, |piece, damage, gone| {
            broken.push((piece, damage, gone));
        });
        let id = level.piece_named("crate").unwrap();
        assert_eq!(broken.len(), 1);
        assert!(broken[0].0 == id && (broken[0].1 - 82.5).abs() < 1e-3 && broken[0].2);
        assert!(state.piece(id).unwrap().is_destroyed);
        broken.clear();
        hurt_pieces(&level, &mut state, Vec3::new(19.0, 0.2, 0.0), &blast, &mut scratch, |piece, damage, gone| {
            broken.push((piece, damage, gone));
        });
        assert_eq!(broken, []);
    }

    #[test]
    fn every_field_of_a_flight_counts() {
        let it =
            launch(&grenade(), &Throw { carried: Vec3::ONE, ..throw(Vec3::Y, Vec3::X) }, Tick(4), TickRate::new(60));
        assert!(perturb(&it).iter().all(|one| one.outcome == Noticed::Yes));
    }

    proptest! {
        #[test]
        fn flights_stay_finite_and_over_the_ground(yaw in -3.0f32..3.0, pitch in -1.5f32..1.5, speed in 0.0f32..60.0, hz in 10u16..200) {
            let (level, state) = field();
            let view = LevelView { level: &level, state: &state };
            let (spec, rate) = (ThrownSpec { speed_m_per_s: speed, ..grenade() }, TickRate::new(hz));
            let aim = Vec3::new(math::cos(yaw) * math::cos(pitch), math::sin(pitch), math::sin(yaw) * math::cos(pitch));
            let mut it = launch(&spec, &throw(Vec3::Y * 1.6, aim), Tick(0), rate);
            for tick in 0..rate.ticks(3.0) {
                step(&mut it, &spec, &view, &[], Tick(tick), rate);
                prop_assert!(it.position.is_finite() && it.velocity.is_finite());
                let is_over = it.position.x.abs() > 59.9 || it.position.z.abs() > 59.9 || it.position.y > -1e-3;
                prop_assert!(is_over, "{:?} fell through", it);
            }
        }
    }
}
