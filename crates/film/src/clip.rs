//! Cutting lines and polygons to a box, so that no coordinate, however large, reaches the rasterizer.
//!
//! Edge by edge of the box, polygons by Sutherland and Hodgman (1974): a concave one may keep edges of no area along the
//! box, which lies outside the picture. In f64, where products of f32 coordinates do not overflow.

use glam::DVec2;

/// A box in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub low: DVec2,
    pub high: DVec2,
}

impl Bounds {
    /// The least box that holds the points; None without points.
    pub fn of(points: &[DVec2]) -> Option<Bounds> {
        let (&first, rest) = points.split_first()?;
        let hold = |bounds: Bounds, &point: &DVec2| Bounds { low: bounds.low.min(point), high: bounds.high.max(point) };
        Some(rest.iter().fold(Bounds { low: first, high: first }, hold))
    }

    /// A box grown on all sides.
    pub fn grown(self, by: f64) -> Bounds {
        Bounds { low: self.low - DVec2::splat(by), high: self.high + DVec2::splat(by) }
    }

    /// Whether two boxes share a point.
    pub fn meets(&self, other: &Bounds) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Whether `other` lies inside.
    pub fn holds(&self, other: &Bounds) -> bool {
        self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }
}

/// The part of the segment a–b inside the box.
pub(crate) fn clip_segment(mut a: DVec2, mut b: DVec2, bounds: &Bounds) -> Option<(DVec2, DVec2)> {
    for axis in 0..2 {
        for (edge, sign) in [(bounds.low[axis], 1.0), (bounds.high[axis], -1.0)] {
            match ((a[axis] - edge) * sign >= 0.0, (b[axis] - edge) * sign >= 0.0) {
                (true, true) => {}
                (true, false) => b = cut(a, b, axis, edge),
                (false, true) => a = cut(a, b, axis, edge),
                (false, false) => return None,
            }
        }
    }
    Some((a, b))
}

/// Where the way from a to b, which crosses an edge of the box, meets it: exactly on it, however long the way is.
fn cut(a: DVec2, b: DVec2, axis: usize, edge: f64) -> DVec2 {
    let mut point = a + (b - a) * ((edge - a[axis]) / (b[axis] - a[axis]));
    point[axis] = edge;
    point
}

/// The part of a polygon inside the box, left in `points`; `scratch` is overwritten.
pub(crate) fn clip_polygon(points: &mut Vec<DVec2>, scratch: &mut Vec<DVec2>, bounds: &Bounds) {
    for axis in 0..2 {
        for (edge, sign) in [(bounds.low[axis], 1.0), (bounds.high[axis], -1.0)] {
            scratch.clear();
            let Some(&last) = points.last() else { return };
            let mut before = last;
            for &point in points.iter() {
                let (was_in, is_in) = ((before[axis] - edge) * sign >= 0.0, (point[axis] - edge) * sign >= 0.0);
                if was_in != is_in {
                    scratch.push(cut(before, point, axis, edge));
                }
                if is_in {
                    scratch.push(point);
                }
                before = point;
            }
            std::mem::swap(points, scratch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOX: Bounds = Bounds { low: DVec2::ZERO, high: DVec2::splat(10.0) };

    fn area(points: &[DVec2]) -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>() * 0.5
    }

    #[test]
    fn lines_and_polygons_are_cut_at_the_box() {
        let cut = clip_segment(DVec2::new(-5.0, 5.0), DVec2::new(15.0, 5.0), &BOX);
        assert_eq!(cut, Some((DVec2::new(0.0, 5.0), DVec2::new(10.0, 5.0))));
        assert_eq!(clip_segment(DVec2::new(-5.0, 5.0), DVec2::new(5.0, 20.0), &BOX), None);
        assert_eq!(clip_segment(DVec2::splat(11.0), DVec2::splat(11.0), &BOX), None);
        let mut diamond =
            vec![DVec2::new(5.0, -5.0), DVec2::new(15.0, 5.0), DVec2::new(5.0, 15.0), DVec2::new(-5.0, 5.0)];
        clip_polygon(&mut diamond, &mut Vec::new(), &BOX);
        assert_eq!(area(&diamond), 100.0);
    }

    proptest! {
        /// The twin walks along the segment in small steps.
        #[test]
        fn a_cut_segment_keeps_the_points_in_the_box(a in any::<[i8; 2]>(), b in any::<[i8; 2]>(), share in 0.0f64..=1.0) {
            let [a, b] = [a, b].map(|[x, y]| DVec2::new(f64::from(x) / 4.0, f64::from(y) / 4.0));
            let point = a + (b - a) * share;
            let spot = Bounds { low: point, high: point };
            let is_inside = BOX.holds(&spot);
            match clip_segment(a, b, &BOX) {
                Some((from, to)) => {
                    let cut = Bounds::of(&[from, to]).expect("two points").grown(1e-9);
                    prop_assert!(!is_inside || cut.holds(&spot));
                    prop_assert!(BOX.grown(1e-8).holds(&cut));
                }
                None => prop_assert!(!is_inside),
            }
        }

        #[test]
        fn whatever_is_cut_lies_in_the_box(points in prop::collection::vec(any::<[f32; 2]>(), 0..9)) {
            let finite = points.iter().flatten().all(|x| x.is_finite());
            prop_assume!(finite);
            let mut points: Vec<DVec2> = points.iter().map(|p| DVec2::new(p[0].into(), p[1].into())).collect();
            if let [a, b, ..] = points[..] && let Some((a, b)) = clip_segment(a, b, &BOX) {
                prop_assert!(BOX.grown(1e-9).holds(&Bounds::of(&[a, b]).expect("two points")));
            }
            clip_polygon(&mut points, &mut Vec::new(), &BOX);
            if let Some(bounds) = Bounds::of(&points) {
                prop_assert!(BOX.grown(1e-9).holds(&bounds));
            }
        }
    }
}
