//! One pass of one body: what is around it, what it may do, where it goes.

use sentir::core::glam::Vec3;
use sentir::core::{math, plane};
use sentir::prelude::Stance;
use sentir_level::{Aabb, Blocks};

use super::contact::{self, Contact, Obstacle, Row};
use super::drive::STEP_ADVANCE_M;
use super::shape::{Capsule, Face};
use super::{BodyConfig, Bump, CharacterBody, Kind, Lane, SceneInfo, Slot, Touched, Track, ground};

/// Rounds of finding what a turned-aside move meets next. Corners need two or three.
const ROUNDS_MAX: u32 = 6;
/// Shares this close are met together: triangles of one flat wall.
const TIE: f32 = 1e-4;
/// Shares of the skin: below the first something is in the way, below the second nothing ever comes, and what is there
/// is pushed out.
const SKIN_BLOCKS: f32 = 0.75;
pub(super) const SKIN_HARD: f32 = 0.5;
/// Every body may use a little of the room to others, even if it does not want to, m.
const SHARE_M: f32 = 1e-3;
/// Bumps that take less are none, m.
const BUMP_MIN_M: f32 = 1e-4;

/// Finds the faces and bodies around each body of a job, lets it stand up where there is room, and asks how it must be
/// pushed.
pub(super) fn gather(
    scene: &SceneInfo<'_>,
    slots: &[Slot],
    first: usize,
    walkers: &mut [CharacterBody],
    tracks: &mut [Track],
    next: &mut [Slot],
    lane: &mut Lane,
) {
    lane.faces.clear();
    lane.near.clear();
    for (number, (walker, (track, next))) in (first..).zip(walkers.iter_mut().zip(tracks.iter_mut().zip(next))) {
        let config = track.config;
        let tall = Capsule { height_m: config.stand_m, ..walker.capsule() };
        let own_m = track.reach_m(scene.tick_s) + config.skin_m;
        let bounds = tall.bounds().grown(own_m);
        let step = Vec3::Y * config.step_up_m;
        let bounds = Aabb { low: bounds.low - step, high: bounds.high + step };
        let start = lane.faces.len() as u32;
        let faces = &mut lane.faces;
        scene.view.triangles_in(&bounds, Blocks::BODIES, |triangle| {
            faces.extend(Face::new(triangle, ground::is_walkable(scene.view, triangle.surface)));
        });
        track.faces = [start, lane.faces.len() as u32];
        let start = lane.near.len() as u32;
        let near = &mut lane.near;
        let around = config.radius_m + scene.radius_m + own_m + scene.reach_m;
        scene.index.visit_radius(plane::ground(walker.pose.position), around, |other, _| {
            if other as usize != number {
                near.push(other);
            }
        });
        track.near = [start, lane.near.len() as u32];
        rise(walker, track, slots, lane);
        next.capsule = walker.capsule();
        next.wish = push(scene, number, next.capsule, slots, track, lane);
    }
}

impl Track {
    pub(super) fn faces<'a>(&self, faces: &'a [Face]) -> &'a [Face] {
        &faces[self.faces[0] as usize..self.faces[1] as usize]
    }

    fn near<'a>(&self, near: &'a [u32]) -> &'a [u32] {
        &near[self.near[0] as usize..self.near[1] as usize]
    }
}

/// Takes the height of its stance where there is room above.
fn rise(walker: &mut CharacterBody, track: &Track, slots: &[Slot], lane: &mut Lane) {
    let config = &track.config;
    let wanted = track.stance;
    let height_m = config.height_m(wanted);
    if height_m > walker.height_m {
        // Only what grows must be free: feet may be in something they are being pushed out of.
        let lift = Vec3::Y * math::max(walker.height_m - 2.0 * config.radius_m, 0.0);
        let grown = Capsule { height_m: height_m - lift.y, ..walker.capsule().by(lift) };
        let skin_m = config.skin_m * SKIN_HARD;
        contact::find(&grown, track.faces(&lane.faces), skin_m, &mut lane.contacts);
        // What is beside it already, at its present height, does not count.
        let was = walker.capsule();
        let is_new = |contact: &Contact| contact.near.point.y > was.high().y;
        let hits_head = lane.contacts.iter().any(is_new);
        let hits_other = track.near(&lane.near).iter().any(|&other| {
            let other = &slots[other as usize].capsule;
            grown.apart(other).1 < skin_m && was.apart(other).1 >= skin_m
        });
        if hits_head || hits_other {
            walker.eye_m = math::min(config.crouch_eye_m, walker.height_m);
            return;
        }
        walker.height_m = height_m;
    }
    walker.stance = wanted;
    walker.eye_m = if wanted == Stance::Stand { config.stand_eye_m } else { config.crouch_eye_m };
}

