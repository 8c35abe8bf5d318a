//! Where two runs part: the first tick that came out otherwise, and the first *decision* that did.
//!
//! Both runs are played again, side by side, from the tick where their states part. A decision counts as another one when
//! what an agent wants differs by more than a person would see: goals by [`APART_M`], looks by [`APART_RAD`], anything
//! else at all.

use sentir::core::glam::Vec3;
use sentir::core::math;
use sentir::prelude::{Gaze, HostKey, Intents, Order, Travel};

use crate::session::{Session, SessionError};

/// Goals nearer than this are the same, m.
pub const APART_M: f32 = 0.1;
/// Looks nearer than this are the same, rad.
pub const APART_RAD: f32 = 0.05;

/// Where two runs part.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The first tick that came out otherwise.
    pub first_tick: u64,
    /// The first decision that did; none if nobody decided otherwise as far as both runs are known.
    pub decision: Option<Decision>,
}

/// A decision that came out otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In which tick.
    pub tick: u64,
    /// Whose.
    pub key: HostKey,
    /// What it wanted here, in words.
    pub here: String,
    /// What it wanted there.
    pub there: String,
}

/// Finds where two runs part; none if they are the same as far as both are known.
pub fn first_decision(here: &Session, there: &Session) -> Result<Option<Parting>, SessionError> {
    let Some(parted) = here.parted(there) else { return Ok(None) };
    let end = here.known_ticks().min(there.known_ticks());
    let (mut here, mut there) = (here.fork()?, there.fork()?);
    here.seek(parted.alike_ticks)?;
    there.seek(parted.alike_ticks)?;
    let mut first_tick = parted.tick;
    for tick in parted.alike_ticks..end {
        here.step(1);
        there.step(1);
        // Before what can be seen parts, what is remembered may have.
        if tick < first_tick {
            if here.hash() == there.hash() {
                continue;
            }
            first_tick = tick;
        }
        if let Some((key, here, there)) = differing(&here, &there) {
            return Ok(Some(Parting { first_tick, decision: Some(Decision { tick, key, here, there }) }));
        }
    }
    Ok(Some(Parting { first_tick, decision: None }))
}

/// The first agent, by key, that wants other things in two runs, and what.
fn differing(here: &Session, there: &Session) -> Option<(HostKey, String, String)> {
    let keys = |session: &Session| session.agents().iter().map(|it| it.key).collect::<Vec<_>>();
    let mut all = keys(here);
    all.extend(keys(there));
    all.sort_unstable();
    all.dedup();
    all.into_iter().find_map(|key| {
        let [a, b] = [here, there].map(|session| wish(session, key));
        let is_same = match (&a, &b) {
            (Some(a), Some(b)) => a.is_like(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let told = |wish: Option<Wish>| wish.map_or_else(|| "is not there".to_owned(), |wish| wish.in_words());
        (!is_same).then(|| (key, told(a), told(b)))
    })
}

/// What an agent wants, its squad's order in force.
struct Wish {
    intents: Intents,
    travel: Option<Travel>,
    gaze: Gaze,
    is_ordered: bool,
}

fn wish(session: &Session, key: HostKey) -> Option<Wish> {
    let seen = session.inspect(session.agent_of(key)?)?;
    let own = seen.intents.travel().map(|(_, travel)| travel);
    let order: Option<&Order> = seen.order;
    Some(Wish {
        intents: seen.intents.clone(),
        travel: order.and_then(|order| order.travel).or(own),
        gaze: order.and_then(|order| order.gaze).unwrap_or(seen.intents.gaze),
        is_ordered: order.is_some(),
    })
}

impl Wish {
    fn is_like(&self, other: &Wish) -> bool {
        let travels = match (self.travel, other.travel) {
            (Some(a), Some(b)) => a.manner == b.manner && is_near(a.goal, b.goal),
            (a, b) => a.is_none() && b.is_none(),
        };
        let looks = match (self.gaze, other.gaze) {
            (Gaze::At(a), Gaze::At(b)) => is_near(a, b),
            (Gaze::Along(a), Gaze::Along(b)) => math::angle_between(a, b).abs() < APART_RAD,
            (a, b) => a == b,
        };
        let (a, b) = (&self.intents, &other.intents);
        let does = (a.stance, a.actions, a.behavior) == (b.stance, b.actions, b.behavior);
        travels && looks && does && self.is_ordered == other.is_ordered
    }

    fn in_words(&self) -> String {
        let place = |at: Vec3| format!("({:.1}, {:.1}, {:.1})", at.x, at.y, at.z);
        let mut words = vec![match self.travel {
            Some(travel) => format!("goes to {}", place(travel.goal)),
            None => "stays".to_owned(),
        }];
        match self.gaze {
            Gaze::Ahead => {}
            Gaze::At(at) => words.push(format!("looks at {}", place(at))),
            Gaze::Along(yaw) => words.push(format!("looks along {:.0} degrees", yaw.to_degrees())),
        }
        words.extend(crate::report::action_names(self.intents.actions).map(str::to_owned));
        if self.intents.behavior != 0 {
            words.push(format!("moves by behavior {}", self.intents.behavior));
        }
        if self.is_ordered {
            words.push("by order of its squad".to_owned());
        }
        words.join(", ")
    }
}

fn is_near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < APART_M
}
