//! Orders: they overrule, visibly, for their own team, as long as they stand.

use crate::village::{Council, Gossip, Host, Village};
use sentir::prelude::*;

fn village() -> Host {
    Host::new(LoopConfig::every_tick(TickRate::new(60)), 2, 6)
}

#[test]
fn an_order_overrules_the_wish_and_everybody_is_told() {
    let mut host = village();
    (0..60).for_each(|_| host.step(&Serial));
    let agent = host.agent(0);
    assert_eq!(host.brains.order(agent), None);
    let wish = host.brains.intents(agent).unwrap().travel().unwrap();
    // Second 1: the first of each team is called to the well.
    host.step(&Serial);
    assert_eq!(host.brains.order(agent).unwrap().travel.unwrap().goal, Vec3::ZERO);
    assert_eq!(host.brains.intents(agent).unwrap().travel(), Some(wish), "the wish itself stays");
    let overruled = EventKind::Overruled { ticket: wish.0 };
    assert!(host.scratch.events().iter().any(|event| event.agent == Some(agent) && event.kind == overruled));
    let to_well = -host.brains.presence(agent).unwrap().body.pose.position;
    assert!(host.brains.motion(agent).unwrap().velocity.normalize().dot(to_well.normalize()) > 0.999);
    host.step(&Serial);
    assert_eq!(host.head(0).last_outcomes, [Outcome::Overruled { ticket: wish.0 }]);
    // As long as the order stands, it is told once.
    (0..30).for_each(|_| host.step(&Serial));
    assert_eq!(host.head(0).overruled, 1);
    assert_eq!(host.head(3).overruled, 0, "the second of the team was not called");
}

#[test]
fn a_wish_holds_again_when_the_order_ends() {
    let mut host = village();
    (0..121).for_each(|_| host.step(&Serial));
    let agent = host.agent(0);
    assert_eq!(host.brains.order(agent), None);
    assert!(host.scratch.events().iter().any(|event| event.agent == Some(agent) && event.kind == EventKind::Released));
    let (_, travel) = host.brains.intents(agent).unwrap().travel().unwrap();
    let way = travel.goal - host.brains.presence(agent).unwrap().body.pose.position;
    assert!(host.brains.motion(agent).unwrap().velocity.normalize().dot(way.normalize()) > 0.99);
}

#[test]
fn orders_have_tickets_of_their_own() {
    struct Watch(std::sync::Mutex<Vec<Ticket>>);
    impl Mind for Watch {
        type Senses = ();
        type Brain = ();
        type Motor = ();
        type Squad = u32;
        type Notice = ();
        fn coordinate(&self, view: &SquadView, given: &mut u32, roster: &mut Roster<'_, '_, Self>) {
            let stranger = AgentId::from_bits(99 << 32);
            let reason = Reason { what: "order", held: true, value: 0.0, limit: 0.0 };
            assert!(!roster.order(stranger, Order::default(), reason));
            assert!(roster.place_of(stranger).is_none() && roster.member(1).is_none());
            assert!(!roster.notify(1, ()) && !roster.answer(1, Ticket(1), Answer::Nothing(Cause::NoPath)));
            *given = view.tick.0 as u32 / 2;
            let goal = Vec3::X * *given as f32;
            let travel = Travel { goal, manner: Manner::Straight, pace_m_per_s: 1.0, arrive_m: 0.1 };
            let first = roster.members()[0];
            assert!(roster.order(first, Order { travel: Some(travel), ..Order::default() }, reason));
        }
        fn act(&self, view: &ActView<'_>, _: &mut (), _: &mut Motion, _: &mut Outcomes<'_>, _: &mut Notes<'_>) {
            self.0.lock().unwrap().extend(view.travel().map(|(ticket, _)| ticket));
        }
    }
    let mind = Watch(std::sync::Mutex::default());
    let mut brains = Loop::<Watch>::new(LoopConfig::every_tick(TickRate::new(60)), 1);
    brains.spawn(AgentSpec::new(HostKey(0))).unwrap();
    let mut scratch = Scratch::default();
    for _ in 0..4 {
        brains.step(&mind, &Open, &Serial, &mut scratch);
    }
    let tickets = mind.0.into_inner().unwrap();
    assert!(tickets.iter().all(|ticket| ticket.is_order()));
    assert!(tickets[0] == tickets[1] && tickets[1] != tickets[2] && tickets[2] == tickets[3]);
}

