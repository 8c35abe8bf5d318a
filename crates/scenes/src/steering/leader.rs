//! `leader`: a group behind a leader, out of its way.

use sentir::core::draw::Layer;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::Mover;
use sentir_act::blend::{Behavior, Combiner, Repertoire, Scheme, Target};
use sentir_act::steer::{Deceleration, LeaderConfig};

use super::stage::{add, keep_min};
use super::steering_basic::{BLUE, GREEN, green, stroll};
use super::{Look, Role, Steerer, SteeringScene, begin, field_of};
use sentir_harness::game_match::Match;
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "leader",
    title: "A group behind a leader",
    about: "A leader walks about a green; nine follow behind it, keep apart from each other and out of its way. By turns \
            of groups as the books have it, or with a lane ahead of the leader that is kept clear.",
    controls: Some(super::walked_as("the leader")),
    kinds: &[KindLook::new(0, "leader", Model::Player), KindLook::new(1, "follower", Model::Person)],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::FORCES],
    settings: &[Setting {
        name: "way",
        about: "how they follow",
        kind: SettingKind::Choice(&["turns", "skipping", "all", "lane"]),
        stock: "turns",
    }],
    assets: &[("green.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/steering/green.yaml")))],
    rate: super::stage::RATE,
    ticks_max: 60 * 60,
    trials: &[&["way=lane"], &["way=turns"]],
    build,
};

const STEERING: SteeringScene = SteeringScene {
    ground: Ground::Grass,
    figures: &["from_leader_m", "least_gap_m", "in_lane_s", "body_bumps", "rest_speed_m_per_s"],
    look,
    is_over: |_| None,
    player: Some(stroll),
    seconds: 45.0,
};

/// The followers' places behind the leader: three rows of three.
fn place(number: usize) -> Vec2 {
    Vec2::new((number % 3) as f32 - 1.0, -1.4 - (number / 3) as f32)
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "green.yaml")?;
    let mut roles = vec![Role {
        name: "leader",
        color: GREEN,
        at: Vec2::new(-2.0, -2.0),
        mover: Mover { speed_m_per_s_max: 1.4, ..Mover::default() },
        ..Role::default()
    }];
    let has_lane = setup.settings.word("way") == "lane";
    let scheme = match setup.settings.word("way") {
        "skipping" => Scheme::LEADER.skipping(),
        "all" => Scheme::ALL,
        _ => Scheme::LEADER,
    };
    for number in 0..9 {
        let leader = Target::Whom(0);
        let set = if has_lane {
            Repertoire::new(
                "follow",
                &[
                    Behavior::Contain(0.5),
                    Behavior::Queue(0.5),
                    Behavior::Separation(0.9),
                    Behavior::FollowLeader(leader, LeaderConfig::default()),
                ],
            )
            .weighed(&[1.0, 1.5, 0.3, 1.0])
        } else {
            Repertoire::new(
                "follow",
                &[
                    Behavior::Separation(0.9),
                    Behavior::Leave(leader, 1.2),
                    Behavior::OffsetArrive(leader, place(number), Deceleration::Normal),
                ],
            )
            .combined(Combiner::Arbiter(scheme))
        };
        roles.push(Role {
            color: BLUE,
            at: Vec2::new(-6.0 - (number / 3) as f32, (number % 3) as f32 - 4.0),
            mover: Mover { speed_m_per_s_max: 2.0, ..Mover::default() },
            sets: vec![set],
            targets: vec![0],
            near_m: 2.0,
            ..Role::default()
        });
    }
    begin(setup, STEERING, level, Steerer { roles, field: field_of(&green(0.4)), ..Steerer::default() })
}

fn look(look: &Look<'_>, figures: &mut [f32]) {
    let Some((leader, group)) = look.bodies.split_first() else { return };
    let [from_m, gap_m, in_lane_s, bumps, rest] = figures else { return };
    add(bumps, look.bumps[1] as f32);
    let count = group.len() as f32;
    let mean = |value: fn(&sentir_act::Moving, &sentir_act::Moving) -> f32| {
        group.iter().map(|one| value(leader, one)).sum::<f32>() / count
    };
    look.mean(from_m, mean(|leader, one| one.position.distance(leader.position)), 8.0);
    for (number, one) in group.iter().enumerate() {
        for other in &group[number + 1..] {
            keep_min(gap_m, one.position.distance(other.position) - one.radius_m - other.radius_m);
        }
        let local = leader.to_local(one.position);
        let is_in_lane = leader.velocity.length() > 0.5 && local.y > 0.0 && local.y < 1.5 && local.x.abs() < 0.5;
        add(in_lane_s, if is_in_lane { super::stage::RATE.tick_s() } else { 0.0 });
    }
    // The last half second of the leader's rests: has the group come to rest, too?
    let leg = look.time_s / 6.0;
    if leg - leg.floor() > 0.97 && look.time_s > 8.0 {
        let speed = mean(|_, one| one.velocity.length());
        *rest = if rest.is_nan() { speed } else { math::max(*rest, speed) };
    }
}

#[cfg(test)]
mod tests {
    use crate::steering::tests::figures;

    #[test]
    fn the_group_stays_together_behind_the_leader_and_rests_with_it() {
        for way in ["turns", "lane"] {
            let figure = figures("leader", 2, &[("way", way)]);
            assert!(figure("from_leader_m") < 4.0, "{way}: {}", figure("from_leader_m"));
            assert!(figure("in_lane_s") < 1.0, "{way}: {}", figure("in_lane_s"));
            assert!(figure("rest_speed_m_per_s") < 0.25, "{way}: {}", figure("rest_speed_m_per_s"));
        }
    }
}
