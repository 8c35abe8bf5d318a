//! A weapon in the hand: magazine, reserve, reload, rate of fire, recoil; all by ticks, all exact.
//!
//! The rate of fire is kept in fractions of a tick: 700 rounds a minute at 60 Hz are 5 1/7 ticks a round, and ten seconds
//! of fire are as many rounds as that makes, no more and no fewer. Where a round takes less than a tick, several leave in
//! one. Recoil is a value and the tick it was true at, so that a weapon needs no step of its own.
//!
//! No round appears or vanishes: what is fired leaves the magazine, what is reloaded leaves the reserve. O(1), allocates
//! nothing. A loaded state may hold any numbers; nothing here panics on them.

use sentir::State;
use sentir::core::glam::Vec3;
use sentir::core::id::AgentId;
use sentir::core::math;
use sentir::core::random::{Purpose, Stream, Streams};
use sentir::core::tick::{Tick, TickRate};

use crate::armory::{GunSpec, WeaponKind, WeaponSpec};

/// What the stream of [`shot_stream`] is for.
pub const SCATTER: Purpose = Purpose::new("arena/scatter");

/// The state of one weapon.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Weapon {
    /// Rounds ready to be fired, or things to throw.
    pub magazine: u32,
    /// Rounds carried besides.
    pub reserve: u32,
    /// The first tick at which it can fire again.
    pub ready_at: Tick,
    /// How long before that tick it was ready, in parts of a tick; the part is 1/rounds a minute for guns.
    pub ready_early: u32,
    /// When the reload in progress ends.
    pub reload_until: Option<Tick>,
    /// Spread that rounds have added, rad, as of `fired_at`.
    pub recoil_rad: f32,
    /// When it last fired.
    pub fired_at: Tick,
    /// Whether the trigger was held at the last call.
    pub was_held: bool,
}

/// What left a weapon in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fired {
    /// Rounds, strikes or throws. At least 1; more only where a round takes less than a tick.
    pub rounds: u32,
    /// Spread that earlier rounds had added, rad; see [`spread_rad`].
    pub recoil_rad: f32,
}

/// What came of the wish to reload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reload {
    /// It began; at that tick it is done, and the weapon can fire.
    Began {
        /// When.
        until: Tick,
    },
    /// One is in progress already.
    Busy,
    /// Nothing is missing.
    Full,
    /// There is nothing to reload from.
    Empty,
}

impl Weapon {
    /// A full one.
    pub fn full(spec: &WeaponSpec) -> Weapon {
        Weapon { magazine: spec.magazine_max(), reserve: spec.reserve_max(), ..Weapon::default() }
    }

    /// Rounds in all.
    pub fn rounds(&self) -> u32 {
        self.magazine.saturating_add(self.reserve)
    }

    /// Share of a full magazine, 0..=1; 1 for what needs none.
    pub fn magazine_share(&self, spec: &WeaponSpec) -> f32 {
        match spec.magazine_max() {
            0 => 1.0,
            max => math::saturate(self.magazine as f32 / max as f32),
        }
    }

    /// Whether a reload is in progress.
    pub fn is_reloading(&self) -> bool {
        self.reload_until.is_some()
    }
}

/// Ends the reload if its time has come; whether it did. [`trigger`] and [`reload`] do this too, so that calling it each
/// tick is only needed to notice the end at once.
pub fn settle(weapon: &mut Weapon, spec: &WeaponSpec, tick: Tick) -> bool {
    if weapon.reload_until.is_none_or(|until| tick < until) {
        return false;
    }
    weapon.reload_until = None;
    let moved = spec.magazine_max().saturating_sub(weapon.magazine).min(weapon.reserve);
    weapon.magazine += moved;
    weapon.reserve -= moved;
    true
}

