//! Toward a place, away from one, and the same for somebody who moves.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use crate::mover::{Mover, Moving, sound};

/// Straight at a place, as fast as can be; on the place, it lets go.
pub fn seek(me: &Mover, target: Vec2) -> Vec2 {
    me.toward(plane::direction(target - me.at.position) * me.speed_m_per_s_max)
}

/// Straight away from a place, within the panic distance; nothing beyond. On the very place, the way it faces.
pub fn flee(me: &Mover, threat: Vec2, panic_m: f32) -> Vec2 {
    let away = me.at.position - threat;
    if away.length() > panic_m {
        return Vec2::ZERO;
    }
    let direction = plane::direction(away);
    let direction = if direction == Vec2::ZERO { me.at.heading() } else { direction };
    me.toward(direction * me.speed_m_per_s_max)
}

/// How gently one comes to a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Deceleration {
    /// Over the longest way.
    Slow,
    /// In between.
    #[default]
    Normal,
    /// At the last moment.
    Fast,
}

impl Deceleration {
    /// The time in which what is left of the way would be gone at the present speed, s.
    pub fn time_s(self) -> f32 {
        0.3 * match self {
            Deceleration::Slow => 3.0,
            Deceleration::Normal => 2.0,
            Deceleration::Fast => 1.0,
        }
    }

    /// The time in which a wrong velocity is put right on the way to a stop, s.
    pub fn response_s(self) -> f32 {
        self.time_s() * RESPONSE_PART
    }
}

/// Part of [`Deceleration::time_s`] in which the velocity is put right. At a fourth the approach is just not damped too
/// little (the roots of τ s² + s + 1/T meet), so a fifth leaves room for the steps of slow rates.
const RESPONSE_PART: f32 = 0.2;
/// Share of the strongest acceleration that braking counts on: the rest is for putting errors right.
const BRAKE_SHARE: f32 = 0.8;

/// To a place, and to a stop on it, without going past: the speed is what is left of the way over the deceleration's time,
/// and never more than the body can still brake off.
pub fn arrive(me: &Mover, target: Vec2, deceleration: Deceleration) -> Vec2 {
    let wanted = arrive_velocity(me, target, deceleration);
    sound((wanted - me.at.velocity) / deceleration.response_s())
}

/// The velocity that [`arrive`] wants.
pub fn arrive_velocity(me: &Mover, target: Vec2, deceleration: Deceleration) -> Vec2 {
    let way = target - me.at.position;
    let distance = way.length();
    let brake = math::max(0.0, me.acceleration_m_per_s2_max) * BRAKE_SHARE;
    // A body that brakes as hard as it can from speed v needs v²/2b, and the time it takes to begin with it.
    let lag = deceleration.response_s() * brake;
    let braked = (lag * lag + 2.0 * brake * distance).sqrt() - lag;
    let speed = math::min(math::min(distance / deceleration.time_s(), me.speed_m_per_s_max), braked);
    plane::direction(way) * speed
}

/// The opposite of [`arrive`]: away from a place, at full speed close by, fading to nothing at `radius_m`.
pub fn leave(me: &Mover, from: Vec2, radius_m: f32) -> Vec2 {
    let away = me.at.position - from;
    let distance = away.length();
    if distance >= radius_m || radius_m.is_nan() {
        return Vec2::ZERO;
    }
    let direction = plane::direction(away);
    let direction = if direction == Vec2::ZERO { me.at.heading() } else { direction };
    let share = 1.0 - distance / radius_m;
    // Fades as a whole: the braking part, too, or there would be a jolt at the rim.
    sound(me.toward(direction * me.speed_m_per_s_max) * share)
}

/// The velocity of somebody else.
pub fn match_velocity(me: &Mover, velocity: Vec2) -> Vec2 {
    me.toward(velocity)
}

/// How a prey's way is foreseen.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct PursueConfig {
    /// How far from exactly face to face still counts as that, rad. Limit: 0..=π.
    pub face_to_face_rad: f32,
    /// Seconds added for a full turn-around; 0 where turning costs nothing. Limit: ≥ 0.
    pub turn_s: f32,
}

impl Default for PursueConfig {
    fn default() -> Self {
        PursueConfig { face_to_face_rad: 0.35, turn_s: 0.0 }
    }
}

/// Where somebody will be when one gets there: it is looked ahead by distance / (own fastest + its speed).
pub fn foreseen(me: &Mover, other: &Moving, turn_s: f32) -> Vec2 {
    let way = other.position - me.at.position;
    let closing = me.speed_m_per_s_max + other.velocity.length();
    let ahead_s = if closing > 0.0 { way.length() / closing } else { 0.0 };
    // Nothing when it lies dead ahead, all of it right behind.
    let turn_share = (1.0 - me.at.heading().dot(plane::direction(way))) * 0.5;
    let place = other.position + other.velocity * (ahead_s + turn_share * turn_s);
    // Past all numbers there is nothing to foresee.
    if place.is_finite() { place } else { other.position }
}