/// The way out of all that a body overlaps, and along with what carries it.
fn push(
    scene: &SceneInfo<'_>,
    number: usize,
    capsule: Capsule,
    slots: &[Slot],
    track: &Track,
    lane: &mut Lane,
) -> Vec3 {
    let Lane { faces, near, contacts, rows } = lane;
    let (faces, near) = (track.faces(faces), track.near(near));
    let skin_m = track.config.skin_m;
    rows.clear();
    contact::find(&capsule, faces, skin_m * SKIN_HARD, contacts);
    let row = |normal: Vec3, depth_m: f32, from: Obstacle| Row {
        normal,
        gap_m: -depth_m,
        gap_hard_m: 0.0,
        along: normal,
        load_m: 0.0,
        per_load: 1.0,
        from,
    };
    let is_inside = contacts.iter().any(|contact| contact.near.distance_m < capsule.radius_m * 0.9)
        && scene.view.is_inside((capsule.low() + capsule.high()) * 0.5);
    if is_inside {
        // In a closed solid, the nearest surface looks the wrong way: leave by the front that is nearest.
        let depth = |contact: &Contact| {
            let face = &faces[contact.face as usize];
            capsule.radius_m + skin_m - math::min(face.side(capsule.low()), face.side(capsule.high()))
        };
        let out = sentir::core::order::least(contacts.iter().map(depth));
        if let Some(contact) = out.and_then(|index| contacts.get(index)) {
            rows.push(row(faces[contact.face as usize].normal, depth(contact), Obstacle::Face(contact.face)));
        }
    } else {
        for contact in contacts.iter() {
            let depth_m = capsule.radius_m + skin_m - contact.near.distance_m;
            rows.push(row(contact.near.normal, depth_m, Obstacle::Face(contact.face)));
        }
    }
    for &other in near {
        let (normal, gap_m) = capsule.apart(&slots[other as usize].capsule);
        if gap_m < skin_m * SKIN_HARD {
            let normal = normal.unwrap_or(parting(number, other));
            rows.push(row(normal, (skin_m - gap_m) * 0.5, Obstacle::Body(other)));
        }
    }
    let most = track.config.push_m_per_s_max * scene.tick_s;
    let out = if rows.is_empty() { Vec3::ZERO } else { contact::solve(rows, track.carried) - track.carried };
    track.carried + out.clamp_length_max(most)
}

/// A way to part for two bodies at the very same place.
fn parting(number: usize, other: u32) -> Vec3 {
    if number < other as usize { Vec3::X } else { Vec3::NEG_X }
}

/// Takes one body through one pass.
pub(super) fn run(
    scene: &SceneInfo<'_>,
    kind: Kind,
    number: usize,
    slots: &[Slot],
    track: &mut Track,
    next: &mut Slot,
    lane: &mut Lane,
) {
    let slot = slots[number];
    *next = slot;
    if slot.wish == Vec3::ZERO {
        return;
    }
    let Lane { faces, near, contacts, rows } = lane;
    let faces = track.faces(faces);
    if kind == Kind::Drop && ground::is_down(&slot.capsule, faces, contacts, &track.config) {
        return;
    }
    rows.clear();
    body_rows(number, slots, track, track.near(near), rows);
    let mut mover =
        Mover { faces, contacts, rows, config: &track.config, is_walking: track.is_walking, ignores_overlap: false };
    let way = match kind {
        Kind::Push => {
            mover.is_walking = false;
            mover.ignores_overlap = true;
            mover.slide(slot.capsule, slot.wish)
        }
        Kind::Slide(_) => {
            let way = mover.slide(slot.capsule, slot.wish);
            note_bumps(number, track.support_m, &mover, &mut track.bumps);
            let way = ground::climb(&mut mover, slot.capsule, slot.wish, way, track.support_m).unwrap_or(way);
            let way = ground::rail(scene, &mut mover, slot.capsule, slot.wish, way);
            track.gone += way;
            way
        }
        Kind::Drop => ground::drop(scene, &mut mover, slot.capsule, slot.wish),
    };
    next.capsule.feet += way;
}

/// Adds a row for every body that could be met in this pass.
fn body_rows(number: usize, slots: &[Slot], track: &Track, near: &[u32], rows: &mut Vec<Row>) {
    let me = &slots[number];
    let skin_m = track.config.skin_m;
    let reach_m = math::max(me.wish.length(), STEP_ADVANCE_M) * 2.0;
    for &other in near {
        let slot = &slots[other as usize];
        let (normal, gap_m) = me.capsule.apart(&slot.capsule);
        let normal = normal.unwrap_or(parting(number, other));
        // The room is shared by how much of it each wants; the other side comes to the same split.
        let mine = math::max(-normal.dot(me.wish), 0.0) + SHARE_M;
        let theirs = math::max(normal.dot(slot.wish), 0.0) + SHARE_M;
        let share = mine / (mine + theirs);
        // Out of reach whatever it does: no row.
        if math::max(gap_m - skin_m, 0.0) * share > reach_m + track.config.step_up_m * normal.y.abs() {
            continue;
        }
        let level = Vec3::new(normal.x, 0.0, normal.z);
        let along = if track.is_walking && level.length_squared() > 0.1 { level.normalize_or_zero() } else { normal };
        rows.push(Row {
            normal,
            gap_m: math::max(gap_m - skin_m, 0.0) * share,
            gap_hard_m: math::max(gap_m - skin_m * SKIN_HARD, 0.0) * share,
            along,
            load_m: 0.0,
            per_load: 1.0,
            from: Obstacle::Body(other),
        });
    }
}

