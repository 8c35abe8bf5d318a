//! `steering-basic`: the basic behaviors, each by one walker, about a player.

use sentir::core::draw::{Color, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Repertoire, Target};
use sentir_act::steer::{Deceleration, FeelerConfig};

use super::stage::keep_min;
use super::{Look, Role, Steerer, SteeringScene, Turns, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "steering-basic",
    title: "The basic steering behaviors, about a player",
    about: "A player walks about a green. Around it: one who seeks, one who arrives, one who flees, one who leaves, one who \
            aligns, one who looks the other way, one who matches its velocity.",
    controls: Some(super::walked_as("the player")),
    kinds: &[KindLook::new(0, "player", Model::Player), KindLook::new(1, "walker", Model::Person)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&[]],
    build,
};

/// Colors of roles in all steering scenes.
pub(super) const GREEN: Color = Color::rgb(0x3d8b4f);
pub(super) const BLUE: Color = Color::rgb(0x2f6fb0);
pub(super) const RED: Color = Color::rgb(0xb8433f);
pub(super) const ORANGE: Color = Color::rgb(0xd9822b);
pub(super) const VIOLET: Color = Color::rgb(0x6b5fa8);
pub(super) const GRAY: Color = Color::rgb(0x6c7278);

/// Corners of the green, less a margin.
pub(super) fn green(margin_m: f32) -> [Vec2; 4] {
    let (x, y) = (15.0 - margin_m, 10.0 - margin_m);
    [Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)]
}

/// Round a rounded square, with a rest now and then.
pub(super) fn stroll(time_s: f32) -> Vec2 {
    let leg = time_s / 6.0;
    let part = leg - leg.floor();
    if part > 0.67 {
        return Vec2::ZERO;
    }
    plane::heading(-math::FRAC_PI_2 + math::FRAC_PI_2 * leg.floor())
}

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["seek_m", "arrive_m", "flee_least_m", "leave_least_m", "align_rad", "anti_align_rad", "match_m_per_s"],
    look,
    is_over: |_| None,
    player: Some(stroll),
    seconds: 40.0,
};

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let me = Target::Whom(0);
    let walls = Behavior::AvoidWalls(FeelerConfig::default());
    let role = |name, color, x, y, behaviors: &[Behavior]| Role {
        name,
        color,
        at: Vec2::new(x, y),
        sets: vec![Repertoire::new(name, behaviors)],
        targets: vec![0],
        ..Role::default()
    };
    let slow = Mover { speed_m_per_s_max: 1.4, ..Mover::default() };
    let fleeing = [walls, Behavior::Contain(0.6), Behavior::Flee(me, 5.0)];
    let leaving = [walls, Behavior::Contain(0.6), Behavior::Leave(me, 5.0)];
    let roles = vec![
        Role { name: "player", color: GREEN, at: Vec2::new(-2.0, -2.0), mover: slow, ..Role::default() },
        role("seek", BLUE, -10.0, -6.0, &[Behavior::Seek(me)]),
        role("arrive", BLUE, 10.0, -6.0, &[Behavior::Arrive(me, Deceleration::Normal)]),
        role("flee", RED, 1.0, 5.0, &fleeing),
        role("leave", ORANGE, -5.0, 5.0, &leaving),
        Role { turns: Turns::Align, ..role("align", VIOLET, 11.0, 7.0, &[]) },
        Role { turns: Turns::AntiAlign, ..role("anti-align", VIOLET, 13.0, 7.0, &[]) },
        role("match velocity", GRAY, -8.0, 0.0, &[Behavior::Contain(0.3), Behavior::MatchVelocity(me)]),
    ];
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(1.0)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let [player, seek, arrive, flee, leave, align, anti, matching] = look.bodies else { return };
    let [seek_m, arrive_m, flee_m, leave_m, align_rad, anti_rad, match_m_per_s] = figures else { return };
    let distance = |other: &sentir_act::Moving| other.position.distance(player.position);
    look.mean(seek_m, distance(seek), 10.0);
    look.mean(arrive_m, distance(arrive), 10.0);
    keep_min(flee_m, distance(flee));
    keep_min(leave_m, distance(leave));
    look.mean(align_rad, math::angle_between(align.yaw, player.yaw).abs(), 2.0);
    let opposite = math::wrap_angle(player.yaw + math::PI);
    look.mean(anti_rad, math::angle_between(anti.yaw, opposite).abs(), 2.0);
    look.mean(match_m_per_s, matching.velocity.distance(player.velocity), 2.0);
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn everybody_does_what_its_name_says() {
        let figure = figures("steering-basic", 1, &[]);
        assert!(figure("seek_m") < 1.2, "{}", figure("seek_m"));
        assert!(figure("arrive_m") < 1.2, "{}", figure("arrive_m"));
        // Who stood still would be passed at 1.4 and 3.3 m.
        assert!(figure("flee_least_m") > 4.0, "{}", figure("flee_least_m"));
        assert!(figure("leave_least_m") > 3.4, "{}", figure("leave_least_m"));
        assert!(figure("align_rad") < 0.25 && figure("anti_align_rad") < 0.25);
        assert!(figure("match_m_per_s") < 0.35, "{}", figure("match_m_per_s"));
    }
}
