//! Contract of every steering function: finite for finite input, turned with a turned world, mirrored in a mirrored one,
//! and, once combined, within the limit.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use proptest::prelude::*;
use sentir_act::blend::{Around, Behavior, Combiner, Memory, Part, Scheme, Target, behavior};
use sentir_act::core::glam::{UVec2, Vec2};
use sentir_act::core::math;
use sentir_act::steer::{
    AlignConfig, CollisionConfig, Deceleration, DiscConfig, FeelerConfig, FlowField, HideConfig, LeaderConfig, Path,
    PathConfig, PursueConfig, Side, Turning, WallConfig, WanderConfig, face, look_ahead,
};
use sentir_act::{Disc, Mover, Moving, Wall};

/// A world to steer in.
#[derive(Clone, Debug)]
struct Case {
    me: Mover,
    targets: [Moving; 2],
    neighbors: Vec<Moving>,
    walls: Vec<Wall>,
    discs: Vec<Disc>,
    points: Vec<Vec2>,
    noise: f32,
    side: Side,
    angle_rad: f32,
    offset: Vec2,
}

/// A motion of the plane: a turn and a shift, or a reflection at the y axis.
#[derive(Clone, Copy)]
enum Change {
    Turn(f32, Vec2),
    Mirror,
}

impl Change {
    fn way(self, way: Vec2) -> Vec2 {
        match self {
            Change::Turn(angle, _) => Moving { yaw: angle, ..Moving::default() }.turned(way),
            Change::Mirror => Vec2::new(-way.x, way.y),
        }
    }

    fn place(self, place: Vec2) -> Vec2 {
        match self {
            Change::Turn(_, shift) => self.way(place) + shift,
            Change::Mirror => self.way(place),
        }
    }

    fn moving(self, it: Moving) -> Moving {
        let yaw = match self {
            Change::Turn(angle, _) => math::wrap_angle(it.yaw + angle),
            Change::Mirror => -it.yaw,
        };
        Moving { position: self.place(it.position), velocity: self.way(it.velocity), yaw, ..it }
    }

    fn wall(self, wall: Wall) -> Wall {
        let (from, to) = (self.place(wall.from), self.place(wall.to));
        match self {
            Change::Turn(..) => Wall { from, to },
            // The open side stays where it is.
            Change::Mirror => Wall { from: to, to: from },
        }
    }

    fn case(self, case: &Case) -> Case {
        let is_mirror = matches!(self, Change::Mirror);
        let sign = if is_mirror { -1.0 } else { 1.0 };
        let other = if case.side == Side::Left { Side::Right } else { Side::Left };
        Case {
            me: Mover { at: self.moving(case.me.at), ..case.me },
            targets: case.targets.map(|it| self.moving(it)),
            neighbors: case.neighbors.iter().map(|&it| self.moving(it)).collect(),
            walls: case.walls.iter().map(|&wall| self.wall(wall)).collect(),
            discs: case.discs.iter().map(|disc| Disc { center: self.place(disc.center), ..*disc }).collect(),
            points: case.points.iter().map(|&point| self.place(point)).collect(),
            noise: case.noise * sign,
            side: if is_mirror { other } else { case.side },
            angle_rad: case.angle_rad * sign,
            offset: Vec2::new(case.offset.x * sign, case.offset.y),
        }
    }
}

/// Every behavior, about the first target; places are the first point of the path.
fn behaviors(case: &Case) -> Vec<Behavior> {
    let (one, other) = (Target::Whom(0), Target::Whom(1));
    let mut all = vec![
        Behavior::Seek(Target::Place(case.points[0])),
        Behavior::Flee(one, 50.0),
        Behavior::Leave(one, 30.0),
        Behavior::MatchVelocity(one),
        Behavior::Pursue(one, PursueConfig { turn_s: 0.5, ..PursueConfig::default() }),
        Behavior::Evade(one, 50.0),
        Behavior::OffsetPursue(one, case.offset),
        Behavior::Wander(WanderConfig::default()),
        Behavior::AvoidDiscs(DiscConfig::default()),
        Behavior::AvoidWalls(FeelerConfig::default()),
        Behavior::AvoidCollisions(CollisionConfig::default()),
        Behavior::Contain(1.0),
        Behavior::FollowWall(WallConfig { side: case.side, reach_m: 50.0, ..WallConfig::default() }),
        Behavior::Hide(one, HideConfig::default()),
        Behavior::FollowPath(PathConfig::default()),
        Behavior::FollowPath(PathConfig { predict_s: 0.5, ..PathConfig::default() }),
        Behavior::Separation(9.0),
        Behavior::Cohesion,
        Behavior::Alignment,
        Behavior::FollowLeader(one, LeaderConfig::default()),
        Behavior::Queue(5.0),
    ];
    for deceleration in [Deceleration::Slow, Deceleration::Normal, Deceleration::Fast] {
        all.push(Behavior::Arrive(one, deceleration));
        all.push(Behavior::OffsetArrive(one, case.offset, deceleration));
        all.push(Behavior::Interpose(one, other, deceleration));
    }
    all
}

