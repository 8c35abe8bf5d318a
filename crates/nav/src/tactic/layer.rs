//! Layers of cost behind one small interface, and what a segment costs by them.
//!
//! Every layer but length and exposure is a function of a segment alone, >= 0. What a layer returns is held to that: less
//! than nothing and NaN count as nothing, more than [`COST_MAX`] as that, so no layer can mislead a search.

use sentir_core::glam::{DVec2, Vec3};

use super::exposure::{ExposurePrice, Sight, Spans};
use crate::mesh::AreaId;

/// What a segment costs by one layer at most: far over any length, and sums of it stay finite.
pub const COST_MAX: f64 = 1e9;

/// A straight piece of a way on one kind of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where it begins, on the ground, m.
    pub from: DVec2,
    /// Where it ends, on the ground, m.
    pub to: DVec2,
    /// Its height halfway, m: tells floors apart.
    pub height_m: f32,
    /// What kind of ground it lies on.
    pub area: AreaId,
    /// For a link: what it costs in place of its length, m. Limit: >= 0.
    pub link_cost_m: Option<f64>,
}

impl Segment {
    /// A segment over one kind of ground between two points.
    pub fn new(from: Vec3, to: Vec3, area: AreaId) -> Segment {
        let [a, b] = [from, to].map(ground);
        Segment { from: a, to: b, height_m: (from.y + to.y) * 0.5, area, link_cost_m: None }
    }

    /// Length on the ground, m.
    #[inline]
    pub fn length_m(&self) -> f64 {
        (self.to - self.from).length()
    }
}

/// The ground point below a point.
#[inline]
pub(super) fn ground(point: Vec3) -> DVec2 {
    DVec2::new(f64::from(point.x), -f64::from(point.z))
}

/// What a cost is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    /// The length of the way.
    Length,
    /// Ground that the unit does not like.
    Terrain,
    /// The strength of others.
    Influence,
    /// Being seen.
    Exposure,
    /// Lines of fire of friends.
    Fire,
    /// Being far from (or near to) cover and attack points.
    Points,
    /// Retreat, hold, advance.
    Stance,
    /// The user's own.
    Own,
}

impl LayerKind {
    /// All of them, in the order of [`LayerCosts::by_layer`].
    pub const ALL: [LayerKind; 8] = [
        LayerKind::Length,
        LayerKind::Terrain,
        LayerKind::Influence,
        LayerKind::Exposure,
        LayerKind::Fire,
        LayerKind::Points,
        LayerKind::Stance,
        LayerKind::Own,
    ];

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            LayerKind::Length => "length",
            LayerKind::Terrain => "terrain",
            LayerKind::Influence => "influence",
            LayerKind::Exposure => "exposure",
            LayerKind::Fire => "lines of fire",
            LayerKind::Points => "points",
            LayerKind::Stance => "stance",
            LayerKind::Own => "own",
        }
    }
}

/// A layer of cost.
pub trait CostLayer {
    /// Under which name its cost is told.
    fn kind(&self) -> LayerKind;
    /// What a segment costs, in meters of plain way at weight 1. Limit: >= 0, and the same for both halves of a segment
    /// together as for the whole, but for rounding and sampling.
    fn cost(&self, segment: &Segment) -> f64;
}

/// A layer with its weight.
#[derive(Clone, Copy)]
pub struct Weighted<'a> {
    /// The layer.
    pub layer: &'a dyn CostLayer,
    /// How much it counts. Limit: finite, >= 0; anything else counts as 0.
    pub weight: f64,
}

/// Who watches, and what being seen costs.
#[derive(Clone, Copy)]
pub struct Exposure<'a> {
    /// What is in sight.
    pub sight: &'a dyn Sight,
    /// What it costs.
    pub price: ExposurePrice,
}

/// The costs of one request.
#[derive(Clone, Copy, Default)]
pub struct Tactic<'a> {
    /// Layers beside length and exposure.
    pub layers: &'a [Weighted<'a>],
    /// Exposure, if anybody is known to watch.
    pub exposure: Option<Exposure<'a>>,
}

/// Costs by layer, in meters of plain way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerCosts {
    /// In the order of [`LayerKind::ALL`].
    pub by_layer: [f64; LayerKind::ALL.len()],
}

impl LayerCosts {
    /// The cost for one thing.
    pub fn of(&self, kind: LayerKind) -> f64 {
        self.by_layer[kind as usize]
    }

    /// All together.
    pub fn total(&self) -> f64 {
        self.by_layer.iter().sum()
    }

    /// The dearest layer beside length; none if all of them are free. The first of equals.
    pub fn dearest(&self) -> Option<LayerKind> {
        let mut best: Option<LayerKind> = None;
        for kind in LayerKind::ALL.into_iter().skip(1) {
            if self.of(kind) > best.map_or(0.0, |it| self.of(it)) {
                best = Some(kind);
            }
        }
        best
    }

