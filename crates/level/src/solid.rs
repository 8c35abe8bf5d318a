//! Authored primitives become triangles: closed shapes with their fronts outside, and what they look like from above.

use glam::{Vec2, Vec3};
use sentir_core::plane;

use crate::spec::{BoxSpec, RampSpec, SlabSpec, StairsSpec, WallSpec};
use crate::tree::Triangle;

/// What a patch of the level is, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchKind {
    /// Something to walk on: slabs and meshes.
    Ground,
    /// Something in the way: boxes and walls.
    Block,
    /// A slope or a step.
    Rise,
}

/// An upper face, for drawing and for what thinks in 2D.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// What it is.
    pub kind: PatchKind,
    /// Its border, counter-clockwise from above, m.
    pub corners: Vec<Vec3>,
    /// Where the body below it ends, m.
    pub foot_m: f32,
    /// Its surface class.
    pub surface: u16,
    /// The floor it was authored on.
    pub floor: u16,
}

/// Where triangles and patches go.
#[derive(Debug, Default)]
pub(crate) struct Build {
    pub triangles: Vec<Triangle>,
    pub patches: Vec<Patch>,
    /// Triangles without area, left out.
    pub dropped: u32,
}

/// What a solid is made of and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuff {
    pub surface: u16,
    pub blocks: u8,
    pub floor: u16,
    /// Height of its foot (of its top, for a slab), m.
    pub base_m: f32,
}

/// Sine and cosine of an authored angle; exact for quarter turns, so that boxes stay square.
pub(crate) fn turn(yaw_deg: f32) -> (f32, f32) {
    match yaw_deg {
        0.0 => (0.0, 1.0),
        90.0 | -270.0 => (1.0, 0.0),
        180.0 | -180.0 => (0.0, -1.0),
        -90.0 | 270.0 => (-1.0, 0.0),
        _ => sentir_core::math::sin_cos(yaw_deg.to_radians()),
    }
}

/// A ground vector turned counter-clockwise.
pub(crate) fn turned(vector: Vec2, (sin, cos): (f32, f32)) -> Vec2 {
    Vec2::new(vector.x * cos - vector.y * sin, vector.x * sin + vector.y * cos)
}

impl Build {
    pub(crate) fn triangle(&mut self, corners: [Vec3; 3], stuff: Stuff, is_closed: bool) {
        let triangle = Triangle { corners, surface: stuff.surface, blocks: stuff.blocks, is_closed };
        // Thinner than a micrometer squared, no ray finds it and its normal is noise.
        if triangle.cross().length_squared() > 1e-24 {
            self.triangles.push(triangle);
        } else {
            self.dropped += 1;
        }
    }

    fn quad(&mut self, [a, b, c, d]: [Vec3; 4], stuff: Stuff) {
        self.triangle([a, b, c], stuff, true);
        self.triangle([a, c, d], stuff, true);
    }

    /// A right-angled body over a counter-clockwise quad, with a top that may be higher at its far side.
    fn prism(&mut self, foot: [Vec2; 4], low_m: f32, tops_m: [f32; 4], kind: PatchKind, stuff: Stuff) {
        let bottom = foot.map(|corner| plane::lift(corner, low_m));
        let top: [Vec3; 4] = std::array::from_fn(|index| plane::lift(foot[index], tops_m[index]));
        self.quad(top, stuff);
        self.quad([bottom[3], bottom[2], bottom[1], bottom[0]], stuff);
        for index in 0..4 {
            let next = (index + 1) % 4;
            // At a ramp's foot the side has no height.
            for side in [[bottom[index], bottom[next], top[next]], [bottom[index], top[next], top[index]]] {
                if side[0] != side[1] && side[1] != side[2] && side[2] != side[0] {
                    self.triangle(side, stuff, true);
                }
            }
        }
        let (corners, surface, floor) = (top.to_vec(), stuff.surface, stuff.floor);
        self.patches.push(Patch { kind, corners, foot_m: low_m, surface, floor });
    }

