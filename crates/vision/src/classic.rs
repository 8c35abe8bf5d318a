//! Walking by pixels alone, as the source of synthetic vision does it: where is floor enough to go on?
//!
//! Free ways are upright rectangles of floor on the picture, as wide as the body seems to be. That is simple and has three
//! known defects, which is why it is kept as a named alternative: a low box's top looks like floor, a long corridor looks
//! too narrow, and a straight way to what one looks for may be blocked. Text, predicates and figures of the source
//! disagree in places; where they do, the reading is written at the function.

use crate::thing::Class;
use crate::viewport::Viewport;

/// How the body fits onto the picture, pixels. Each is over 0 and under half the picture's width, and `upper + lower` under
/// its height; others find no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// Half the width of the body: a way has `2 · half_width + 1` columns.
    pub half_width: u32,
    /// Kept free above a target, and toward the sides of the picture.
    pub upper: u32,
    /// How much floor must at least be seen before a target.
    pub lower: u32,
}

/// To which side one goes around an obstacle in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SideRule {
    /// To the side where it is not, as the predicates of the source have it.
    #[default]
    Away,
    /// To the side where it is, as its sentence has it.
    Toward,
}

/// A side of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Lower columns.
    Left,
    /// Higher columns.
    Right,
}

/// A pixel to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its column.
    pub column: u32,
    /// Its row.
    pub row: u32,
}

fn is_floor(view: &Viewport, column: u32, row: u32) -> bool {
    view.class(column, row) == Class::FLOOR
}

/// The middle column: 79 of 160.
fn middle(view: &Viewport) -> u32 {
    (view.lens().width - 1) / 2
}

/// How many rows from the lowest on are all floor, in the columns of a way that starts at `start`.
fn height(view: &Viewport, margins: &Margins, start: u32) -> u32 {
    let is_clear = |row: &u32| (start..=start + 2 * margins.half_width).all(|column| is_floor(view, column, *row));
    (0..view.lens().height).take_while(is_clear).count() as u32
}

/// Whether a way that starts at column `start` can be walked.
fn is_free(view: &Viewport, margins: &Margins, start: u32) -> bool {
    let (last, center) = (view.lens().width - 1, start + margins.half_width);
    start + 2 * margins.half_width <= last
        && center >= margins.upper
        && center + margins.upper <= last
        && height(view, margins, start) >= margins.upper + margins.lower
}

fn fits(view: &Viewport, margins: &Margins) -> bool {
    let Margins { half_width, upper, lower } = *margins;
    let half = view.lens().width / 2;
    let is_sane = |pixels: u32| pixels > 0 && pixels < half;
    is_sane(half_width) && is_sane(upper) && is_sane(lower) && upper + lower < view.lens().height
}

/// Where to walk on: the free way in the middle, or else one beside the obstacle that stands there. None if there is
/// none, or if the obstacle is as much on either side.
pub fn choose(view: &Viewport, margins: &Margins, rule: SideRule) -> Option<Target> {
    if !fits(view, margins) {
        return None;
    }
    let (c, half, last) = (middle(view), margins.half_width, view.lens().width - 1);
    let start = if is_free(view, margins, c - half) {
        Some(c - half)
    } else {
        // The lowest row of the middle way with something else than floor, and how much floor is on either side of it.
        let window = c - half..=c + half;
        let row = (0..view.lens().height).find(|&row| !window.clone().all(|column| is_floor(view, column, row)))?;
        let left = window.clone().take_while(|&column| is_floor(view, column, row)).count();
        let right = window.rev().take_while(|&column| is_floor(view, column, row)).count();
        let side = match (left, right) {
            (left, right) if right < left => Side::Left,
            (left, right) if left < right => Side::Right,
            _ => return None,
        };
        match (side, rule) {
            (Side::Left, SideRule::Away) | (Side::Right, SideRule::Toward) => {
                (0..c).rev().find(|&start| is_free(view, margins, start))
            }
            _ => ((c + 1).saturating_sub(2 * half)..=last).find(|&start| is_free(view, margins, start)),
        }
    }?;
    Some(Target { column: start + half, row: height(view, margins, start) - margins.upper })
}

/// How far floor goes on to a side at the height of the lower margin: a target at its end, less the upper margin. None if
/// that is no turn.
pub fn turn(view: &Viewport, margins: &Margins, side: Side) -> Option<Target> {
    if !fits(view, margins) {
        return None;
    }
    let (c, row, last) = (middle(view), margins.lower, view.lens().width - 1);
    match side {
        Side::Left => {
            let end = (0..c).rev().take_while(|&column| is_floor(view, column, row)).last().unwrap_or(c);
            let column = end + margins.upper;
            (column < c).then_some(Target { column, row })
        }
        Side::Right => {
            let end = (c + 1..=last).take_while(|&column| is_floor(view, column, row)).last().unwrap_or(c);
            let column = end.checked_sub(margins.upper)?;
            (column > c).then_some(Target { column, row })
        }
    }
}