/// What a body moves with.
pub(super) struct Mover<'a> {
    pub faces: &'a [Face],
    pub contacts: &'a mut Vec<Contact>,
    pub rows: &'a mut Vec<Row>,
    pub config: &'a BodyConfig,
    /// Whether walls turn it aside on the level and slopes turn it up.
    pub is_walking: bool,
    /// Whether what it overlaps is left out: then it is on its way out of it.
    pub ignores_overlap: bool,
}

impl Mover<'_> {
    /// The move nearest to `wish` that stays clear of everything.
    pub(super) fn slide(&mut self, capsule: Capsule, wish: Vec3) -> Vec3 {
        let skin_m = self.config.skin_m;
        let reach_m = wish.length() * 2.0;
        self.rows.retain(|row| matches!(row.from, Obstacle::Body(_)));
        contact::find(&capsule, self.faces, reach_m + skin_m, self.contacts);
        if self.ignores_overlap {
            let least = capsule.radius_m + skin_m * SKIN_HARD;
            self.contacts.retain(|contact| contact.near.distance_m >= least);
        }
        let mut way = if self.rows.is_empty() { wish } else { contact::solve(self.rows, wish) };
        for _ in 0..ROUNDS_MAX {
            let met = self.first_met(&capsule, way);
            if met >= 1.0 {
                break;
            }
            // Only what is met first, and what is met with it: the rest may not be in the way of the turned-aside move.
            for index in 0..self.contacts.len() {
                let contact = self.contacts[index];
                if !contact.is_active && self.share_to(&capsule, &contact, way) <= met + TIE {
                    self.contacts[index].is_active = true;
                    self.rows.push(self.face_row(&capsule, &contact));
                }
            }
            way = contact::solve(self.rows, wish);
        }
        let way = way.clamp_length_max(reach_m);
        way * self.clear_share(&capsule, way)
    }

    /// The share of a way to a contact that would be in the way.
    fn share_to(&self, capsule: &Capsule, contact: &Contact, way: Vec3) -> f32 {
        let face = &self.faces[contact.face as usize];
        contact::permitted(capsule, contact, face, way, self.config.skin_m * SKIN_BLOCKS)
    }

    /// The share of a way to the first contact that is not yet reckoned with; 1 when there is none.
    fn first_met(&self, capsule: &Capsule, way: Vec3) -> f32 {
        let new = self.contacts.iter().filter(|contact| !contact.is_active);
        new.fold(1.0, |least, contact| math::min(least, self.share_to(capsule, contact, way)))
    }

    /// The share of a way that is safe whatever the solver came to.
    fn clear_share(&self, capsule: &Capsule, way: Vec3) -> f32 {
        let mut share = contact::permitted_by_rows(self.rows, way);
        if way == Vec3::ZERO {
            return 0.0;
        }
        let skin_m = self.config.skin_m * SKIN_HARD;
        for contact in self.contacts.iter() {
            let face = &self.faces[contact.face as usize];
            share = math::min(share, contact::permitted(capsule, contact, face, way, skin_m));
        }
        if share < 1.0 { share * 0.999 } else { 1.0 }
    }

    fn face_row(&self, capsule: &Capsule, contact: &Contact) -> Row {
        let normal = contact.near.normal;
        let level = Vec3::new(normal.x, 0.0, normal.z);
        let along = if !self.is_walking {
            normal
        } else if normal.y >= self.config.slope_cos_min {
            Vec3::Y
        } else if level.length_squared() > 0.01 {
            level.normalize_or_zero()
        } else {
            normal
        };
        let gap_m = contact.near.distance_m - capsule.radius_m;
        Row {
            normal,
            gap_m: math::max(gap_m - self.config.skin_m, 0.0),
            gap_hard_m: math::max(gap_m - self.config.skin_m * SKIN_HARD, 0.0),
            along,
            load_m: 0.0,
            per_load: 1.0,
            from: Obstacle::Face(contact.face),
        }
    }
}

/// Keeps the wall and the walker that took most.
fn note_bumps(number: usize, support_m: f32, mover: &Mover<'_>, bumps: &mut [Option<Bump>; 2]) {
    for row in mover.rows.iter().filter(|row| row.load_m > BUMP_MIN_M) {
        let (place, touched) = match row.from {
            // Ground and steps are no walls.
            Obstacle::Face(_) if row.normal.y >= mover.config.slope_cos_min => continue,
            Obstacle::Face(face) if ground::is_low(&mover.faces[face as usize], support_m, mover.config) => continue,
            Obstacle::Face(_) => (0, Touched::Wall),
            Obstacle::Body(other) => (1, Touched::CharacterBody(other)),
        };
        if bumps[place].is_none_or(|bump| row.load_m > bump.lost_m) {
            let walker = u32::try_from(number).unwrap_or(u32::MAX);
            bumps[place] = Some(Bump { walker, touched, normal: row.normal, lost_m: row.load_m });
        }
    }
}