#[test]
fn what_a_squad_writes_on_its_board_is_read_by_its_members_on_the_next_tick_and_is_state() {
    use sentir::core::state;
    use sentir::think::board::Blackboard;
    use sentir::think::key::{KeySpec, Keys, Scope};
    struct Tellers(Keys);
    impl Mind for Tellers {
        type Senses = ();
        /// What was on the board in the last thought.
        type Brain = Option<i32>;
        type Motor = ();
        type Squad = ();
        type Notice = ();
        fn think(&self, view: &ThinkView<'_>, read: &mut Option<i32>, _: &mut Intents, _: &mut Notes<'_>) {
            *read = view.board.get(self.0.key("count").unwrap());
        }
        fn coordinate(&self, view: &SquadView, (): &mut (), roster: &mut Roster<'_, '_, Self>) {
            let count = roster.members().len() as i32 * 100 + view.tick.0 as i32;
            if !roster.board_mut().fits(&self.0) {
                *roster.board_mut() = Blackboard::new(&self.0);
            }
            roster.board_mut().set(self.0.key("count").unwrap(), count);
        }
        fn adopt_board(&self, old: &Self, board: &mut Blackboard) {
            let mut fresh = Blackboard::new(&self.0);
            fresh.carry(&self.0, board, &old.0);
            *board = fresh;
        }
    }
    let keys = |names: &[&str]| Keys::build(names.iter().map(|name| KeySpec::new::<i32>(name, Scope::Team))).unwrap();
    let mind = Tellers(keys(&["count"]));
    let mut brains = Loop::<Tellers>::new(LoopConfig::every_tick(TickRate::new(60)), 1);
    let mut spawn = |key: u64, squad: u32| brains.spawn(AgentSpec { squad, ..AgentSpec::new(HostKey(key)) }).unwrap();
    let [one, two, other] = [spawn(0, 1), spawn(1, 1), spawn(2, 2)];
    let mut scratch = Scratch::default();
    brains.step(&mind, &Open, &Serial, &mut scratch);
    assert_eq!([one, two, other].map(|agent| *brains.brain(agent).unwrap()), [None; 3], "written after they thought");
    brains.step(&mind, &Open, &Serial, &mut scratch);
    let read = |brains: &Loop<Tellers>| [one, two, other].map(|agent| *brains.brain(agent).unwrap());
    assert_eq!(read(&brains), [Some(200), Some(200), Some(100)]);
    assert_eq!(brains.board(one), brains.board(two));
    assert_ne!(brains.board(one), brains.board(other));
    // A snapshot has it, and so does the hash.
    let mut again = Loop::<Tellers>::restore(&brains.snapshot()).unwrap();
    assert_eq!((state::hash(&again), again.board(one)), (state::hash(&brains), brains.board(one)));
    let unnoticed = |one: &state::Perturbation| one.path.contains("board") && one.outcome == state::Noticed::No;
    assert!(!state::perturb(&brains).iter().any(unnoticed));
    // Another version of the mind numbers its keys otherwise; what is on the board goes on.
    let newer = Tellers(keys(&["more", "count"]));
    again.adopt(&mind, &newer);
    again.step(&newer, &Open, &Serial, &mut scratch);
    assert_eq!(read(&again), [Some(201), Some(201), Some(101)]);
}

#[test]
fn squads_meet_as_often_as_their_most_important_member_asks() {
    let mut config = LoopConfig::every_tick(TickRate::new(60));
    config.detail.iter_mut().for_each(|detail| detail.coordinate_every = 10);
    let mut host = Host::new(config, 2, 6);
    for _ in 0..600 {
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    let meetings = |leaf: &sentir::core::state::LeafAt| leaf.path.ends_with("memory.meetings");
    let counts: Vec<_> =
        sentir::core::state::leaves(&host.brains).into_iter().filter(meetings).map(|leaf| leaf.value).collect();
    assert_eq!(counts, ["60", "60", "60"]);
}

#[test]
fn what_the_host_tells_reaches_the_brain_in_the_next_step_and_only_that_brain() {
    let mut host = village();
    host.step(&Serial);
    let agent = host.agent(2);
    assert!(host.brains.notify(agent, Gossip::Rumor(7)) && host.brains.notify(agent, Gossip::Rumor(8)));
    assert_eq!(host.brains.inbox(agent).len(), 3, "two of the host's behind the council's");
    let tick = host.brains.tick();
    host.step(&Serial);
    assert_eq!(host.head(2).rumors, [(tick, 7), (tick, 8)]);
    assert!((0..6).filter(|&key| key != 2).all(|key| host.head(key).rumors.is_empty()));
    host.step(&Serial);
    assert_eq!(host.head(2).rumors.len(), 2, "told once, received once");
    assert!(!host.brains.notify(AgentId::from_bits(99 << 32), Gossip::Rumor(1)));
}

#[test]
fn a_team_may_be_many_squads_and_each_is_coordinated_alone() {
    let mut brains = Loop::<Village>::new(LoopConfig::every_tick(TickRate::new(60)), 1);
    for key in 0..300u64 {
        let spec = AgentSpec { team: TeamId(70_000), squad: key as u32 / 2, ..AgentSpec::new(HostKey(key)) };
        brains.spawn(spec).unwrap();
    }
    let mut host = Host { brains, scratch: Scratch::default() };
    (0..3).for_each(|_| host.step(&Serial));
    assert_eq!(host.brains.squads().count(), 150);
    assert!((0..300).all(|key| host.head(key).census == 2), "everybody was told of two");
    let id = SquadId { team: TeamId(70_000), number: 17 };
    assert_eq!(host.brains.squad(id).unwrap().meetings, 3);
    assert_eq!(host.brains.squad(SquadId::whole(TeamId(1))), None);
    host.brains.brief_squad(id, Council { meetings: 40, heard: 0 });
    host.step(&Serial);
    assert_eq!(host.brains.squad(id).unwrap().meetings, 41);
}

#[test]
fn brains_are_handed_over_to_another_version_of_their_mind() {
    let mut host = village();
    host.step(&Serial);
    host.brains.adopt(&Village, &Village);
    for key in 0..6 {
        assert_eq!(host.head(key).adopted, Some((host.agent(key), Tick(1))));
    }
}

#[test]
fn who_thinks_seldom_is_told_in_time_by_a_squad_that_meets_seldom() {
    let mut config = LoopConfig::every_tick(TickRate::new(60));
    config.detail.iter_mut().for_each(|detail| (detail.think_every, detail.coordinate_every) = (30, 4));
    let mut host = Host::new(config, 2, 6);
    (0..70).for_each(|_| host.step(&Serial));
    assert!((0..6).all(|key| host.head(key).census == 2), "whoever thinks has heard of the census");
}
