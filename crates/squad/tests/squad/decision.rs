//! Contract: what a soldier decides is what its file says. One case a decision: as the file comes, and with another
//! threshold in it.

use sentir_core::belief::{Beliefs, Felt};
use sentir_core::body::Pose;
use sentir_core::chart::Mood;
use sentir_core::glam::Vec3;
use sentir_core::id::TeamId;
use sentir_core::intent::{Actions, Intents, Question};
use sentir_core::outcome::{Answer, Outcome};
use sentir_core::plane;
use sentir_core::random::Streams;
use sentir_core::tick::Tick;
use sentir_core::why::WhyLog;
use sentir_squad::claim::ClaimKind;
use sentir_squad::coordinator::QueryName;
use sentir_squad::soldier::{Gear, Soldier, SoldierBehavior, SoldierMemory, ThinkContext};
use sentir_squad::stock;
use sentir_squad::team::{Alert, Lead, Member};
use sentir_squad::tuning::Tuning;
use sentir_think::board::Blackboard;
use sentir_think::why::Why;

use super::{RATE, agent, at, member, seen, yard};

/// One soldier with a full gun in a fight, who looks at a place.
struct Case {
    soldier: Soldier,
    memory: SoldierMemory,
    beliefs: Beliefs,
    intents: Intents,
    /// What its squad has written.
    board: Blackboard,
    why: WhyLog<Why>,
    foe: Vec3,
    tick: u64,
}

impl Case {
    /// By the file as it comes but for `edits`: what stands there, and what is to stand there.
    fn new(me: Vec3, foe: Vec3, edits: &[(&str, &str)]) -> Case {
        let mut text = stock::TREE.1.to_owned();
        for (from, to) in edits {
            assert_eq!(text.matches(from).count(), 1, "`{from}` stands there once");
            text = text.replace(from, to);
        }
        let mut tactical_map = yard();
        tactical_map.set_supplies(vec![at(-12.0, 8.0)]);
        let soldier = Soldier::new(tactical_map, ("mine.yaml", &text), Tuning::stock().unwrap()).unwrap();
        let mut memory = soldier.recruit(vec![me]);
        memory.gear = Gear { magazine: 30, magazine_max: 30, reserve: 90, reserve_max: 90, ..Gear::default() };
        memory.briefing.alert = Alert::Fight;
        let mut beliefs = Beliefs::default();
        beliefs.me.pose = Pose { position: me, yaw: plane::yaw(plane::ground(foe - me)) };
        let (intents, board, why) = (Intents::default(), Blackboard::EMPTY, WhyLog::default());
        let mut case = Case { soldier, memory, beliefs, intents, board, why, foe, tick: 600 };
        case.squad(&[]);
        case
    }

    /// Its squad counts: itself, fit and without a target, and so many others.
    fn squad(&mut self, others: &[Member]) {
        let me = member(1, self.beliefs.me.pose.position, self.foe);
        self.soldier.brief(&[&[me], others].concat(), &mut self.board);
    }

    /// A mate at the other end of the yard.
    fn mate(&self) -> Member {
        member(2, at(12.0, 8.0), self.foe)
    }

    /// In the open, with the target in sight, so far off.
    fn facing(apart_m: f32, edits: &[(&str, &str)]) -> Case {
        let mut case = Case::new(at(-12.0, -8.0), at(-12.0 + apart_m, -8.0), edits);
        case.sees_at(apart_m);
        case
    }

    /// Behind the block, with the target known to be beyond it.
    fn hidden(edits: &[(&str, &str)]) -> Case {
        let mut case = Case::new(at(-4.0, 0.0), at(6.0, 0.0), edits);
        case.lead(60, true);
        case
    }

    fn sees_at(&mut self, apart_m: f32) {
        self.foe = at(-12.0 + apart_m, -8.0);
        self.beliefs.update(seen(self.foe, self.tick).unwrap());
        let seeing = Member { enemy: seen(self.foe, self.tick), ..member(1, at(-12.0, -8.0), self.foe) };
        self.soldier.brief(&[seeing], &mut self.board);
        self.lead(0, true);
    }

    /// News of the target, so many ticks old.
    fn lead(&mut self, age: u64, is_precise: bool) {
        let (place, at) = (self.foe, Tick(self.tick - age));
        let lead = Lead { who: None, place, velocity: Vec3::ZERO, at, is_precise, is_checked: false };
        self.memory.briefing.lead = Some(lead);
    }

