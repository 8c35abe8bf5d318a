//! The layers beside length and exposure: terrain, influence, lines of fire, points, stance, and the user's own.
//!
//! Fields and distances are sampled in the middle of steps along the segment, counted in whole numbers; lines of fire are
//! clipped exactly. Each layer's cost per meter at weight 1 is 0..=1 (terrain: the factor less 1; a line of fire: 1 a
//! perpendicular crossing), so weights read as 'meters of detour a meter of this is worth'.

use std::fmt;

use sentir_core::glam::{DVec2, Vec2};

use super::exposure::steps;
use super::layer::{CostLayer, LayerKind, Segment};
use crate::mesh::{AreaCost, AreaCosts};

/// Whether something is sought or shunned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    /// Ways without it cost more.
    Seek,
    /// Ways with it cost more.
    Shun,
}

/// `value` within 0..=1; NaN is 0.
fn unit(value: f64) -> f64 {
    if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 }
}

/// The sum of `rate` along a segment: the middle of each step, times its length.
fn along(segment: &Segment, step_m: f64, mut rate: impl FnMut(DVec2) -> f64) -> f64 {
    let length = segment.length_m();
    if !(length > 0.0 && length.is_finite()) {
        return 0.0;
    }
    let count = steps(length, step_m);
    let way = segment.to - segment.from;
    let mut sum = 0.0;
    for number in 0..count {
        sum += rate(segment.from + way * ((f64::from(number) + 0.5) / f64::from(count)));
    }
    sum * length / f64::from(count)
}

/// What the unit type thinks of kinds of ground: length times (factor − 1).
#[derive(Clone, Copy, Debug)]
pub struct Terrain<'a> {
    /// Factors; an impassable area one stands in counts as plain ground. Closing areas to a search is the request's part.
    pub costs: &'a AreaCosts,
}

impl CostLayer for Terrain<'_> {
    fn kind(&self) -> LayerKind {
        LayerKind::Terrain
    }

    fn cost(&self, segment: &Segment) -> f64 {
        match self.costs.cost(segment.area) {
            AreaCost::Times(factor) if segment.link_cost_m.is_none() => (f64::from(factor) - 1.0) * segment.length_m(),
            _ => 0.0,
        }
    }
}

/// Why a field is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// There is not one value for each cell, or no cell.
    BadSize {
        /// Values there are.
        values: u64,
        /// Values there should be.
        expected: u64,
    },
    /// The origin, a side or a value is not finite, or the side is not over 0.
    NotFinite,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldError::BadSize { values, expected } => {
                write!(f, "the field has {values} values: expected {expected}, one a cell and at least one")
            }
            FieldError::NotFinite => write!(f, "the field has a value, origin or cell size that is no plain number"),
        }
    }
}

impl std::error::Error for FieldError {}

/// A scalar on the ground of one floor: a grid of values at the middles of cells, straight in between.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    origin: Vec2,
    cell_m: f32,
    columns: u32,
    rows: u32,
    values: Vec<f32>,
    /// Heights it counts at, m: least and greatest.
    pub band_m: [f32; 2],
}

impl Field {
    /// A field that counts at all heights; `origin` is the corner with the least coordinates, values come row by row.
    ///
    /// # Errors
    /// When there is not one finite value a cell.
    pub fn new(origin: Vec2, cell_m: f32, [columns, rows]: [u32; 2], values: Vec<f32>) -> Result<Field, FieldError> {
        let expected = u64::from(columns) * u64::from(rows);
        if expected == 0 || values.len() as u64 != expected {
            return Err(FieldError::BadSize { values: values.len() as u64, expected });
        }
        let is_plain = origin.is_finite() && cell_m.is_finite() && cell_m > 0.0;
        if !is_plain || values.iter().any(|value| !value.is_finite()) {
            return Err(FieldError::NotFinite);
        }
        Ok(Field { origin, cell_m, columns, rows, values, band_m: [f32::NEG_INFINITY, f32::INFINITY] })
    }