fn wish(case: &Case, behavior: &Behavior) -> Option<Vec2> {
    let path = Path::new(&case.points, false);
    let mut memory = Memory::default();
    memory.wander.angle_rad = case.angle_rad;
    behavior.wish(&case.me, &around(case, Some(&path)), &mut memory)
}

fn around<'a>(case: &'a Case, path: Option<&'a Path>) -> Around<'a> {
    Around {
        targets: &case.targets,
        neighbors: &case.neighbors,
        walls: &case.walls,
        discs: &case.discs,
        field: &case.walls,
        path,
        flow: None,
        noise: case.noise,
        tick_s: 1.0 / 60.0,
    }
}

fn vector(reach: f32) -> impl Strategy<Value = Vec2> {
    (-reach..reach, -reach..reach).prop_map(|(x, y)| Vec2::new(x, y))
}

fn moving(reach: f32) -> impl Strategy<Value = Moving> {
    (vector(reach), vector(reach * 0.2), -3.1f32..3.1, 0.1f32..0.6)
        .prop_map(|(position, velocity, yaw, radius_m)| Moving { position, velocity, yaw, radius_m })
}

fn case(reach: f32) -> impl Strategy<Value = Case> {
    let some = |count| proptest::collection::vec(moving(reach), 0..count);
    let walls = proptest::collection::vec((vector(reach), vector(reach)), 1..5);
    let discs = proptest::collection::vec((vector(reach), 0.1f32..1.5), 0..4);
    let numbers = (-1.7f32..1.7, any::<bool>(), -3.0f32..3.0, vector(reach * 0.3));
    let me = (moving(reach), 0.5f32..6.0, 1.0f32..30.0, 0.1f32..1.0);
    (me, moving(reach), moving(reach), some(6), walls, discs, proptest::collection::vec(vector(reach), 1..5), numbers)
        .prop_map(
            |(
                (at, speed, strength, response_s),
                one,
                other,
                neighbors,
                walls,
                discs,
                points,
                (noise, is_left, angle_rad, offset),
            )| {
                Case {
                    me: Mover { at, speed_m_per_s_max: speed, acceleration_m_per_s2_max: strength, response_s },
                    targets: [one, other],
                    neighbors,
                    walls: walls.into_iter().map(|(from, to)| Wall { from, to }).collect(),
                    discs: discs.into_iter().map(|(center, radius_m)| Disc { center, radius_m }).collect(),
                    points,
                    noise,
                    side: if is_left { Side::Left } else { Side::Right },
                    angle_rad,
                    offset,
                }
            },
        )
}

/// Whether two wishes agree, by single precision. Where a choice hangs by a hair (which wall is nearest, inside a radius
/// or not), rounding may tip it; such cases are told by asking again from a hair beside.
fn assert_agree(case: &Case, change: Change, behavior: &Behavior) -> Result<(), TestCaseError> {
    let (Some(here), Some(there)) = (wish(case, behavior), wish(&change.case(case), &changed(behavior, change, case)))
    else {
        return Ok(());
    };
    let expected = change.way(here);
    if (expected - there).length() <= 1e-3 * (1.0 + expected.length()) {
        return Ok(());
    }
    let is_hair = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].iter().enumerate().any(|(number, &way)| {
        let mut beside = case.clone();
        beside.me.at.position += way * 1e-3;
        beside.me.at.velocity += way * 1e-2;
        beside.me.at.yaw += if number % 2 == 0 { 5e-3 } else { -5e-3 };
        let moved = wish(&beside, behavior).unwrap_or(here);
        (moved - here).length() > 0.1 * math::min(1.0 + here.length(), 10.0)
    });
    prop_assert!(is_hair, "{:?}: {} instead of {}", behavior, there, expected);
    Ok(())
}

