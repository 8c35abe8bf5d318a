//! Orders: they overrule, visibly, for their own team, as long as they stand.

use crate::village::{Host, Village};
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
    assert!(host.scratch.events().iter().any(|event| event.agent == agent && event.kind == overruled));
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
    assert!(host.scratch.events().iter().any(|event| event.agent == agent && event.kind == EventKind::Released));
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
        fn squad(&self, view: &SquadView, given: &mut u32, roster: &mut Roster<'_, Self>) {
            let stranger = AgentId::from_bits(99 << 32);
            let reason = Reason { what: "order", held: true, value: 0.0, limit: 0.0 };
            assert!(!roster.order(stranger, Order::default(), reason));
            assert!(roster.beliefs(stranger).is_none() && roster.intents(stranger).is_none());
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
fn the_squad_stage_keeps_its_own_period() {
    let mut host = Host::new(LoopConfig { squad_every: 10, ..LoopConfig::every_tick(TickRate::new(60)) }, 2, 6);
    for _ in 0..600 {
        host.brains.step(&Village, &Open, &Serial, &mut host.scratch);
    }
    let meetings = |leaf: &sentir::core::state::LeafAt| leaf.path.ends_with("memory.meetings");
    let counts: Vec<_> =
        sentir::core::state::leaves(&host.brains).into_iter().filter(meetings).map(|leaf| leaf.value).collect();
    assert_eq!(counts, ["60", "60", "60"]);
}
