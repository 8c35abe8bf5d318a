//! Convex polygons in space, cut by planes. Units and axes of the file, double precision.

use glam::DVec3;

use super::lump::Plane;

/// How far from a plane a point counts as on it, units.
pub(crate) const ON_UNITS: f64 = 0.01;
/// How near to a whole number a coordinate is taken as it, units: compilers keep planes, and corners come back a little off.
const SNAP_UNITS: f64 = 0.02;
/// Half the side of the square that a plane begins with, units: more than any level.
const HALF_UNITS: f64 = 1_000_000.0;

/// A plane in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    pub normal: DVec3,
    pub distance: f64,
}

impl Cut {
    pub(crate) fn new(plane: &Plane) -> Cut {
        let normal = DVec3::from_array(plane.normal.map(f64::from));
        Cut { normal, distance: f64::from(plane.distance) }
    }

    /// How far a point is in front.
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.distance
    }
}

/// A convex polygon, counter-clockwise seen from the side its normal points to. Empty is nothing.
pub(crate) type Winding = Vec<DVec3>;

/// A square on the plane, larger than any level.
pub(crate) fn square(cut: &Cut) -> Winding {
    let normal = cut.normal;
    let (x, y, z) = (normal.x.abs(), normal.y.abs(), normal.z.abs());
    let up = if z > x && z > y { DVec3::X } else { DVec3::Z };
    let up = (up - normal * up.dot(normal)).normalize() * HALF_UNITS;
    let right = up.cross(normal);
    let middle = normal * cut.distance;
    vec![middle - right - up, middle + right - up, middle + right + up, middle - right + up]
}

/// On which side of a plane a polygon lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lies {
    /// In the plane.
    On,
    /// Nothing of it is behind.
    Front,
    /// Nothing of it is in front.
    Back,
    /// On both sides.
    Across,
}

pub(crate) fn lies(winding: &[DVec3], cut: &Cut) -> Lies {
    let (mut is_front, mut is_back) = (false, false);
    for &point in winding {
        let height = cut.height(point);
        is_front |= height > ON_UNITS;
        is_back |= height < -ON_UNITS;
    }
    match (is_front, is_back) {
        (false, false) => Lies::On,
        (true, false) => Lies::Front,
        (false, true) => Lies::Back,
        (true, true) => Lies::Across,
    }
}

/// The parts in front of a plane and behind it, of a polygon that lies across.
pub(crate) fn split(winding: &[DVec3], cut: &Cut) -> (Winding, Winding) {
    let (mut front, mut back) = (Vec::with_capacity(winding.len() + 1), Vec::with_capacity(winding.len() + 1));
    for (index, &from) in winding.iter().enumerate() {
        let to = winding[(index + 1) % winding.len()];
        let (here, there) = (cut.height(from), cut.height(to));
        if here >= -ON_UNITS {
            front.push(from);
        }
        if here <= ON_UNITS {
            back.push(from);
        }
        let crosses = (here > ON_UNITS && there < -ON_UNITS) || (here < -ON_UNITS && there > ON_UNITS);
        if crosses {
            // The same point whichever way round the edge is walked.
            let (high, low, above, below) =
                if here > there { (from, to, here, there) } else { (to, from, there, here) };
            let point = high + (low - high) * (above / (above - below));
            front.push(point);
            back.push(point);
        }
    }
    (front, back)
}

/// What of a polygon is behind a plane.
pub(crate) fn behind(winding: Winding, cut: &Cut) -> Winding {
    match lies(&winding, cut) {
        Lies::Back => winding,
        Lies::On | Lies::Front => Vec::new(),
        Lies::Across => split(&winding, cut).1,
    }
}

/// Twice the area, along the normal.
pub(crate) fn cross(winding: &[DVec3]) -> DVec3 {
    let Some(&first) = winding.first() else { return DVec3::ZERO };
    winding.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

/// Corners at whole numbers where they nearly are, and none twice.
pub(crate) fn snapped(winding: &[DVec3]) -> Winding {
    let snap = |x: f64| if (x - x.round()).abs() < SNAP_UNITS { x.round() } else { x };
    let mut corners: Winding = Vec::with_capacity(winding.len());
    for point in winding {
        let point = DVec3::new(snap(point.x), snap(point.y), snap(point.z));
        if corners.last() != Some(&point) && corners.first() != Some(&point) {
            corners.push(point);
        }
    }
    if corners.len() < 3 { Vec::new() } else { corners }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(normal: [f64; 3], distance: f64) -> Cut {
        Cut { normal: DVec3::from_array(normal).normalize(), distance }
    }

    fn normal() -> impl Strategy<Value = [f64; 3]> {
        [-1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0].prop_filter("long enough", |[x, y, z]| x * x + y * y + z * z > 0.1)
    }

    proptest! {
        #[test]
        fn squares_lie_in_their_plane_and_look_along_its_normal(normal in normal(), distance in -1000.0f64..1000.0) {
            let cut = cut(normal, distance);
            let square = square(&cut);
            prop_assert_eq!(lies(&square, &cut), Lies::On);
            prop_assert!(cross(&square).dot(cut.normal) > HALF_UNITS);
        }

        #[test]
        fn both_parts_of_a_split_have_the_whole_area(normal in normal(), distance in -40.0f64..40.0) {
            let floor = Cut { normal: DVec3::Z, distance: 0.0 };
            let whole: Winding = [[-50.0, -50.0], [50.0, -50.0], [50.0, 50.0], [-50.0, 50.0]].map(|[x, y]| DVec3::new(x, y, 0.0)).to_vec();
            let knife = cut(normal, distance);
            if lies(&whole, &knife) == Lies::Across {
                let (front, back) = split(&whole, &knife);
                let area = |winding: &[DVec3]| cross(winding).dot(floor.normal);
                prop_assert!((area(&front) + area(&back) - area(&whole)).abs() < 1e-6 * area(&whole));
                prop_assert!(area(&front) >= 0.0 && area(&back) >= 0.0);
                prop_assert!(front.iter().all(|&point| knife.height(point) > -2.0 * ON_UNITS));
                prop_assert!(back.iter().all(|&point| knife.height(point) < 2.0 * ON_UNITS));
            }
        }
    }

    #[test]
    fn corners_that_are_nearly_whole_become_whole_and_doubles_go() {
        let near = [[0.001, 0.0, 0.0], [8.0, 0.01, 0.0], [8.0, 0.015, 0.0], [8.0, 8.4, 0.0]];
        let corners = snapped(&near.map(DVec3::from_array));
        assert_eq!(corners, [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 8.4, 0.0]].map(DVec3::from_array));
        assert!(snapped(&near[..1].iter().map(|&at| DVec3::from_array(at)).collect::<Vec<_>>()).is_empty());
    }
}
