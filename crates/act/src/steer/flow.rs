//! Along a field of directions.

use sentir_core::glam::{UVec2, Vec2};
use sentir_core::{State, math};

use crate::mover::{Mover, limited};

/// Cells per axis at most.
pub const CELLS_PER_AXIS_MAX: u32 = 4096;

/// A grid of wanted directions; each as long as the share of full speed wanted there.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct FlowField {
    origin: Vec2,
    cell_m: f32,
    columns: u32,
    rows: u32,
    flow: Vec<Vec2>,
}

impl FlowField {
    /// A field whose first cell has its middle at `origin`; `flow_at` is asked for the middle of each cell. Sizes past
    /// [`CELLS_PER_AXIS_MAX`] count as that, a cell of no size as 1 m.
    pub fn new(origin: Vec2, cell_m: f32, size: UVec2, flow_at: impl Fn(Vec2) -> Vec2) -> FlowField {
        let cell_m = if cell_m.is_finite() && cell_m > 1e-3 { cell_m } else { 1.0 };
        let (columns, rows) = (size.x.min(CELLS_PER_AXIS_MAX), size.y.min(CELLS_PER_AXIS_MAX));
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| Vec2::new(column as f32, row as f32)));
        let flow = cells.map(|cell| limited(flow_at(origin + cell * cell_m), 1.0)).collect();
        FlowField { origin, cell_m, columns, rows, flow }
    }

    /// The direction at a place, blended between the four cells around it; past the border that of the border.
    pub fn sample(&self, place: Vec2) -> Vec2 {
        if self.flow.is_empty() || !place.is_finite() {
            return Vec2::ZERO;
        }
        let cell = (place - self.origin) / self.cell_m;
        let clamped = |value: f32, count: u32| math::clamp(value, 0.0, (count - 1) as f32);
        let (x, y) = (clamped(cell.x, self.columns), clamped(cell.y, self.rows));
        let (column, row) = (x as u32, y as u32);
        let at = |column: u32, row: u32| {
            let index = row.min(self.rows - 1) * self.columns + column.min(self.columns - 1);
            self.flow[index as usize]
        };
        let (right, up) = (x - column as f32, y - row as f32);
        let low = at(column, row).lerp(at(column + 1, row), right);
        let high = at(column, row + 1).lerp(at(column + 1, row + 1), right);
        low.lerp(high, up)
    }
}

/// Along the field, as it is where one will be in `horizon_s`.
pub fn follow_flow(me: &Mover, field: &FlowField, horizon_s: f32) -> Vec2 {
    let future = me.at.position + me.at.velocity * horizon_s;
    me.toward(field.sample(future) * me.speed_m_per_s_max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::plane;

    #[test]
    fn a_whirl_carries_one_round() {
        let whirl = |place: Vec2| {
            let out = plane::direction(place);
            plane::direction(plane::left_of(out) + out * (4.0 - place.length()) * 0.5)
        };
        let field = FlowField::new(Vec2::splat(-8.0), 0.5, UVec2::splat(33), whirl);
        let mut me = Mover::default();
        me.at.position = Vec2::X * 7.0;
        let mut turned = 0.0;
        for _ in 0..1800 {
            let before = me.at.position;
            me.at.velocity = me.velocity_after(follow_flow(&me, &field, 0.2), 1.0 / 60.0);
            me.at.position += me.at.velocity / 60.0;
            turned += math::angle_between(plane::yaw(before), plane::yaw(me.at.position));
        }
        assert!(turned > math::TAU * 1.5 && (me.at.position.length() - 4.0).abs() < 0.5, "{turned} {}", me.at.position);
    }

    #[test]
    fn a_turned_or_mirrored_field_gives_a_turned_or_mirrored_answer() {
        let mut me = Mover::default();
        (me.at.position, me.at.velocity) = (Vec2::new(1.3, -2.1), Vec2::new(0.4, 0.7));
        for yaw in [0.3f32, 1.9, -2.5] {
            let even = |flow: Vec2| FlowField::new(Vec2::splat(-9.0), 1.0, UVec2::splat(19), move |_| flow);
            let (here, turn) =
                (follow_flow(&me, &even(Vec2::Y * 0.8), 0.3), crate::Moving { yaw, ..Default::default() });
            let at =
                crate::Moving { position: turn.turned(me.at.position), velocity: turn.turned(me.at.velocity), ..me.at };
            let there = follow_flow(&Mover { at, ..me }, &even(turn.turned(Vec2::Y * 0.8)), 0.3);
            assert!((turn.turned(here) - there).length() < 1e-4);
            let flip = |way: Vec2| Vec2::new(-way.x, way.y);
            let at = crate::Moving { position: flip(me.at.position), velocity: flip(me.at.velocity), ..me.at };
            let slanted = plane::heading(yaw);
            let mirrored = follow_flow(&Mover { at, ..me }, &even(flip(slanted)), 0.3);
            assert!((flip(follow_flow(&me, &even(slanted), 0.3)) - mirrored).length() < 1e-4);
        }
    }

    #[test]
    fn fields_of_nothing_and_places_past_the_border_are_defined() {
        let none = FlowField::new(Vec2::ZERO, f32::NAN, UVec2::ZERO, |_| Vec2::X);
        assert_eq!(none.sample(Vec2::ONE), Vec2::ZERO);
        let field = FlowField::new(Vec2::ZERO, 1.0, UVec2::new(2, 1), |place| Vec2::X * (1.0 + place.x));
        assert_eq!((field.sample(Vec2::new(-9.0, 5.0)), field.sample(Vec2::NAN)), (Vec2::X, Vec2::ZERO));
        assert_eq!(field.sample(Vec2::new(f32::MAX, 0.0)), Vec2::X);
        assert_eq!(follow_flow(&Mover::default(), &field, f32::MAX), Mover::default().toward(Vec2::X * 2.0));
    }
}