    /// The value at a ground point; 0 off the grid.
    pub fn sample(&self, at: DVec2) -> f64 {
        let cell = (at - self.origin.as_dvec2()) / f64::from(self.cell_m);
        let is_on = cell.x >= 0.0 && cell.y >= 0.0 && cell.x <= self.columns.into() && cell.y <= self.rows.into();
        if !is_on {
            return 0.0;
        }
        let axis = |at: f64, count: u32| {
            let at = at - 0.5;
            let low = if at > 0.0 { at } else { 0.0 };
            let first = (low as u32).min(count - 1);
            (first, (first + 1).min(count - 1), unit(low - f64::from(first)))
        };
        let (left, right, u) = axis(cell.x, self.columns);
        let (below, above, v) = axis(cell.y, self.rows);
        let value =
            |column: u32, row: u32| f64::from(self.values[row as usize * self.columns as usize + column as usize]);
        let row = |row: u32| value(left, row) * (1.0 - u) + value(right, row) * u;
        row(below) * (1.0 - v) + row(above) * v
    }
}

/// The strength of others on the ground.
#[derive(Clone, Copy, Debug)]
pub struct Influence<'a> {
    /// One field a floor; the first one whose heights fit counts.
    pub fields: &'a [Field],
    /// Whether it is sought or shunned.
    pub taste: Taste,
    /// The strength that counts as full. Limit: > 0; otherwise the layer is free.
    pub full: f64,
}

impl CostLayer for Influence<'_> {
    fn kind(&self) -> LayerKind {
        LayerKind::Influence
    }

    fn cost(&self, segment: &Segment) -> f64 {
        let is_on = |field: &&Field| segment.height_m >= field.band_m[0] && segment.height_m <= field.band_m[1];
        let Some(field) = self.fields.iter().find(is_on) else { return 0.0 };
        if self.full.is_nan() || self.full <= 0.0 {
            return 0.0;
        }
        along(segment, f64::from(field.cell_m) * 0.5, |at| {
            let share = unit(field.sample(at) / self.full);
            if self.taste == Taste::Shun { share } else { 1.0 - share }
        })
    }
}

/// A friend's line of fire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FireLine {
    /// Where the muzzle is, on the ground, m.
    pub from: Vec2,
    /// What is shot at, m.
    pub to: Vec2,
    /// How broad it is, m. Limit: > 0; otherwise nothing is in it.
    pub width_m: f32,
}

/// Friendly lines of fire: 1 a straight crossing, more for a slanting one; going along it is dearest.
#[derive(Clone, Copy, Debug)]
pub struct FireLines<'a> {
    /// The lines.
    pub lines: &'a [FireLine],
}

impl CostLayer for FireLines<'_> {
    fn kind(&self) -> LayerKind {
        LayerKind::Fire
    }

    fn cost(&self, segment: &Segment) -> f64 {
        let length = segment.length_m();
        self.lines
            .iter()
            .map(|line| length * share_in(line, segment) / f64::from(line.width_m))
            .filter(|it| *it > 0.0)
            .sum()
    }
}

/// The share of a segment within the rectangle of a line.
fn share_in(line: &FireLine, segment: &Segment) -> f64 {
    let (from, to, half) = (line.from.as_dvec2(), line.to.as_dvec2(), f64::from(line.width_m) * 0.5);
    let way = to - from;
    let length = way.length();
    if !(length > 0.0 && half > 0.0) {
        return 0.0;
    }
    let ahead = way / length;
    let ends = [segment.from - from, segment.to - from];
    let mut span = [0.0, 1.0];
    for (at, low, high) in
        [(ends.map(|end| ahead.dot(end)), 0.0, length), (ends.map(|end| ahead.perp_dot(end)), -half, half)]
    {
        let slope = at[1] - at[0];
        if slope == 0.0 {
            if at[0] < low || at[0] > high {
                return 0.0;
            }
            continue;
        }
        let (a, b) = ((low - at[0]) / slope, (high - at[0]) / slope);
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        span = [if a > span[0] { a } else { span[0] }, if b < span[1] { b } else { span[1] }];
    }
    unit(span[1] - span[0])
}

/// Nearness to points: cover, places to attack from.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    /// The points on the ground, m.
    pub points: &'a [Vec2],
    /// From how far on a point does not matter, m. Limit: > 0; otherwise the layer is free.
    pub reach_m: f64,
    /// Sought: ground out of reach costs 1 a meter, at a point nothing. Shunned: the other way round.
    pub taste: Taste,
}

/// Steps of distance layers, m.
const STEP_M: f64 = 0.5;

