//! The test over a scene: many changes, each until first contact, and the table of what was found.

use sentir::prelude::*;

use super::oracle::{self, Contact};
use super::tamper::{Tamper, choose, sentence};
use super::truth::Truth;
use crate::game_match::Match;
use crate::info::{SceneError, SceneInfo, Setup};

const CHOICE: Purpose = Purpose::new("honesty.choice");

/// How much to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialConfig {
    /// Changes that count.
    pub changes: u32,
    /// Ticks that each is followed at the most.
    pub ticks_max: u64,
    /// Ticks without contact from which on a change counts: enough that everybody has looked and thought.
    pub ticks_min: u64,
    /// Ticks between two changes.
    pub step: u64,
    /// Draws that came to nothing, in all, before it gives up.
    pub draws_max: u32,
}

impl Default for TrialConfig {
    fn default() -> Self {
        TrialConfig { changes: 50, ticks_max: 240, ticks_min: 60, step: 30, draws_max: 20_000 }
    }
}

/// One change and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The change.
    pub tamper: Tamper,
    /// When.
    pub at: Tick,
    /// For how many ticks decisions were compared.
    pub ticks: u64,
    /// Who could have known of it first, and how; none if nobody could.
    pub contact: Option<(HostKey, Contact)>,
    /// The first who believed, wanted or did something else, or was told something else, without contact, and what; none if
    /// all were the same.
    pub leak: Option<(HostKey, &'static str)>,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = match (self.leak, self.contact) {
            (Some((key, what)), _) => format!("LEAK: {} differs in {what}", key.0),
            (None, Some((key, contact))) => format!("equal until {} could know by {}", key.0, contact.name()),
            (None, None) => "equal to the end".to_owned(),
        };
        write!(f, "at {}, {}: {} ticks, {end}", self.at, sentence(&self.tamper), self.ticks)
    }
}

/// What the test found for a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The changes that count: those with a contact later than `ticks_min`, or with a leak.
    pub cases: Vec<Case>,
    /// Changes that somebody could know of too soon.
    pub seen_too_soon: u32,
}

impl Finding {
    /// The first leak.
    pub fn leak(&self) -> Option<&Case> {
        self.cases.iter().find(|case| case.leak.is_some())
    }

    /// Ticks compared in all.
    pub fn ticks(&self) -> u64 {
        self.cases.iter().map(|case| case.ticks).sum()
    }

    /// How many of a kind of change count.
    pub fn count(&self, name: &str) -> usize {
        self.cases.iter().filter(|case| case.tamper.name() == name).count()
    }
}

/// Tests a scene with a setup. None if it declares nothing to be tested. The first leak ends it.
pub fn examine(scene: &SceneInfo, setup: &Setup, config: &TrialConfig) -> Result<Option<Finding>, SceneError> {
    let mut rng = Streams { seed: setup.seed }.stream(0, CHOICE);
    let mut finding = Finding::default();
    let (mut setup, mut base) = (setup.clone(), scene.start(setup)?);
    rank(&mut *base);
    let (mut here, mut there) = (scene.start(&setup)?, scene.start(&setup)?);
    if base.auditor().is_none() {
        return Ok(None);
    }
    let mut draws = 0;
    while finding.cases.len() < config.changes as usize && draws < config.draws_max {
        for _ in 0..config.step {
            if base.ending().is_some() {
                // On with the next seed.
                setup.seed += 1;
                base = scene.start(&setup)?;
                rank(&mut *base);
                (here, there) = (scene.start(&setup)?, scene.start(&setup)?);
            }
            base.step(&[], &Serial);
        }
        if base.ending().is_some() {
            continue;
        }
        let file = base.snapshot();
        // A snapshot of the same setup, made just now, is always taken.
        let is_taken = here.restore(&file).is_ok();
        // Many draws are in plain sight; a few a moment are enough.
        for _ in 0..24 {
            draws += 1;
            let Some(case) = attempt(&mut *here, &mut *there, &file, config, draws, &mut rng).filter(|_| is_taken)
            else {
                continue;
            };
            if case.leak.is_none() && case.ticks < config.ticks_min {
                finding.seen_too_soon += 1;
                if case.ticks == 0 {
                    continue;
                }
            } else {
                let is_leak = case.leak.is_some();
                finding.cases.push(case);
                if is_leak {
                    return Ok(Some(finding));
                }
            }
            break;
        }
    }
    Ok(Some(finding))
}