/// One tick of the trigger. Call it once a tick, also when it is not held: a weapon that is not automatic fires once a
/// pull.
pub fn trigger(weapon: &mut Weapon, spec: &WeaponSpec, is_held: bool, tick: Tick, rate: TickRate) -> Option<Fired> {
    settle(weapon, spec, tick);
    let was_held = std::mem::replace(&mut weapon.was_held, is_held);
    let is_automatic = match &spec.kind {
        WeaponKind::Gun(gun) => gun.is_automatic,
        WeaponKind::Blade(_) => true,
        WeaponKind::Thrown(_) => false,
    };
    let is_pulled = is_held && (is_automatic || !was_held);
    if !is_pulled || weapon.is_reloading() || tick < weapon.ready_at {
        return None;
    }
    let needs_rounds = !matches!(spec.kind, WeaponKind::Blade(_));
    let left = if needs_rounds { weapon.magazine } else { u32::MAX };
    let rounds = fire(weapon, spec, tick, rate, left)?;
    if needs_rounds {
        weapon.magazine -= rounds;
    }
    let recoil_rad = recoil_at(weapon, spec, tick, rate);
    if let WeaponKind::Gun(gun) = &spec.kind {
        weapon.recoil_rad = math::min(recoil_rad + gun.recoil_rad * rounds as f32, gun.recoil_rad_max);
    }
    weapon.fired_at = tick;
    Some(Fired { rounds, recoil_rad })
}

/// How many rounds leave at a tick at which the weapon is ready, and when it is ready again.
fn fire(weapon: &mut Weapon, spec: &WeaponSpec, tick: Tick, rate: TickRate, rounds_max: u32) -> Option<u32> {
    if rounds_max == 0 {
        return None;
    }
    // Time in parts of a tick, chosen so that the time between rounds is whole.
    let (tick_parts, round_parts) = match &spec.kind {
        WeaponKind::Gun(gun) => (u64::from(gun.rounds_per_minute), 60 * u64::from(rate.hz())),
        WeaponKind::Blade(blade) => (1, rate.ticks(blade.interval_s)),
        WeaponKind::Thrown(thrown) => (1, rate.ticks(thrown.interval_s)),
    };
    let (tick_parts, round_parts) = (tick_parts.max(1), round_parts.max(1));
    // A trigger pulled late has no claim on the time before.
    let early = if tick == weapon.ready_at { u64::from(weapon.ready_early).min(tick_parts - 1) } else { 0 };
    let due = 1 + early / round_parts;
    let rounds = due.min(u64::from(rounds_max));
    let over = (rounds * round_parts).saturating_sub(early).max(1);
    let ticks = over.div_ceil(tick_parts);
    weapon.ready_at = tick + ticks;
    weapon.ready_early = (ticks * tick_parts - over) as u32;
    Some(rounds as u32)
}

/// Begins to reload what is missing, as far as the reserve goes. Rounds stay where they are until it is done, so that a
/// [`cancel_reload`] costs only time.
pub fn reload(weapon: &mut Weapon, spec: &WeaponSpec, tick: Tick, rate: TickRate) -> Reload {
    settle(weapon, spec, tick);
    let WeaponKind::Gun(gun) = &spec.kind else { return Reload::Full };
    if weapon.is_reloading() {
        Reload::Busy
    } else if weapon.magazine >= gun.magazine {
        Reload::Full
    } else if weapon.reserve == 0 {
        Reload::Empty
    } else {
        let until = tick + rate.ticks(gun.reload_s);
        weapon.reload_until = Some(until);
        Reload::Began { until }
    }
}

/// Breaks off a reload, as who changes weapons does.
pub fn cancel_reload(weapon: &mut Weapon) {
    weapon.reload_until = None;
}

/// Puts rounds into the reserve, or things to throw into the belt; how many there was room for.
pub fn refill(weapon: &mut Weapon, spec: &WeaponSpec, rounds: u32) -> u32 {
    let (place, max) = match &spec.kind {
        WeaponKind::Gun(gun) => (&mut weapon.reserve, gun.reserve),
        WeaponKind::Blade(_) => return 0,
        WeaponKind::Thrown(thrown) => (&mut weapon.magazine, thrown.count),
    };
    let taken = max.saturating_sub(*place).min(rounds);
    *place += taken;
    taken
}