    fn think(&mut self) -> SoldierBehavior {
        let (agent, team, streams) = (agent(1), TeamId(1), Streams { seed: 1 });
        let moment = ThinkContext { agent, team, tick: Tick(self.tick), rate: RATE, board: &self.board, streams };
        let (memory, intents) = (&mut self.memory, &mut self.intents);
        self.soldier.think(&moment, &self.beliefs, memory, intents, &mut self.why);
        self.beliefs.digest();
        self.beliefs.hurts.clear();
        self.tick += 6;
        memory.status.behavior
    }

    fn reloads(&mut self) -> bool {
        for _ in 0..4 {
            self.think();
        }
        self.intents.actions.contains(Actions::RELOAD)
    }

    fn asks(&self, query: QueryName) -> bool {
        self.intents.asks.iter().any(|ask| ask.question == Question::Place { query: query as u16 })
    }
}

/// What it does as the file comes, and with the edit.
fn both(edit: (&str, &str), case: impl Fn(&[(&str, &str)]) -> SoldierBehavior) -> [SoldierBehavior; 2] {
    [case(&[]), case(&[edit])]
}

#[test]
fn when_it_hides_with_few_rounds() {
    let low = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.memory.gear.magazine = 9;
        case.think()
    };
    let edit = ("low: [{key: $magazine, \"<\": $reload_soon}", "low: [{key: $magazine, \"<\": 0.2}");
    assert_eq!(both(edit, low), [SoldierBehavior::Hide, SoldierBehavior::Attack]);
}

#[test]
fn when_it_hides_from_fire() {
    let hit = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.beliefs.hurts.push(Felt { amount: 0.2, from: Vec3::X, at: Tick(case.tick) });
        case.think()
    };
    let edit = ("hurt: {key: $damage, \">=\": $damage_share}", "hurt: {key: $damage, \">=\": 0.5}");
    assert_eq!(both(edit, hit), [SoldierBehavior::Hide, SoldierBehavior::Attack]);
}

#[test]
fn why_it_stops_hiding() {
    let half = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.memory.gear.magazine = 9;
        assert_eq!(case.think(), SoldierBehavior::Hide);
        case.memory.gear.magazine = 15;
        case.think()
    };
    let edit = ("keep: [{key: $magazine, \"<\": 1}", "keep: [{key: $magazine, \"<\": 0.45}");
    assert_eq!(both(edit, half), [SoldierBehavior::Hide, SoldierBehavior::Attack]);
}

#[test]
fn when_it_pushes() {
    let heard = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.lead(60, false);
        case.think()
    };
    let edit = ("[{set: $lead_s}, {not: $lead_checked}]", "[{key: $lead_s, \"<\": 0.5}, {not: $lead_checked}]");
    assert_eq!(both(edit, heard), [SoldierBehavior::Push, SoldierBehavior::Hold]);
}

#[test]
fn when_it_stops_pushing_to_fight() {
    let sights = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.beliefs.reset();
        case.beliefs.me.pose.position = at(-12.0, -8.0);
        case.squad(&[]);
        assert_eq!(case.think(), SoldierBehavior::Push);
        case.sees_at(20.0);
        // 0.2 s after the target came into sight.
        (0..3).map(|_| case.think()).last().unwrap()
    };
    let edit = ("{when: $sees_target, after: $sure_s}", "{when: $sees_target, after: 0.1}");
    assert_eq!(both(edit, sights), [SoldierBehavior::Push, SoldierBehavior::Attack]);
}

#[test]
fn when_it_suppresses() {
    let asks = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.memory.gear.magazine = 15;
        case.think();
        case.asks(QueryName::Suppression)
    };
    assert!(asks(&[]));
    assert!(!asks(&[("{key: $magazine, \">=\": $reload_soon}", "{key: $magazine, \">=\": 0.6}")]));
}

#[test]
fn when_it_attacks() {
    let sees = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.memory.gear.magazine = 24;
        case.think()
    };
    let edit = ("not: {any: [$low, $hurt]}", "not: {any: [{key: $magazine, \"<\": 0.9}, $hurt]}");
    assert_eq!(both(edit, sees), [SoldierBehavior::Attack, SoldierBehavior::Hold]);
}