impl CostLayer for Points<'_> {
    fn kind(&self) -> LayerKind {
        LayerKind::Points
    }

    fn cost(&self, segment: &Segment) -> f64 {
        if self.points.is_empty() || self.reach_m.is_nan() || self.reach_m <= 0.0 {
            return 0.0;
        }
        along(segment, STEP_M, |at| {
            let mut least = self.reach_m * self.reach_m;
            for point in self.points {
                let square = (point.as_dvec2() - at).length_squared();
                if square < least {
                    least = square;
                }
            }
            let far = unit(least.sqrt() / self.reach_m);
            if self.taste == Taste::Seek { far } else { 1.0 - far }
        })
    }
}

/// How one means to move with a threat about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Away: being near the threat is dear, being seen is very dear.
    Retreat,
    /// Keep the distance: nearer and farther are dear.
    Hold,
    /// On: being far from the threat is a little dear, being seen less than usual.
    Advance,
}

impl Stance {
    /// The stock weight of the stance layer, and what to multiply the weight of exposure by.
    #[must_use]
    pub fn weights(self) -> (f64, f64) {
        match self {
            Stance::Retreat => (2.0, 2.0),
            Stance::Hold => (1.0, 1.0),
            Stance::Advance => (0.5, 0.4),
        }
    }
}

/// Where a threat is and what one thinks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceLayer {
    /// What one means to do.
    pub stance: Stance,
    /// Where the threat is, on the ground, m.
    pub threat: Vec2,
    /// The distance to hold; retreat and advance: how far the threat matters, m. Limit: > 0; otherwise the layer is free.
    pub reach_m: f64,
}

impl CostLayer for StanceLayer {
    fn kind(&self) -> LayerKind {
        LayerKind::Stance
    }

    fn cost(&self, segment: &Segment) -> f64 {
        if self.reach_m.is_nan() || self.reach_m <= 0.0 {
            return 0.0;
        }
        let threat = self.threat.as_dvec2();
        along(segment, STEP_M, |at| {
            let share = (at - threat).length() / self.reach_m;
            match self.stance {
                Stance::Retreat => 1.0 - unit(share),
                Stance::Hold => unit((share - 1.0).abs()),
                Stance::Advance => unit(share),
            }
        })
    }
}

/// The user's own cost of a segment.
pub struct Own<F>(
    /// Extra cost of a segment, m. Limit: >= 0; less and NaN count as 0.
    pub F,
);

impl<F: Fn(&Segment) -> f64> CostLayer for Own<F> {
    fn kind(&self) -> LayerKind {
        LayerKind::Own
    }