    pub(crate) fn block(&mut self, spec: &BoxSpec, stuff: Stuff) {
        let [x, y] = spec.size.map(|size| size * 0.5);
        let frame = turn(spec.yaw_deg);
        let foot = [Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)];
        let foot = foot.map(|corner| Vec2::from(spec.at) + turned(corner, frame));
        self.prism(foot, stuff.base_m, [stuff.base_m + spec.height_m; 4], PatchKind::Block, stuff);
    }

    /// One body a segment. At inner corners they overlap by half the thickness, so that no notch is left.
    pub(crate) fn wall(&mut self, spec: &WallSpec, stuff: Stuff) {
        let corners: Vec<Vec2> = spec.along.iter().map(|&corner| corner.into()).collect();
        let count = corners.len();
        let segments = if spec.is_closed { count } else { count - 1 };
        for index in 0..segments {
            let (from, to) = (corners[index], corners[(index + 1) % count]);
            let along = plane::direction(to - from) * (spec.thickness_m * 0.5);
            let (starts_free, ends_free) = (index == 0, index + 1 == segments);
            let from = if starts_free && !spec.is_closed { from } else { from - along };
            let to = if ends_free && !spec.is_closed { to } else { to + along };
            let left = plane::left_of(along);
            let foot = [from - left, to - left, to + left, from + left];
            self.prism(foot, stuff.base_m, [stuff.base_m + spec.height_m; 4], PatchKind::Block, stuff);
        }
    }

    pub(crate) fn ramp(&mut self, spec: &RampSpec, stuff: Stuff) {
        let foot = strip(spec.from, spec.to, spec.width_m, 0.0, 1.0);
        let (low, high) = (stuff.base_m, stuff.base_m + spec.rise_m);
        self.prism(foot, low, [low, high, high, low], PatchKind::Rise, stuff);
    }

    pub(crate) fn stairs(&mut self, spec: &StairsSpec, stuff: Stuff) {
        let share = |step: u32| step as f32 / spec.steps as f32;
        for step in 0..spec.steps {
            let foot = strip(spec.from, spec.to, spec.width_m, share(step), share(step + 1));
            let top = stuff.base_m + spec.rise_m * share(step + 1);
            self.prism(foot, stuff.base_m, [top; 4], PatchKind::Rise, stuff);
        }
    }

    /// A plate over checked rings, cut into `flat` already.
    pub(crate) fn slab(&mut self, spec: &SlabSpec, rings: &[Vec<Vec2>], flat: &[[Vec2; 3]], stuff: Stuff) {
        let (top, low) = (stuff.base_m, stuff.base_m - spec.thickness_m);
        let is_closed = spec.thickness_m > 0.0;
        for corners in flat {
            self.triangle(corners.map(|corner| plane::lift(corner, top)), stuff, is_closed);
            if is_closed {
                let [a, b, c] = corners.map(|corner| plane::lift(corner, low));
                self.triangle([c, b, a], stuff, true);
            }
            let corners = corners.map(|corner| plane::lift(corner, top)).to_vec();
            let (surface, floor) = (stuff.surface, stuff.floor);
            self.patches.push(Patch { kind: PatchKind::Ground, corners, foot_m: low, surface, floor });
        }
        // A plain plate is one patch: no seams to be seen.
        if let [border] = rings {
            self.patches.truncate(self.patches.len() - flat.len());
            let corners = border.iter().map(|&corner| plane::lift(corner, top)).collect();
            let (surface, floor) = (stuff.surface, stuff.floor);
            self.patches.push(Patch { kind: PatchKind::Ground, corners, foot_m: low, surface, floor });
        }
        for (number, ring) in rings.iter().enumerate().filter(|_| is_closed) {
            for index in 0..ring.len() {
                let (a, b) = (ring[index], ring[(index + 1) % ring.len()]);
                // The sides of a hole look into it.
                let (a, b) = if number == 0 { (a, b) } else { (b, a) };
                let corner = |at: Vec2, height: f32| plane::lift(at, height);
                self.quad([corner(a, low), corner(b, low), corner(b, top), corner(a, top)], stuff);
            }
        }
    }
}

/// The counter-clockwise quad over the part `begin..end` of the way, to both sides of it.
fn strip(from: [f32; 2], to: [f32; 2], width_m: f32, begin: f32, end: f32) -> [Vec2; 4] {
    let (from, to) = (Vec2::from(from), Vec2::from(to));
    let left = plane::left_of(plane::direction(to - from)) * (width_m * 0.5);
    let at = |share: f32| {
        Vec2::new(sentir_core::math::lerp(from.x, to.x, share), sentir_core::math::lerp(from.y, to.y, share))
    };
    let (begin, end) = (at(begin), at(end));
    [begin - left, end - left, end + left, begin + left]
}