/// The same behavior in the changed world.
fn changed(behavior: &Behavior, change: Change, case: &Case) -> Behavior {
    let list = behaviors(case);
    let number = list.iter().position(|one| one == behavior).unwrap();
    behaviors(&change.case(case))[number]
}

proptest! {
    #[test]
    fn every_function_turns_with_the_world(case in case(8.0), angle in -3.0f32..3.0, shift in vector(20.0)) {
        for behavior in behaviors(&case) {
            assert_agree(&case, Change::Turn(angle, shift), &behavior)?;
        }
    }

    #[test]
    fn every_function_is_mirrored_with_the_world(case in case(8.0)) {
        for behavior in behaviors(&case) {
            assert_agree(&case, Change::Mirror, &behavior)?;
        }
    }

    #[test]
    fn no_function_gives_nan_for_finite_input(
        case in case(8.0), odd in proptest::collection::vec(any::<f32>(), 24), power in 0usize..24,
    ) {
        // Any bits at all in one of the numbers, and wild ones in the others.
        let wild: Vec<f32> = odd.iter().map(|&value| if value.is_finite() { value } else { 0.0 }).collect();
        let mut case = case;
        let spots: [&mut f32; 12] = [
            &mut case.me.at.position.x, &mut case.me.at.velocity.y, &mut case.me.at.yaw, &mut case.me.at.radius_m,
            &mut case.me.speed_m_per_s_max, &mut case.me.acceleration_m_per_s2_max, &mut case.me.response_s,
            &mut case.targets[0].position.y, &mut case.targets[0].velocity.x, &mut case.targets[1].position.x,
            &mut case.targets[1].yaw, &mut case.offset.x,
        ];
        for (number, spot) in spots.into_iter().enumerate() {
            if number == power || power >= 12 {
                *spot = wild[number];
            }
        }
        if power % 2 == 0 {
            case.walls[0].from.x = wild[12];
            case.points[0].y = wild[13];
            if let Some(disc) = case.discs.first_mut() {
                (disc.center.x, disc.radius_m) = (wild[14], wild[15]);
            }
            if let Some(other) = case.neighbors.first_mut() {
                (other.position.x, other.velocity.y) = (wild[16], wild[17]);
            }
        }
        for behavior in behaviors(&case) {
            let wish = wish(&case, &behavior).unwrap_or_default();
            prop_assert!(!wish.is_nan(), "{:?}: {}", behavior, wish);
        }
        let flow = FlowField::new(case.points[0], wild[18], UVec2::new(3, 2), |place| place);
        prop_assert!(!sentir_act::steer::follow_flow(&case.me, &flow, wild[19]).is_nan());
        let turning = Turning {
            yaw: wild[20], turn_rad_per_s: wild[21], turn_rad_per_s_max: wild[22].abs(), turn_rad_per_s2_max: wild[23].abs(),
        };
        prop_assert!(!face(&turning, case.me.at.position, case.points[0], &AlignConfig::default()).is_nan());
        prop_assert!(!look_ahead(&turning, case.me.at.velocity, &AlignConfig::default()).is_nan());
    }

    #[test]
    fn together_they_never_pass_the_limit(case in case(8.0), weights in proptest::collection::vec(0.0f32..9.0, 32)) {
        let parts: Vec<Part> =
            behaviors(&case).into_iter().zip(weights).map(|(behavior, weight)| Part { behavior, weight }).collect();
        let path = Path::new(&case.points, true);
        for combiner in [
            Combiner::Truncated, Combiner::Weighted, Combiner::Prioritized, Combiner::Arbiter(Scheme::SHARK),
            Combiner::Arbiter(Scheme::LEADER.skipping()), Combiner::Context,
        ] {
            let mut memory = Memory::default();
            for _ in 0..4 {
                let sum = behavior::steer(&parts, combiner, &case.me, &around(&case, Some(&path)), &mut memory);
                prop_assert!(sum.is_finite() && sum.length() <= case.me.acceleration_m_per_s2_max * 1.000_01, "{combiner:?} {sum}");
            }
        }
    }
}