    fn cost(&self, segment: &Segment) -> f64 {
        (self.0)(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::AreaId;
    use sentir_core::glam::Vec3;

    fn segment(from: (f32, f32), to: (f32, f32)) -> Segment {
        Segment::new(Vec3::new(from.0, 0.0, -from.1), Vec3::new(to.0, 0.0, -to.1), AreaId(2))
    }

    #[test]
    fn disliked_ground_costs_its_factor_more() {
        let costs = AreaCosts::PLAIN.with(AreaId(2), AreaCost::Times(3.0)).with(AreaId(3), AreaCost::Impassable);
        let layer = Terrain { costs: &costs };
        let there = segment((0.0, 0.0), (4.0, 0.0));
        assert_eq!(layer.cost(&there), 8.0);
        assert_eq!(layer.cost(&Segment { area: AreaId(0), ..there }), 0.0);
        assert_eq!(layer.cost(&Segment { area: AreaId(3), ..there }), 0.0);
        assert_eq!(layer.cost(&Segment { link_cost_m: Some(1.0), ..there }), 0.0);
    }

    #[test]
    fn influence_is_shunned_or_sought_and_never_negative() {
        let field = Field::new(Vec2::ZERO, 1.0, [4, 1], vec![0.0, 0.0, 2.0, -9.0]).unwrap();
        assert_eq!((field.sample(DVec2::new(2.5, 0.5)), field.sample(DVec2::new(2.0, 0.2))), (2.0, 1.0));
        assert_eq!(field.sample(DVec2::new(4.1, 0.5)), 0.0);
        let fields = [field];
        let shun = Influence { fields: &fields, taste: Taste::Shun, full: 2.0 };
        let seek = Influence { taste: Taste::Seek, ..shun };
        let way = segment((0.0, 0.5), (4.0, 0.5));
        assert!(shun.cost(&way) > 0.3 && (shun.cost(&way) + seek.cost(&way) - 4.0).abs() < 1e-12);
        assert_eq!(shun.cost(&segment((3.5, 0.5), (3.9, 0.5))), 0.0);
        assert_eq!(shun.cost(&Segment { height_m: f32::NAN, ..way }), 0.0);
        assert_eq!(Influence { full: 0.0, ..shun }.cost(&way), 0.0);
    }

    #[test]
    fn fields_without_a_value_a_cell_are_refused() {
        let say = |cells, values| Field::new(Vec2::ZERO, 1.0, cells, values).unwrap_err().to_string();
        assert_eq!(say([2, 2], vec![0.0; 3]), "the field has 3 values: expected 4, one a cell and at least one");
        assert!(say([0, 2], vec![]).starts_with("the field has 0 values"));
        assert!(say([1, 1], vec![f32::NAN]).starts_with("the field has a value"));
        assert_eq!(Field::new(Vec2::ZERO, 0.0, [1, 1], vec![1.0]).unwrap_err(), FieldError::NotFinite);
    }

    #[test]
    fn a_line_of_fire_costs_one_a_crossing_however_it_is_cut() {
        let lines = [FireLine { from: Vec2::new(0.0, 0.0), to: Vec2::new(10.0, 0.0), width_m: 2.0 }];
        let layer = FireLines { lines: &lines };
        let near = |cost: f64, expected: f64| assert!((cost - expected).abs() < 1e-9, "{cost} {expected}");
        near(layer.cost(&segment((5.0, -3.0), (5.0, 3.0))), 1.0);
        near(layer.cost(&segment((5.0, -3.0), (5.0, 0.3))) + layer.cost(&segment((5.0, 0.3), (5.0, 3.0))), 1.0);
        near(layer.cost(&segment((-2.0, 0.0), (12.0, 0.0))), 5.0);
        near(layer.cost(&segment((11.0, -3.0), (11.0, 3.0))), 0.0);
        let none = [FireLine { width_m: 0.0, ..lines[0] }, FireLine { to: Vec2::ZERO, ..lines[0] }];
        near(FireLines { lines: &none }.cost(&segment((5.0, -3.0), (5.0, 3.0))), 0.0);
    }

    #[test]
    fn ground_near_points_is_cheap_to_those_who_seek_them() {
        let points = [Vec2::ZERO];
        let seek = Points { points: &points, reach_m: 4.0, taste: Taste::Seek };
        let (near, far) = (segment((-1.0, 0.0), (1.0, 0.0)), segment((9.0, 0.0), (11.0, 0.0)));
        assert!(seek.cost(&near) < 0.4 && seek.cost(&far) == 2.0);
        let shun = Points { taste: Taste::Shun, ..seek };
        assert!(shun.cost(&near) > 1.6 && shun.cost(&far) == 0.0);
        assert_eq!(Points { points: &[], ..seek }.cost(&far) + Points { reach_m: f64::NAN, ..seek }.cost(&far), 0.0);
    }

    #[test]
    fn a_stance_says_which_distance_is_cheap() {
        let (near, middle, far) =
            (segment((0.5, 0.0), (1.5, 0.0)), segment((9.5, 0.0), (10.5, 0.0)), segment((29.0, 0.0), (30.0, 0.0)));
        let cost = |stance, way: &Segment| StanceLayer { stance, threat: Vec2::ZERO, reach_m: 10.0 }.cost(way);
        assert!(cost(Stance::Retreat, &near) > 0.8 && cost(Stance::Retreat, &far) == 0.0);
        assert!(
            cost(Stance::Hold, &middle) < 0.1 && cost(Stance::Hold, &near) > 0.8 && cost(Stance::Hold, &far) == 1.0
        );
        assert!(cost(Stance::Advance, &near) < 0.2 && cost(Stance::Advance, &far) == 1.0);
        assert!(Stance::Retreat.weights().1 > Stance::Advance.weights().1);
    }

    #[test]
    fn ones_own_layer_is_a_function() {
        let own = Own(|segment: &Segment| segment.length_m() * 2.0);
        assert_eq!((own.cost(&segment((0.0, 0.0), (3.0, 0.0))), own.kind()), (6.0, LayerKind::Own));
    }
}
