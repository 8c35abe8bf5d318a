//! Contract: the trees of the zombie source have the figures the source gives.

use sentir_think::key::Keys;
use sentir_think::leaf::{Condition, ConditionResult, Host, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::Thought;
use sentir_think::tree::Ratio;
use sentir_think::tree::asset::Library;

const FILE: &[u8] = include_bytes!("../../assets/zombies.yaml");

pub struct Horde;

impl Host for Horde {
    type View<'a> = ();
    type Out = ();
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    #[serde(default, rename = "rest_s")]
    _rest_s: f32,
}

macro_rules! leaves {
    ($leaves:ident: $($kind:ident $type:ident $name:literal,)*) => {$(
        struct $type;
        leaves!(@ $kind $type $name);
        $leaves.$kind::<$type>();
    )*};
    (@ condition $type:ident $name:literal) => {
        impl Condition<Horde> for $type {
            const NAME: &'static str = $name;
            type Params = ();
            fn check((): &(), _: &Thought<'_, Horde>) -> ConditionResult {
                false.into()
            }
        }
    };
    (@ task $type:ident $name:literal) => {
        impl Task<Horde> for $type {
            const NAME: &'static str = $name;
            type Params = Rest;
            type State = ();
            fn tick(_: &Rest, (): &mut (), _: &mut Thought<'_, Horde>) -> Status {
                Status::Running
            }
        }
    };
}

fn leaves() -> Leaves<Horde> {
    let mut leaves = Leaves::default();
    leaves! { leaves:
        condition Dead "dead",
        condition Reach "player_in_reach",
        condition Near "player_near",
        condition Seen "player_seen",
        condition PatrolDue "patrol_due",
        condition MayHowl "may_howl",
        condition AlarmOn "alarm_on",
        condition AlarmOff "alarm_off",
        condition AlarmNear "alarm_near",
        condition SlotFree "slot_free",
        task Die "die",
        task Attack "attack",
        task Chase "chase",
        task Wander "wander",
        task Patrol "patrol",
        task Howl "howl",
        task StartAlarm "start_alarm",
        task SpreadAlarm "spread_alarm",
        task EndAlarm "end_alarm",
        task GoToAlarm "go_to_alarm",
        task GoToSlot "go_to_slot",
    }
    leaves
}

#[test]
fn the_figures_are_those_of_the_source() {
    let library = Library::read(&Keys::default(), [("zombies.yaml", FILE)]).unwrap();
    let leaves = leaves();
    library.check(&leaves).unwrap();
    let ratio = |nodes, branches| Ratio { nodes, branches };
    // Nodes but the root over nodes with children, the same when every sequence fails at once, and depth.
    let expected = [
        ("example", ratio(7, 3), ratio(5, 3), 2),
        ("dummy_v1", ratio(10, 4), ratio(7, 4), 2),
        ("barker_v1", ratio(14, 5), ratio(9, 5), 2),
        ("dummy_v2", ratio(15, 6), ratio(10, 6), 3),
        ("barker_v2", ratio(19, 8), ratio(9, 5), 3),
        ("barker_v3", ratio(18, 7), ratio(12, 6), 4),
        ("dummy_v4", ratio(15, 6), ratio(10, 6), 3),
    ];
    assert_eq!(library.names().count(), expected.len());
    for (name, branching, effective, depth) in expected {
        let found = library.tree(name, &leaves).unwrap().analyze();
        assert_eq!((found.branching, found.effective, found.depth), (branching, effective, depth), "{name}");
        assert_eq!(found.nodes, branching.nodes + 1, "{name}");
    }
    // As the source writes them, cut or rounded to what it gives.
    let value = |name| library.tree(name, &leaves).unwrap().analyze();
    let figures = |name| (value(name).branching.value(), value(name).effective.value());
    let is_near = |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() < 0.05 && (b - d).abs() < 0.01;
    assert!(is_near(figures("dummy_v1"), (2.5, 1.75)) && is_near(figures("barker_v1"), (2.8, 1.8)));
    assert!(is_near(figures("dummy_v2"), (2.5, 1.66)) && is_near(figures("barker_v2"), (2.375, 1.8)));
    assert!(is_near(figures("barker_v3"), (2.6, 2.0)) && is_near(figures("example"), (2.33, 1.66)));
}
