//! Places for the parts of a chart: from left to right by depth, each part beside the middle of its own parts.
//! One pass, O(parts); no two parts share a place.

use super::Chart;

/// Where a part is drawn: its column and the middle of its row, in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spot {
    pub(super) column: u32,
    pub(super) row: f32,
}

/// Where all parts are drawn, and how many columns and rows there are.
pub(super) fn arrange(chart: &Chart) -> (Vec<Spot>, u32, u32) {
    let parts = chart.parts();
    let mut spots = vec![Spot::default(); parts.len()];
    let mut columns = 0;
    let mut has_parts = vec![false; parts.len()];
    for (index, part) in parts.iter().enumerate() {
        if let Some(parent) = part.parent {
            spots[index].column = spots[parent.index()].column + 1;
            has_parts[parent.index()] = true;
        }
        columns = columns.max(spots[index].column + 1);
    }
    let mut rows = 0;
    for index in in_order(chart) {
        if !has_parts[index] {
            spots[index].row = rows as f32;
            rows += 1;
        }
    }
    // From the last to the first: parts come after what they are a part of.
    let mut span = vec![(f32::INFINITY, f32::NEG_INFINITY); parts.len()];
    for index in (0..parts.len()).rev() {
        if has_parts[index] {
            spots[index].row = (span[index].0 + span[index].1) / 2.0;
        }
        let row = spots[index].row;
        if let Some(parent) = parts[index].parent {
            let (low, high) = &mut span[parent.index()];
            *low = if row < *low { row } else { *low };
            *high = if row > *high { row } else { *high };
        }
    }
    (spots, columns, rows)
}

/// The parts depth first, siblings in the order they were added.
pub(super) fn in_order(chart: &Chart) -> Vec<usize> {
    let parts = chart.parts();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    let mut open = Vec::new();
    for (index, part) in parts.iter().enumerate().rev() {
        match part.parent {
            Some(parent) => below[parent.index()].push(index),
            None => open.push(index),
        }
    }
    let mut order = Vec::with_capacity(parts.len());
    while let Some(index) = open.pop() {
        order.push(index);
        open.append(&mut below[index]);
    }
    order
}