#[test]
fn when_it_rushes_and_for_how_long() {
    let near = |edits: &[(&str, &str)]| Case::facing(6.0, edits).think();
    let edit = ("{key: $target_m, \"<\": $close_m}", "{key: $target_m, \"<\": 5}");
    assert_eq!(both(edit, near), [SoldierBehavior::Rush, SoldierBehavior::Attack]);
    let leaves = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(6.0, edits);
        assert_eq!(case.think(), SoldierBehavior::Rush);
        case.sees_at(8.0);
        case.think()
    };
    let edit = ("{key: $target_m, \"<\": $close_keep_m}", "{key: $target_m, \"<\": 7.5}");
    assert_eq!(both(edit, leaves), [SoldierBehavior::Rush, SoldierBehavior::Attack]);
}

#[test]
fn when_it_holds_its_place() {
    let stands_under_fire = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        case.memory.gear.passed_at = Some(Tick(case.tick - 120));
        case.think();
        case.memory.status.claims.of(ClaimKind::Attack).is_some()
    };
    assert!(!stands_under_fire(&[]));
    assert!(stands_under_fire(&[("holds: [$here_attack, {not: $under_fire}]", "holds: $here_attack")]));
    let calm = ("[{key: $passed_s, \"<=\": $under_fire_s}", "[{key: $passed_s, \"<=\": 1}");
    assert!(stands_under_fire(&[calm]));
}

#[test]
fn when_it_goes_on_to_where_it_can_shoot_from() {
    let restless = ("holds: [$here_attack, {not: $under_fire}]", "holds: {key: $rounds, \"<\": 0}");
    let asks_again = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, &[&[restless], edits].concat());
        case.think();
        let ask =
            case.intents.asks.iter().find(|ask| ask.question == Question::Place { query: QueryName::Attack as u16 });
        let ticket = ask.unwrap().ticket;
        case.beliefs.learn(Outcome::Answered { ticket, answer: Answer::Place { at: at(-9.0, -8.0), score: 1.0 } });
        case.think();
        assert!(case.intents.travel().is_some(), "on its way");
        // The target comes close, and goes again: it begins anew.
        case.sees_at(6.0);
        assert_eq!(case.think(), SoldierBehavior::Rush);
        case.sees_at(20.0);
        case.intents.asks.clear();
        assert_eq!(case.think(), SoldierBehavior::Attack);
        case.asks(QueryName::Attack)
    };
    assert!(!asks_again(&[]));
    assert!(asks_again(&[("goes_on: [$next_attack_good,", "goes_on: [{key: $rounds, \"<\": 0},")]));
}

#[test]
fn when_it_reloads() {
    let in_peace = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        (case.memory.briefing.alert, case.memory.gear.magazine) = (Alert::Search, 20);
        case.reloads()
    };
    assert!(in_peace(&[]));
    assert!(!in_peace(&[(
        "[{not: $fights}, {key: $magazine, \"<\": 0.7}",
        "[{not: $fights}, {key: $magazine, \"<\": 0.5}"
    )]));
    let in_cover = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.memory.gear.magazine = 9;
        case.reloads()
    };
    assert!(in_cover(&[]));
    assert!(!in_cover(&[(
        "fills_in_cover: [{key: $magazine, \"<\": 0.8}",
        "fills_in_cover: [{key: $magazine, \"<\": 0.2}"
    )]));
    // Who never hides reloads where it holds.
    let brave = ("wants_hide: {any: [$hides_to_reload, $hides_from_fire]}", "wants_hide: {key: $rounds, \"<\": 0}");
    let holding = |edits: &[(&str, &str)]| in_cover(&[&[brave], edits].concat());
    assert!(holding(&[]));
    assert!(!holding(&[(
        "wants_reload: {any: [$must_reload, [$low,",
        "wants_reload: {any: [$must_reload, [$hurt, $low,"
    )]));
}

