//! The slow, obvious twin of the rasterizer: one ray through the middle of each pixel against every triangle, in double
//! precision. Shared with the example `oracle`, which holds it against real levels.

use sentir_core::glam::{DVec3, Vec3};
use sentir_vision::{Class, Eye, Retina};

/// How far from a pixel's middle an edge may lie to excuse it, pixels. Single floats place a corner up to a few thousandths
/// of a pixel off, more where a triangle runs far off the picture.
const EDGE_PX: f64 = 0.05;
/// Where around a pixel's middle an edge is looked for, as shares of [`EDGE_PX`].
const AROUND: [(f64, f64); 12] = [
    (1.0, 0.0),
    (0.0, 1.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.7, 0.7),
    (-0.7, 0.7),
    (-0.7, -0.7),
    (0.7, -0.7),
    (0.3, 0.1),
    (-0.1, 0.3),
    (-0.3, -0.1),
    (0.1, -0.3),
];
/// How much depth may differ.
pub const DEPTH_OFF_MAX: f64 = 1e-3;

/// How a picture and rays compare.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict {
    /// Pixels that were compared.
    pub pixels: u32,
    /// Pixels of another class, or whose depth is off by more than [`DEPTH_OFF_MAX`].
    pub differing: u32,
    /// Those of them that no edge within [`EDGE_PX`] explains.
    pub unexplained: u32,
    /// The greatest difference of depth among the others.
    pub depth_off: f64,
}

/// A triangle ready to be met by rays from one place.
struct Target {
    /// The eye's offset from the first corner, and the two sides.
    off: DVec3,
    sides: [DVec3; 2],
    turn: DVec3,
    normal: DVec3,
}

/// Where a way from the eye meets a triangle, m along the view.
fn meet(way: DVec3, target: &Target) -> Option<f64> {
    let ac = target.sides[1];
    let volume = -way.dot(target.normal);
    if volume == 0.0 {
        return None;
    }
    let first = target.off.dot(way.cross(ac)) / volume;
    if !(0.0..=1.0).contains(&first) {
        return None;
    }
    let second = way.dot(target.turn) / volume;
    let along = ac.dot(target.turn) / volume;
    (second >= 0.0 && first + second <= 1.0).then_some(along)
}

/// What a ray finds: distance along the view and class.
fn found(way: DVec3, lens: &sentir_vision::Lens, targets: &[Target]) -> Option<(f64, Class)> {
    let range = f64::from(lens.near_m)..f64::from(lens.far_m);
    let mut best: Option<(f64, &Target)> = None;
    for target in targets {
        if let Some(along) = meet(way, target)
            && range.contains(&along)
            && best.is_none_or(|(nearest, _)| along < nearest)
        {
            best = Some((along, target));
        }
    }
    best.map(|(along, target)| {
        let up = target.normal.y / target.normal.length();
        let up = if target.normal.dot(way) < 0.0 { up } else { -up };
        (along, Class::of_slope(up as f32))
    })
}

/// Compares a picture of these triangles with rays, every `step`th column and row, and adds to a verdict.
pub fn compare(retina: &Retina, eye: &Eye, triangles: &[[Vec3; 3]], step: usize, verdict: &mut Verdict) {
    let lens = *retina.lens();
    let from = eye.position.as_dvec3();
    let targets: Vec<Target> = triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            let (off, sides) = (from - a, [b - a, c - a]);
            Target { off, sides, turn: off.cross(sides[0]), normal: sides[0].cross(sides[1]) }
        })
        .collect();
    let span = f64::from(lens.far_m) - f64::from(lens.near_m);
    // The picture's own axes: one pixel to the right and one up.
    let [zero, right, up] = [(0, 0), (1, 0), (0, 1)].map(|(column, row)| retina.way(column, row).as_dvec3());
    let (right, up) = (right - zero, up - zero);
    for row in (0..lens.height).step_by(step) {
        for column in (0..lens.width).step_by(step) {
            let pixel = retina.at(column, row);
            let class = retina.class(pixel);
            // How far off the depth is, where the class is the same.
            let off = |way: DVec3| match found(way, &lens, &targets) {
                Some((along, other)) => {
                    let depth = (along - f64::from(lens.near_m)) / span;
                    (other == class).then(|| (depth - f64::from(pixel.depth)).abs())
                }
                None => (class == Class::NOTHING).then_some(0.0),
            };
            let way = retina.way(column, row).as_dvec3();
            verdict.pixels += 1;
            match off(way).filter(|off| *off <= DEPTH_OFF_MAX) {
                Some(off) => verdict.depth_off = if off > verdict.depth_off { off } else { verdict.depth_off },
                None => {
                    verdict.differing += 1;
                    let near = AROUND.map(|(x, y)| way + (right * x + up * y) * EDGE_PX);
                    let is_edge = near.into_iter().any(|way| off(way).is_some_and(|off| off <= DEPTH_OFF_MAX));
                    verdict.unexplained += u32::from(!is_edge);
                }
            }
        }
    }
}