/// Sets importances that differ from agent to agent, so that level of detail is on.
fn rank(game: &mut dyn Match) {
    let mut agents = Vec::new();
    game.agents(&mut agents);
    if let Some(mut auditor) = game.auditor() {
        for it in &agents {
            const ALL: [Importance; 4] = [Importance::Full, Importance::Near, Importance::Far, Importance::Least];
            auditor.set_importance(it.agent, ALL[it.agent.index() % 4]);
        }
    }
}

/// Everybody of both worlds.
fn keys_of(here: &mut dyn Match, there: &mut dyn Match) -> Option<Vec<HostKey>> {
    let mut keys = Vec::new();
    here.auditor()?.truth().visit(&mut |it| keys.push(it.key));
    there.auditor()?.truth().visit(&mut |it| keys.push(it.key));
    Some(keys)
}

/// The first of a changed one's own side who believes or wants something else though nobody told it anything else. Who was told is
/// left out from then on. How they move is their side's affair, too: it finds their ways.
fn kin_leak(here: &dyn Truth, there: &dyn Truth, kin: &mut Vec<HostKey>) -> Option<(HostKey, &'static str)> {
    let pair = |key: HostKey| Some((here.decision(key)?, there.decision(key)?));
    kin.retain(|&key| pair(key).is_some_and(|(a, b)| (a.told, a.thought) == (b.told, b.thought)));
    kin.iter().find_map(|&key| {
        let (a, b) = pair(key)?;
        let differs = a.wanted != b.wanted || a.believed != b.believed;
        a.difference(&b).filter(|_| differs).map(|what| (key, what))
    })
}

/// One change, followed until first contact. None if the draw came to nothing.
fn attempt(
    here: &mut dyn Match,
    there: &mut dyn Match,
    file: &[u8],
    config: &TrialConfig,
    number: u32,
    rng: &mut Stream,
) -> Option<Case> {
    let at = here.tick();
    let (tamper, reach, watchers, mut kin) = {
        let auditor = here.auditor()?;
        let truth = auditor.truth();
        let mut keys = Vec::new();
        truth.visit(&mut |it| keys.push((it.key, auditor.may_change(it))));
        let free: Vec<_> = keys.iter().filter(|(_, may)| *may).map(|(key, _)| *key).collect();
        let tamper = choose(&*truth, &free, &auditor.allowed(), u64::from(number), rng)?;
        let changed = tamper.key().and_then(|key| truth.presence(key));
        let is_kin =
            |key: &HostKey| changed.zip(truth.presence(*key)).is_some_and(|(changed, it)| auditor.is_told(changed, it));
        let others = keys.iter().map(|(key, _)| *key).filter(|key| Some(*key) != tamper.key());
        let (kin, watchers): (Vec<_>, Vec<_>) = others.partition(is_kin);
        (tamper, auditor.reach(), watchers, kin)
    };
    if watchers.is_empty() || there.restore(file).is_err() || !there.auditor()?.tamper(&tamper) {
        return None;
    }
    let mut case = Case { tamper, at, ticks: 0, contact: None, leak: None };
    while case.ticks < config.ticks_max && here.ending().is_none() && there.ending().is_none() {
        {
            let (one, other) = (here.auditor()?, there.auditor()?);
            let (one, other) = (one.truth(), other.truth());
            case.contact = oracle::contact(&reach, &*one, &*other, &watchers);
            kin.retain(|&key| oracle::contact(&reach, &*one, &*other, &[key]).is_none());
        }
        if case.contact.is_some() {
            break;
        }
        let before = keys_of(here, there)?;
        here.step(&[], &Serial);
        there.step(&[], &Serial);
        case.ticks += 1;
        let auditors = (here.auditor()?, there.auditor()?);
        let (one, other) = (auditors.0.truth(), auditors.1.truth());
        case.leak = watchers
            .iter()
            .find_map(|&key| one.decision(key)?.difference(&other.decision(key)?).map(|what| (key, what)));
        let of_kin = kin_leak(&*one, &*other, &mut kin);
        if of_kin.is_some() {
            case.leak = case.leak.or(of_kin);
            break;
        }
        if case.leak.is_some() {
            // Who came in by the rules within this very step was not there to be found before it.
            let is_new = |key: &HostKey| !before.contains(key);
            let contact = oracle::contact(&reach, &*one, &*other, &watchers);
            // What is told within a step is heard together with what is sensed on the next.
            let is_pending = watchers.iter().all(|&key| match (one.decision(key), other.decision(key)) {
                (Some(a), Some(b)) => a.is_pending(&b),
                _ => true,
            });
            drop((one, other));
            drop(auditors);
            if contact.is_some() && (is_pending || keys_of(here, there)?.iter().any(is_new)) {
                (case.contact, case.leak, case.ticks) = (contact, None, case.ticks - 1);
            }
            break;
        }
    }
    Some(case)
}