#[test]
fn when_it_must_reload_before_it_goes_on() {
    let brave = ("wants_hide: {any: [$hides_to_reload, $hides_from_fire]}", "wants_hide: {key: $rounds, \"<\": 0}");
    let pushes = |edits: &[(&str, &str)]| {
        let mut case = Case::new(at(-12.0, -8.0), at(12.0, -8.0), &[&[brave], edits].concat());
        case.lead(60, true);
        case.memory.gear.magazine = 2;
        (case.reloads(), case.memory.status.behavior)
    };
    assert_eq!(pushes(&[]), (true, SoldierBehavior::Push));
    let edit = ("must_reload: [{key: $magazine, \"<\": $reload_now}", "must_reload: [{key: $magazine, \"<\": 0.01}");
    assert_eq!(pushes(&[edit]), (false, SoldierBehavior::Push));
}

#[test]
fn when_it_fetches_rounds_and_until_when() {
    let spent = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        (case.memory.gear.magazine, case.memory.gear.reserve) = (9, 0);
        case.think()
    };
    let few = "{key: $reserve_share, \"<\": 1}, {key: $magazine, \"<\": $reload_soon}]";
    let edit = (few, "{key: $reserve_share, \"<\": 1}, {key: $magazine, \"<\": 0.1}]");
    assert_eq!(both(edit, spent), [SoldierBehavior::Supply, SoldierBehavior::Attack]);
    let half = |edits: &[(&str, &str)]| {
        let mut case = Case::facing(20.0, edits);
        (case.memory.gear.magazine, case.memory.gear.reserve) = (9, 0);
        assert_eq!(case.think(), SoldierBehavior::Supply);
        (case.memory.gear.magazine, case.memory.gear.reserve) = (30, 60);
        case.think()
    };
    let edit = ("keep: {key: $reserve_share, \"<\": 1}", "keep: {key: $reserve_share, \"<\": 0.5}");
    assert_eq!(both(edit, half), [SoldierBehavior::Supply, SoldierBehavior::Attack]);
}

#[test]
fn when_it_gives_up_a_search() {
    let old_news = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.memory.briefing.alert = Alert::Search;
        case.lead(300, true);
        case.think()
    };
    let edit = (
        "searches: {key: $alert, \"==\": search}",
        "searches: [{key: $alert, \"==\": search}, {key: $lead_s, \"<\": 4}]",
    );
    assert_eq!(both(edit, old_news), [SoldierBehavior::Search, SoldierBehavior::Patrol]);
}

#[test]
fn when_it_fills_up_by_turns_with_others_of_its_squad() {
    let beside = |mates: &[(bool, bool)], edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        (case.memory.briefing.alert, case.memory.gear.magazine) = (Alert::Search, 20);
        let mate = |&(is_ready, is_reloading)| Member { is_ready, is_reloading, ..case.mate() };
        let mates: Vec<Member> = mates.iter().map(mate).collect();
        case.squad(&mates);
        case.reloads()
    };
    let (fit, reloads, spent) = ((true, false), (false, true), (false, false));
    assert!(beside(&[], &[]) && beside(&[fit], &[]) && beside(&[spent], &[]));
    // While another reloads it waits, unless one more could shoot beside itself.
    assert!(!beside(&[reloads], &[]) && !beside(&[reloads, spent], &[]) && beside(&[reloads, fit], &[]));
    let two = ("{not: {key: $team_reloading, \">\": 0}}", "{not: {key: $team_reloading, \">\": 1}}");
    assert!(beside(&[reloads], &[two]));
    let more = ("{key: $team_ready, \">\": 1}", "{key: $team_ready, \">\": 2}");
    assert!(!beside(&[reloads, fit], &[more]));
}

#[test]
fn when_it_fills_up_in_cover_though_another_reloads() {
    let wants = |magazine: u32, is_reloading: bool, edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        (case.memory.gear.magazine, case.memory.gear.is_reloading) = (magazine, is_reloading);
        case.squad(&[Member { is_ready: false, is_reloading: true, ..case.mate() }]);
        case.think();
        case.soldier.flag(&case.memory, "fills_in_cover").unwrap()
    };
    // With half of the magazine it waits, with few rounds not; nor does who has begun, though the squad counts it.
    assert!(!wants(15, false, &[]) && wants(9, false, &[]) && wants(15, true, &[]));
    assert!(wants(15, false, &[("{any: [$low, $turn_to_fill]}", "{any: [{key: $rounds, \">\": 0}, $turn_to_fill]}")]));
    assert!(!wants(15, true, &[("{any: [$reloading, {not:", "{any: [{key: $rounds, \"<\": 0}, {not:")]));
}