/// Spread that rounds have added and time has not yet taken away, rad.
pub fn recoil_at(weapon: &Weapon, spec: &WeaponSpec, tick: Tick, rate: TickRate) -> f32 {
    let WeaponKind::Gun(gun) = &spec.kind else { return 0.0 };
    let gone = gun.recoil_decay_rad_per_s * rate.seconds(tick.since(weapon.fired_at));
    // In this order, so that a loaded NaN becomes a number.
    math::max(0.0, math::min(gun.recoil_rad_max, weapon.recoil_rad) - gone)
}

/// The half-angle of the cone in which shots go, rad, at most π/2. `pace` is the share of full speed at which the shooter
/// moves, 0..=1.
pub fn spread_rad(gun: &GunSpec, recoil_rad: f32, pace: f32) -> f32 {
    let moving = gun.spread_moving_rad * math::max(0.0, math::min(1.0, pace));
    math::max(0.0, math::min(math::FRAC_PI_2, gun.spread_rad + recoil_rad + moving))
}

/// The luck of one shooter's shots in one tick.
pub fn shot_stream(streams: Streams, shooter: AgentId, tick: Tick) -> Stream {
    streams.at(shooter.to_bits(), SCATTER, tick)
}

/// A direction in the cone of half-angle `spread_rad` about `aim` (unit length): uniform over its solid angle, so that
/// equal areas of a sphere around the shooter are hit equally often. A disc that the shooter sees under the half-angle a
/// is hit with probability sin²(a/2) / sin²(spread/2). Always takes two numbers of the stream.
pub fn scatter(aim: Vec3, spread_rad: f32, stream: &mut Stream) -> Vec3 {
    let (height, turn) = (stream.unit(), stream.unit() * math::TAU);
    if !aim.is_finite() || aim == Vec3::ZERO || spread_rad.is_nan() || spread_rad <= 0.0 {
        return aim;
    }
    // 1 − cos as 2 sin² of the half: small angles keep their digits.
    let half = math::sin(math::min(spread_rad, math::PI) * 0.5);
    let drop = height * 2.0 * half * half;
    let away = (drop * (2.0 - drop)).sqrt();
    let (sin, cos) = math::sin_cos(turn);
    let (right, up) = aim.any_orthonormal_pair();
    let direction = aim * (1.0 - drop) + (right * cos + up * sin) * away;
    direction / direction.length()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::armory::{Armory, stock};
    use proptest::prelude::*;
    use sentir::core::state::{Noticed, from_bytes, perturb, to_bytes};

    const RATES: [u16; 3] = [20, 60, 144];

    fn spec(armory: &Armory, name: &str) -> WeaponSpec {
        armory.spec(armory.named(name).unwrap()).unwrap().clone()
    }

    fn gun(change: impl FnOnce(&mut GunSpec)) -> WeaponSpec {
        let mut spec = spec(&stock(), "rifle");
        if let WeaponKind::Gun(gun) = &mut spec.kind {
            change(gun);
        }
        spec.check().unwrap();
        spec
    }

    #[test]
    fn reloads_take_their_time_to_the_tick() {
        for hz in RATES {
            let (spec, rate) = (gun(|gun| gun.reload_s = 2.25), TickRate::new(hz));
            let ticks = (2.25 * f64::from(hz)).round() as u64;
            let mut weapon = Weapon { magazine: 4, reserve: 10, ..Weapon::full(&spec) };
            assert_eq!(reload(&mut weapon, &spec, Tick(7), rate), Reload::Began { until: Tick(7 + ticks) });
            for tick in 7..7 + ticks {
                assert_eq!(reload(&mut weapon, &spec, Tick(tick), rate), Reload::Busy);
                assert_eq!(trigger(&mut weapon, &spec, true, Tick(tick), rate), None, "{hz} Hz, tick {tick}");
                assert_eq!((weapon.magazine, weapon.reserve), (4, 10));
            }
            // At the very tick the reload ends, the first round leaves.
            assert_eq!(trigger(&mut weapon, &spec, true, Tick(7 + ticks), rate).unwrap().rounds, 1);
            assert_eq!((weapon.magazine, weapon.reserve), (13, 0));
            assert_eq!(reload(&mut weapon, &spec, Tick(900), rate), Reload::Empty);
        }
    }

    #[test]
    fn full_weapons_are_not_reloaded_and_broken_off_reloads_cost_no_round() {
        let (spec, rate) = (gun(|_| {}), TickRate::new(60));
        let mut weapon = Weapon::full(&spec);
        assert_eq!(reload(&mut weapon, &spec, Tick(0), rate), Reload::Full);
        weapon.magazine = 29;
        assert!(matches!(reload(&mut weapon, &spec, Tick(0), rate), Reload::Began { .. }));
        cancel_reload(&mut weapon);
        assert_eq!((weapon.magazine, weapon.reserve, weapon.is_reloading()), (29, 120, false));
        assert_eq!(weapon.magazine_share(&spec), 29.0 / 30.0);
    }

    #[test]
    fn magazines_and_reserves_run_dry_to_the_round() {
        for hz in RATES {
            let (spec, rate) = (gun(|gun| (gun.magazine, gun.reserve) = (8, 11)), TickRate::new(hz));
            let (mut weapon, mut fired, mut reloads) = (Weapon::full(&spec), 0, 0);
            for tick in 0..60 * u64::from(hz) {
                fired += trigger(&mut weapon, &spec, true, Tick(tick), rate).map_or(0, |it| it.rounds);
                if weapon.magazine == 0 {
                    reloads += u32::from(matches!(reload(&mut weapon, &spec, Tick(tick), rate), Reload::Began { .. }));
                }
            }
            assert_eq!((fired, reloads, weapon.rounds()), (19, 2, 0));
        }
    }

    #[test]
    fn the_rate_of_fire_is_exact_over_ten_seconds() {
        for hz in RATES {
            for rpm in [1, 60, 70, 123, 600, 700, 750, 1200, 3600, 5999, 6000] {
                let spec = gun(|gun| (gun.rounds_per_minute, gun.magazine) = (rpm, 100_000));
                let (rate, mut weapon) = (TickRate::new(hz), Weapon::full(&spec));
                let ticks = 10 * u64::from(hz);
                let (mut fired, mut ticks_fired) = (0, Vec::new());
                for tick in 0..ticks {
                    if let Some(shot) = trigger(&mut weapon, &spec, true, Tick(tick), rate) {
                        fired += u64::from(shot.rounds);
                        ticks_fired.push(tick);
                    }
                }
                // Round k leaves at the first tick from k · 60 · hz / rpm on.
                let exact = (ticks - 1) * u64::from(rpm) / (60 * u64::from(hz)) + 1;
                assert_eq!(fired, exact, "{rpm} rounds a minute at {hz} Hz");
                if u64::from(rpm) <= 60 * u64::from(hz) {
                    let twin: Vec<_> = (0..exact).map(|k| (k * 60 * u64::from(hz)).div_ceil(u64::from(rpm))).collect();
                    assert_eq!(ticks_fired, twin);
                }
            }
        }
    }

    #[test]
    fn waiting_saves_up_no_rounds() {
        let (spec, rate) = (gun(|gun| gun.rounds_per_minute = 700), TickRate::new(60));
        let mut weapon = Weapon::full(&spec);
        let shots = |weapon: &mut Weapon, from: u64| -> Vec<u64> {
            (from..from + 12).filter(|&tick| trigger(weapon, &spec, true, Tick(tick), rate).is_some()).collect()
        };
        assert_eq!(shots(&mut weapon, 0), [0, 6, 11]);
        trigger(&mut weapon, &spec, false, Tick(500), rate);
        assert_eq!(shots(&mut weapon, 1000), [1000, 1006, 1011]);
    }

    #[test]
    fn a_pistol_fires_once_a_pull_and_claws_need_no_rounds() {
        let (armory, rate) = (stock(), TickRate::new(60));
        let (pistol, claws) = (spec(&armory, "pistol"), spec(&armory, "claws"));
        let mut weapon = Weapon::full(&pistol);
        let fires = |weapon: &mut Weapon, held: bool, tick| trigger(weapon, &pistol, held, Tick(tick), rate).is_some();
        assert!(fires(&mut weapon, true, 0) && !fires(&mut weapon, true, 50));
        assert!(!fires(&mut weapon, false, 51) && fires(&mut weapon, true, 52));
        // Released and pulled again too early: still within the time between rounds.
        assert!(!fires(&mut weapon, false, 53) && !fires(&mut weapon, true, 54));
        let mut weapon = Weapon::full(&claws);
        let strikes = (0..600).filter(|&tick| trigger(&mut weapon, &claws, true, Tick(tick), rate).is_some()).count();
        assert_eq!((strikes, weapon.rounds()), (10, 0));
        assert_eq!(refill(&mut weapon, &claws, 5), 0);
    }

    #[test]
    fn recoil_grows_with_every_round_and_decays_with_time() {
        let spec = gun(|gun| (gun.recoil_rad, gun.recoil_rad_max, gun.recoil_decay_rad_per_s) = (0.02, 0.05, 0.1));
        let (rate, mut weapon) = (TickRate::new(60), Weapon::full(&spec));
        let mut seen = Vec::new();
        for tick in 0..60 {
            seen.extend(trigger(&mut weapon, &spec, true, Tick(tick), rate).map(|fired| fired.recoil_rad));
        }
        assert_eq!(seen[0], 0.0);
        // A round each 0.1 s adds 0.02 and loses 0.01 before the next, up to the limit.
        let wanted = [0.0, 0.01, 0.02, 0.03, 0.04, 0.04];
        assert!(seen.iter().zip(wanted).all(|(seen, wanted)| (seen - wanted).abs() < 1e-6), "{seen:?}");
        let half_s_later = recoil_at(&weapon, &spec, weapon.fired_at + 15, rate);
        assert!((half_s_later - 0.025).abs() < 1e-6);
        assert_eq!(recoil_at(&weapon, &spec, weapon.fired_at + 60, rate), 0.0);
        let WeaponKind::Gun(gun) = &spec.kind else { panic!() };
        assert!(spread_rad(gun, 0.02, 1.0) > spread_rad(gun, 0.02, 0.0) && spread_rad(gun, 0.02, 0.0) > gun.spread_rad);
    }

    #[test]
    fn hits_on_a_disc_follow_the_spread() {
        const SHOTS: u32 = 20_000;
        let streams = Streams { seed: 11 };
        for (spread, radius_m, distance_m) in
            [(0.02f32, 0.25f32, 20.0f32), (0.05, 0.5, 30.0), (0.3, 2.0, 10.0), (1.2, 5.0, 8.0)]
        {
            let aim = Vec3::new(0.6, 0.0, -0.8);
            let mut hits = 0;
            for shot in 0..SHOTS {
                let mut stream = shot_stream(streams, AgentId::from_bits(3 << 32), Tick(shot.into()));
                let direction = scatter(aim, spread, &mut stream);
                assert!((direction.length() - 1.0).abs() < 1e-5);
                assert!(direction.dot(aim) >= math::cos(spread) - 1e-5);
                let at = direction * (distance_m / direction.dot(aim)) - aim * distance_m;
                hits += u32::from(at.length() <= radius_m);
            }
            let seen_rad = math::atan(radius_m / distance_m);
            let share = |angle: f32| f64::from(math::sin(angle * 0.5)) * f64::from(math::sin(angle * 0.5));
            let (wanted, measured) = (share(seen_rad) / share(spread), f64::from(hits) / f64::from(SHOTS));
            let interval = 1.96 * (wanted * (1.0 - wanted) / f64::from(SHOTS)).sqrt();
            assert!((wanted - measured).abs() < interval, "{measured} for {wanted} ± {interval}");
        }
    }

    #[test]
    fn a_cone_of_nothing_is_the_aim_itself() {
        let mut stream = Streams { seed: 1 }.at(0, SCATTER, Tick(0));
        for spread in [0.0, -1.0, f32::NAN] {
            assert_eq!(scatter(Vec3::X, spread, &mut stream), Vec3::X);
        }
        assert_eq!(scatter(Vec3::ZERO, 1.0, &mut stream), Vec3::ZERO);
        assert!(scatter(Vec3::NEG_Y, 9.0, &mut stream).is_finite());
    }

    #[test]
    fn every_field_of_a_weapon_counts() {
        let weapon = Weapon { reload_until: Some(Tick(4)), ..Weapon::full(&gun(|_| {})) };
        for one in perturb(&weapon) {
            assert!(one.outcome == Noticed::Yes || one.is_shape, "{one:?}");
        }
    }

    proptest! {
        /// Ammunition is conserved, whatever one does with the weapon.
        #[test]
        fn no_round_appears_or_vanishes(
            which in 0usize..6, hz in 1u16..300,
            steps in proptest::collection::vec((0u8..5, 0u32..50, 0u64..40), 1..200),
        ) {
            let (armory, rate) = (stock(), TickRate::new(hz));
            let spec = &armory.specs()[which];
            let (mut weapon, mut tick) = (Weapon::full(spec), Tick(0));
            let mut balance = i64::from(weapon.rounds());
            for (action, rounds, wait) in steps {
                tick = tick + wait;
                match action {
                    0 => { reload(&mut weapon, spec, tick, rate); }
                    1 => balance += i64::from(refill(&mut weapon, spec, rounds)),
                    2 => cancel_reload(&mut weapon),
                    held => {
                        let fired = trigger(&mut weapon, spec, held == 3, tick, rate);
                        let needs_rounds = spec.magazine_max() > 0;
                        balance -= fired.filter(|_| needs_rounds).map_or(0, |fired| i64::from(fired.rounds));
                        prop_assert!(fired.is_none_or(|fired| fired.recoil_rad.is_finite() && fired.rounds > 0));
                    }
                }
                prop_assert_eq!(i64::from(weapon.rounds()), balance);
                prop_assert!(weapon.magazine <= spec.magazine_max() && weapon.reserve <= spec.reserve_max());
                prop_assert!(weapon.recoil_rad.is_finite() && recoil_at(&weapon, spec, tick, rate).is_finite());
            }
        }

        /// Any bytes that load are a weapon that can be used.
        #[test]
        fn forged_weapons_do_not_panic(
            which in 0usize..6, tick in any::<u64>(), numbers in any::<[u32; 4]>(), ready in any::<u64>(), until in any::<Option<u64>>(),
        ) {
            let (armory, rate) = (stock(), TickRate::new(60));
            let spec = &armory.specs()[which];
            let forged = Weapon {
                magazine: numbers[0], reserve: numbers[1], ready_at: Tick(ready), ready_early: numbers[2],
                reload_until: until.map(Tick), recoil_rad: f32::from_bits(numbers[3]), fired_at: Tick(ready), was_held: false,
            };
            let mut weapon: Weapon = from_bytes(&to_bytes(&forged)).unwrap();
            reload(&mut weapon, spec, Tick(tick), rate);
            refill(&mut weapon, spec, u32::MAX);
            let fired = trigger(&mut weapon, spec, true, Tick(tick), rate);
            prop_assert!(fired.is_none_or(|fired| fired.recoil_rad >= 0.0 && fired.recoil_rad.is_finite()));
            weapon.reload_until = Some(Tick(0));
            settle(&mut weapon, spec, Tick(tick));
        }
    }
}