/// To where the prey will be; straight at it when it comes head on.
pub fn pursue(me: &Mover, prey: &Moving, config: &PursueConfig) -> Vec2 {
    let (ahead, way) = (me.at.heading(), prey.position - me.at.position);
    let is_before = way.dot(ahead) > 0.0;
    let is_facing = ahead.dot(prey.heading()) < -math::cos(config.face_to_face_rad);
    let place = if is_before && is_facing { prey.position } else { foreseen(me, prey, config.turn_s) };
    seek(me, place)
}

/// Away from where the hunter will be, within the panic distance of that place.
pub fn evade(me: &Mover, hunter: &Moving, panic_m: f32) -> Vec2 {
    flee(me, foreseen(me, hunter, 0.0), panic_m)
}

/// To a place in a leader's frame (x to its right, y ahead), foreseen, at full speed.
pub fn offset_pursue(me: &Mover, leader: &Moving, offset: Vec2) -> Vec2 {
    let place = Moving { position: leader.to_world(offset), ..*leader };
    seek(me, foreseen(me, &place, 0.0))
}

/// To a place in a leader's frame, and along with it: at rest on the place relative to the leader.
pub fn offset_arrive(me: &Mover, leader: &Moving, offset: Vec2, deceleration: Deceleration) -> Vec2 {
    let place = leader.to_world(offset);
    // In the leader's eyes it is an arrival at a place that stands still.
    let seen = Mover { at: Moving { velocity: me.at.velocity - leader.velocity, ..me.at }, ..*me };
    arrive(&seen, place, deceleration)
}