#[test]
fn when_it_pushes_because_another_sees_him() {
    let shown = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.lead(60, false);
        case.memory.briefing.lead.as_mut().unwrap().is_checked = true;
        let before = case.think();
        case.squad(&[Member { enemy: seen(case.foe, case.tick), ..case.mate() }]);
        [before, case.think()]
    };
    assert_eq!(shown(&[]), [SoldierBehavior::Hold, SoldierBehavior::Push]);
    let edit = ("      - {key: $team_seeing, \">\": 0}\n", "      - {key: $team_seeing, \">\": 1}\n");
    assert_eq!(shown(&[edit]), [SoldierBehavior::Hold, SoldierBehavior::Hold]);
}

#[test]
fn when_it_does_not_suppress_because_another_sees_him() {
    let asks = |edits: &[(&str, &str)]| {
        let mut case = Case::hidden(edits);
        case.squad(&[Member { enemy: seen(case.foe, case.tick), ..case.mate() }]);
        case.think();
        case.asks(QueryName::Suppression)
    };
    assert!(!asks(&[]));
    assert!(asks(&[("- not: {key: $team_seeing, \">\": 0}", "- not: {key: $team_seeing, \">\": 1}")]));
}

#[test]
fn what_a_squad_counts_is_given_as_a_reason_by_its_name() {
    // Who pushes only on whom two see.
    let mut case = Case::hidden(&[("[{set: $lead_s}, {not: $lead_checked}]", "{key: $team_seeing, \">\": 1}")]);
    case.lead(600, false);
    case.why.listen(true);
    assert_eq!(case.think(), SoldierBehavior::Hold);
    let whys: Vec<Why> = case.why.entries().iter().map(|entry| entry.why).collect();
    let chart = case.soldier.chart(&case.memory, &whys);
    let push = chart.parts().iter().find(|part| part.label == "wants_push == true").unwrap();
    assert_eq!((push.mood, push.note.as_str()), (Mood::Refused, "team_seeing is 0, wanted > 1"));
}

#[test]
fn a_fact_of_the_team_that_no_squad_writes_is_refused_at_its_place() {
    let refused = |from: &str, to: &str| {
        let text = stock::TREE.1.replace(from, to);
        assert_ne!(text, stock::TREE.1);
        Soldier::check("mine.yaml", text.as_bytes()).unwrap_err().to_string()
    };
    let declared = "  team_ready: {kind: int, scope: team}";
    let said = refused(declared, "  team_redy: {kind: int, scope: team}\n  team_ready: {kind: int, scope: team}");
    assert!(said.contains("unknown fact of a team `team_redy` (did you mean `team_ready`?)"), "{said}");
    assert!(said.starts_with("mine.yaml:4"), "{said}");
    let said = refused(declared, "  team_ready: int");
    assert!(said.contains("`team_ready` is counted by the squad: expected {kind: int, scope: team}"), "{said}");
}

#[test]
fn the_numbers_of_the_tuning_are_what_its_conditions_go_by() {
    let text = stock::TUNING.1.replace("reload_soon: 0.4", "reload_soon: 0.2");
    let tuning = Tuning::read(text.as_bytes(), "tuning.yaml").unwrap();
    let mut case = Case::facing(20.0, &[]);
    case.soldier = Soldier::new(yard(), stock::TREE, tuning).unwrap();
    case.memory.gear.magazine = 9;
    assert_eq!(case.think(), SoldierBehavior::Attack);
}

#[test]
fn a_number_that_the_tuning_does_not_have_is_refused_at_its_place() {
    let refused = |from: &str, to: &str| {
        let text = stock::TREE.1.replace(from, to);
        Soldier::check("mine.yaml", text.as_bytes()).unwrap_err().to_string()
    };
    let said = refused("  suppress_s: {kind: float, scope: world}\n", "  supress_s: {kind: float, scope: world}\n");
    assert!(said.contains("unknown blackboard key `suppress_s` (did you mean `supress_s`?)"), "{said}");
    let said = refused(
        "  sure_s: {kind: float, scope: world}\n",
        "  sure_s: {kind: float, scope: world}\n  sur_s: {kind: float, scope: world}\n",
    );
    assert!(said.contains("unknown number of the tuning `sur_s` (did you mean `sure_s`?)"), "{said}");
    assert!(said.starts_with("mine.yaml:5"), "{said}");
}