    pub(super) fn add(&mut self, other: &LayerCosts) {
        for (mine, more) in self.by_layer.iter_mut().zip(other.by_layer) {
            *mine += more;
        }
    }
}

/// How far along a way one is: all that the cost of the rest depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walk {
    /// Cost so far, that of the open run with it.
    pub cost: f64,
    /// For how long one has been seen on end up to here, m; 0 when hidden, and where it does not matter.
    pub run_m: f64,
}

impl Tactic<'_> {
    /// Meters of cost per meter of ground at least: what a straight line to the goal may be multiplied by and still be no
    /// more than any way.
    pub fn floor_per_m(&self) -> f64 {
        self.exposure.map_or(1.0, |exposure| exposure.price.floor_per_m())
    }

    /// Goes on over a segment.
    pub fn advance(&self, walk: Walk, segment: &Segment, spans: &mut Spans) -> Walk {
        // Watchers alone are the common case: the sum over all layers is then that of two, to the bit.
        if let ([], Some(Exposure { sight, price })) = (self.layers, self.exposure) {
            let (length, mut run_m) = (segment.length_m(), walk.run_m);
            spans.fill(sight, segment, length);
            let bill = price.walk(&mut run_m, spans.as_slice(), length);
            let way = segment.link_cost_m.map_or(bill.way, |cost| cost * price.hidden_per_m);
            let runs = if bill.runs < COST_MAX { bill.runs } else { COST_MAX };
            return Walk { cost: walk.cost + (way + runs), run_m };
        }
        let mut costs = LayerCosts::default();
        self.advance_by_layer(walk, segment, spans, &mut costs)
    }

    /// Goes on over a segment, and tells what it costs by layer: replaces what was in `costs`.
    pub fn advance_by_layer(&self, walk: Walk, segment: &Segment, spans: &mut Spans, costs: &mut LayerCosts) -> Walk {
        *costs = LayerCosts::default();
        for Weighted { layer, weight } in self.layers {
            let cost = layer.cost(segment);
            // NaN is neither.
            if cost > 0.0 && *weight > 0.0 {
                let cost = cost * weight;
                costs.by_layer[layer.kind() as usize] += if cost < COST_MAX { cost } else { COST_MAX };
            }
        }
        let length = segment.length_m();
        let mut run_m = walk.run_m;
        let plain = segment.link_cost_m.unwrap_or(length);
        costs.by_layer[LayerKind::Length as usize] = plain;
        if let Some(Exposure { sight, price }) = self.exposure {
            spans.fill(sight, segment, length);
            let bill = price.walk(&mut run_m, spans.as_slice(), length);
            costs.by_layer[LayerKind::Length as usize] =
                segment.link_cost_m.map_or(bill.way, |cost| cost * price.hidden_per_m);
            costs.by_layer[LayerKind::Exposure as usize] = if bill.runs < COST_MAX { bill.runs } else { COST_MAX };
        }
        Walk { cost: walk.cost + costs.total(), run_m }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Odd(f64);

    impl CostLayer for Odd {
        fn kind(&self) -> LayerKind {
            LayerKind::Own
        }

        fn cost(&self, _: &Segment) -> f64 {
            self.0
        }
    }

    #[test]
    fn a_layer_that_lies_cannot_make_a_way_cheaper_than_its_length_nor_endless() {
        let segment = Segment::new(Vec3::ZERO, Vec3::new(3.0, 0.0, -4.0), AreaId(0));
        let mut spans = Spans::default();
        for (cost, weight, expected) in [
            (-5.0, 1.0, 5.0),
            (f64::NAN, 1.0, 5.0),
            (2.0, -1.0, 5.0),
            (2.0, f64::NAN, 5.0),
            (2.0, 3.0, 11.0),
            (f64::INFINITY, 1.0, 5.0 + COST_MAX),
        ] {
            let layer = Odd(cost);
            let tactic = Tactic { layers: &[Weighted { layer: &layer, weight }], exposure: None };
            assert_eq!(tactic.advance(Walk::default(), &segment, &mut spans).cost, expected);
        }
    }

    #[test]
    fn the_dearest_layer_is_never_length() {
        let mut costs = LayerCosts::default();
        costs.by_layer[0] = 9.0;
        assert_eq!((costs.dearest(), costs.total()), (None, 9.0));
        costs.by_layer[LayerKind::Fire as usize] = 1.0;
        assert_eq!((costs.dearest(), costs.of(LayerKind::Fire)), (Some(LayerKind::Fire), 1.0));
        assert_eq!(LayerKind::ALL.map(|kind| kind as usize), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