/// Between two others, where the middle will be when one gets there.
pub fn interpose(me: &Mover, one: &Moving, other: &Moving, deceleration: Deceleration) -> Vec2 {
    let middle = (one.position + other.position) * 0.5;
    let speed = me.speed_m_per_s_max;
    let time_s = if speed > 0.0 { middle.distance(me.at.position) / speed } else { 0.0 };
    let ahead = middle + (one.velocity + other.velocity) * (0.5 * time_s);
    arrive(me, if ahead.is_finite() { ahead } else { middle }, deceleration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mover(x: f32, y: f32, vx: f32, vy: f32) -> Mover {
        let at = Moving { position: Vec2::new(x, y), velocity: Vec2::new(vx, vy), ..Mover::default().at };
        Mover { at, ..Mover::default() }
    }

    #[test]
    fn seek_asks_for_full_speed_at_the_target_minus_the_velocity() {
        let me = Mover { response_s: 1.0, ..mover(1.0, 0.0, 0.5, 0.25) };
        assert_eq!(seek(&me, Vec2::new(1.0, 9.0)), Vec2::new(-0.5, 1.75));
        // On the target there is no way to go.
        assert_eq!(seek(&me, me.at.position), -me.at.velocity);
        assert_eq!(seek(&Mover { speed_m_per_s_max: 0.0, ..me }, Vec2::X * 9.0), -me.at.velocity);
    }

    #[test]
    fn flight_begins_at_the_panic_distance_compared_as_a_length() {
        let me = Mover { response_s: 1.0, ..mover(0.0, 0.0, 0.0, 0.0) };
        assert_eq!(flee(&me, Vec2::X * 100.5, 100.0), Vec2::ZERO);
        assert_eq!(flee(&me, Vec2::X * 99.5, 100.0), Vec2::new(-2.0, 0.0));
        assert_eq!(flee(&me, Vec2::ZERO, 1.0), Vec2::Y * 2.0);
    }

    /// Point masses at three rates and three decelerations, from many sides, speeds and strengths.
    #[test]
    fn arrival_stops_within_a_centimeter_and_never_goes_past() {
        for rate in [20.0f32, 60.0, 144.0] {
            for deceleration in [Deceleration::Slow, Deceleration::Normal, Deceleration::Fast] {
                for (speed, brake) in [(2.0, 10.0), (6.0, 10.0), (4.0, 3.0), (1.0, 40.0), (8.0, 5.0)] {
                    for (start, aside) in
                        [(0.05f32, 0.0), (0.7, 0.0), (3.0, 0.0), (20.0, 0.0), (3.0, 0.8), (20.0, -0.9)]
                    {
                        let mut me = mover(start, 0.0, 0.0, aside * speed);
                        (me.speed_m_per_s_max, me.acceleration_m_per_s2_max) = (speed, brake);
                        let mut past: f32 = 0.0;
                        for _ in 0..(40.0 * rate) as u32 {
                            let acceleration = arrive(&me, Vec2::ZERO, deceleration);
                            me.at.velocity = me.velocity_after(acceleration, 1.0 / rate);
                            me.at.position += me.at.velocity / rate;
                            past = math::max(past, -me.at.position.x);
                        }
                        let what = format!(
                            "{rate} Hz, {deceleration:?}, {speed} m/s, {brake} m/s², from {start} m, aside {aside}"
                        );
                        assert!(past <= 1e-4, "{past} m past: {what}");
                        assert!(me.at.position.length() < 0.01, "{} m short: {what}", me.at.position.x);
                        assert!(me.at.velocity.length() < 0.01, "still at {}: {what}", me.at.velocity);
                    }
                }
            }
        }
    }

    #[test]
    fn on_the_point_arrival_takes_the_velocity_away() {
        let me = mover(0.0, 0.0, 1.0, -2.0);
        let acceleration = arrive(&me, Vec2::ZERO, Deceleration::Fast);
        assert!(acceleration.dot(me.at.velocity) < 0.0 && acceleration.perp_dot(me.at.velocity).abs() < 1e-4);
        assert_eq!(arrive(&mover(0.0, 0.0, 0.0, 0.0), Vec2::ZERO, Deceleration::Slow), Vec2::ZERO);
    }

    #[test]
    fn leaving_is_strongest_close_by_and_fades_to_nothing() {
        let at = |x: f32| leave(&mover(x, 0.0, 0.0, 0.0), Vec2::ZERO, 4.0).x;
        assert!(at(0.5) > at(1.0) && at(1.0) > at(3.0) && at(3.9) > 0.0 && at(3.999) < 0.01);
        assert_eq!((at(4.0), at(9.0)), (0.0, 0.0));
        assert_eq!(leave(&mover(0.0, 0.0, 0.0, 0.0), Vec2::ZERO, f32::NAN), Vec2::ZERO);
    }

    #[test]
    fn pursuit_leads_a_crossing_prey_and_goes_straight_at_one_that_comes() {
        let me = mover(0.0, 0.0, 0.0, 0.0);
        let crossing = Moving { velocity: Vec2::X, yaw: -math::FRAC_PI_2, ..Moving::at(Vec2::Y * 6.0) };
        // 6 m at 2 + 1 m/s: two seconds ahead.
        assert_eq!(foreseen(&me, &crossing, 0.0), Vec2::new(2.0, 6.0));
        assert_eq!(pursue(&me, &crossing, &PursueConfig::default()), seek(&me, Vec2::new(2.0, 6.0)));
        let coming = Moving { velocity: Vec2::new(0.3, -1.0), yaw: math::PI, ..Moving::at(Vec2::Y * 6.0) };
        assert_eq!(pursue(&me, &coming, &PursueConfig::default()), seek(&me, coming.position));
        // From behind it is foreseen all the same.
        let behind = Moving { position: Vec2::Y * -6.0, ..coming };
        assert_ne!(pursue(&me, &behind, &PursueConfig::default()), seek(&me, behind.position));
        let slow = PursueConfig { turn_s: 2.0, ..PursueConfig::default() };
        let later = Moving { position: Vec2::Y * -6.0, ..crossing };
        assert!(foreseen(&me, &later, slow.turn_s).x > foreseen(&me, &later, 0.0).x + 1.9);
    }

    #[test]
    fn evasion_obeys_its_panic_distance() {
        let me = mover(0.0, 0.0, 0.0, 0.0);
        let hunter = Moving { velocity: Vec2::NEG_Y, yaw: math::PI, ..Moving::at(Vec2::Y * 6.0) };
        // Foreseen at 4 m.
        assert_eq!(evade(&me, &hunter, 3.9), Vec2::ZERO);
        assert!(evade(&me, &hunter, 4.1).y < 0.0);
    }

    #[test]
    fn offsets_are_held_in_the_leader_s_frame() {
        let leader = Moving { velocity: Vec2::new(-1.0, 0.0), yaw: math::FRAC_PI_2, ..Moving::at(Vec2::new(5.0, 5.0)) };
        // Two behind and one to the right of a leader that goes west: east and north of it.
        let place = Vec2::new(7.0, 6.0);
        let mut me = mover(place.x, place.y, -1.0, 0.0);
        assert!(offset_arrive(&me, &leader, Vec2::new(1.0, -2.0), Deceleration::Fast).length() < 1e-4);
        me.at.velocity = Vec2::ZERO;
        assert!(offset_arrive(&me, &leader, Vec2::new(1.0, -2.0), Deceleration::Fast).x < -1.0);
        let far = mover(20.0, 6.0, 0.0, 0.0);
        assert!(offset_pursue(&far, &leader, Vec2::new(1.0, -2.0)).x < -1.0);
    }

    #[test]
    fn one_stands_between_two_who_move() {
        let (mut one, mut other) = (Moving::at(Vec2::new(-4.0, 3.0)), Moving::at(Vec2::new(6.0, 3.0)));
        (one.velocity, other.velocity) = (Vec2::Y * 0.5, Vec2::Y * 0.5);
        let mut me = mover(1.0, -5.0, 0.0, 0.0);
        for _ in 0..1200 {
            let acceleration = interpose(&me, &one, &other, Deceleration::Fast);
            me.at.velocity = me.velocity_after(acceleration, 1.0 / 60.0);
            for moving in [&mut me.at, &mut one, &mut other] {
                moving.position += moving.velocity / 60.0;
            }
        }
        let middle = (one.position + other.position) * 0.5;
        assert!(me.at.position.distance(middle) < 0.3, "{} from {middle}", me.at.position);
    }
}
