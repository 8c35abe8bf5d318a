//! Contract: walking by pixels as the source has it, strategy by strategy, on viewports drawn by hand.

use sentir_core::glam::Vec2;
use sentir_vision::classic::{Margins, Side, SideRule, Target, choose, turn};
use sentir_vision::object::{Joining, Object, find, foot, nearest};
use sentir_vision::{Class, Curve, Lens, Motion, Viewport};

const MARGINS: Margins = Margins { half_width: 2, upper: 3, lower: 4 };

/// A viewport of text, the highest row first: `.` floor, `#` wall, a digit an object at a tenth of that depth.
fn drawn(text: &str) -> Viewport {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let lens = Lens { width: rows[0].len() as u32, height: rows.len() as u32, ..Lens::default() };
    let mut view = Viewport::new(lens).unwrap();
    for (row, line) in (0..).zip(rows.iter().rev()) {
        for (column, mark) in (0..).zip(line.chars()) {
            // Floor is farther the higher it is seen.
            let far = (row + 1) as f32 / lens.height as f32;
            match mark {
                '.' => view.draw(column, row, Class::FLOOR, far, Motion::STILL),
                '#' => view.draw(column, row, Class::WALL, far, Motion::STILL),
                digit => {
                    let depth = digit.to_digit(10).unwrap() as f32 / 10.0;
                    view.draw(column, row, Class(4), depth, Motion::STILL);
                }
            }
        }
    }
    view
}

/// Floor up to a height for each column, over a picture 20 rows high.
fn skyline(heights: &[u32]) -> Viewport {
    let mut view = Viewport::new(Lens { width: heights.len() as u32, height: 20, ..Lens::default() }).unwrap();
    for (column, &height) in (0..).zip(heights) {
        for row in 0..20 {
            let class = if row < height { Class::FLOOR } else { Class::WALL };
            view.draw(column, row, class, row as f32 / 20.0, Motion::STILL);
        }
    }
    view
}

fn at(column: u32, row: u32) -> Option<Target> {
    Some(Target { column, row })
}

#[test]
fn the_free_way_in_the_middle_is_taken_up_to_its_end() {
    // 20 columns: the middle is 9, the way 7..=11.
    let view = skyline(&[12; 20]);
    assert_eq!(choose(&view, &MARGINS, SideRule::Away), at(9, 9));
    let mut narrow = [0; 20];
    narrow[7..=11].fill(10);
    assert_eq!(choose(&skyline(&narrow), &MARGINS, SideRule::Away), at(9, 7));
}

#[test]
fn an_obstacle_to_the_right_sends_left_and_the_other_rule_right() {
    let mut heights = [12; 24];
    // The middle is 11, the way 9..=13; its two columns on the right end early.
    heights[12..=14].fill(2);
    let view = skyline(&heights);
    assert_eq!(choose(&view, &MARGINS, SideRule::Away), at(9, 9));
    assert_eq!(choose(&view, &MARGINS, SideRule::Toward), at(17, 9));
}

#[test]
fn an_obstacle_to_the_left_sends_right_and_the_other_rule_left() {
    let mut heights = [12; 24];
    heights[8..=10].fill(2);
    let view = skyline(&heights);
    assert_eq!(choose(&view, &MARGINS, SideRule::Away), at(13, 9));
    assert_eq!(choose(&view, &MARGINS, SideRule::Toward), at(5, 9));
}

#[test]
fn an_obstacle_in_the_very_middle_decides_nothing() {
    let mut heights = [12; 24];
    heights[11] = 2;
    assert_eq!(choose(&skyline(&heights), &MARGINS, SideRule::Away), None);
}

#[test]
fn no_floor_is_no_way() {
    assert_eq!(choose(&skyline(&[0; 24]), &MARGINS, SideRule::Away), None);
    // One row too few for both margins.
    assert_eq!(choose(&skyline(&[6; 24]), &MARGINS, SideRule::Away), None);
    assert_eq!(choose(&skyline(&[7; 24]), &MARGINS, SideRule::Away), at(11, 4));
}

#[test]
fn ways_near_the_sides_of_the_picture_are_left_out() {
    let mut heights = [12; 24];
    heights[3..=23].fill(2);
    heights[12] = 1;
    // Only columns 0..=2 are high: no way of five columns fits there.
    assert_eq!(choose(&skyline(&heights), &MARGINS, SideRule::Away), None);
    heights[3..=4].fill(12);
    // Five columns now, but their middle is nearer to the side than the upper margin.
    assert_eq!(choose(&skyline(&heights), &MARGINS, SideRule::Away), None);
    heights[5] = 12;
    assert_eq!(choose(&skyline(&heights), &MARGINS, SideRule::Away), at(3, 9));
}

#[test]
fn turns_go_to_the_end_of_the_floor_less_a_margin() {
    let mut heights = [12; 24];
    heights[..=4].fill(0);
    let view = skyline(&heights);
    assert_eq!(turn(&view, &MARGINS, Side::Left), at(8, 4));
    assert_eq!(turn(&view, &MARGINS, Side::Right), at(20, 4));
    // Floor that ends within the margin is no turn.
    heights[..=8].fill(0);
    heights[14..].fill(0);
    let view = skyline(&heights);
    assert_eq!(turn(&view, &MARGINS, Side::Left), None);
    assert_eq!(turn(&view, &MARGINS, Side::Right), None);
    assert_eq!(turn(&skyline(&[0; 24]), &MARGINS, Side::Left), None);
}

#[test]
fn margins_that_do_not_fit_find_no_way() {
    let view = skyline(&[20; 24]);
    for margins in [
        Margins { half_width: 0, ..MARGINS },
        Margins { half_width: 12, ..MARGINS },
        Margins { upper: 0, ..MARGINS },
        Margins { upper: 11, lower: 11, ..MARGINS },
        Margins { lower: u32::MAX / 2, ..MARGINS },
    ] {
        assert_eq!(choose(&view, &margins, SideRule::Away), None, "{margins:?}");
        assert_eq!(turn(&view, &margins, Side::Right), None, "{margins:?}");
    }
}

const TWO: &str = "
    ................
    ..22............
    ..22......88....
    ..........88....
    ................
";

#[test]
fn objects_are_told_apart_and_the_nearest_is_found() {
    let view = drawn(TWO);
    let mut objects = Vec::new();
    find(&view, &[Class(4)], Joining::Size { reach_m: 60.0 }, &mut objects);
    assert_eq!(objects.len(), 2);
    let near = nearest(&objects).unwrap();
    assert_eq!((near.column, near.row, near.pixels), (2, 2, 4));
    find(&view, &[Class(9)], Joining::Size { reach_m: 60.0 }, &mut objects);
    assert_eq!(nearest(&objects), None);
}

#[test]
fn the_source_merges_what_is_far_and_splits_what_is_near() {
    let mut objects = Vec::new();
    // Two far objects, 8 columns apart, at depths alike; one near object 8 columns wide.
    let far = drawn("................\n.9.......9......\n................\n");
    let near = drawn("................\n.11111111.......\n................\n");
    let count = |view: &Viewport, joining: Joining, objects: &mut Vec<_>| {
        find(view, &[Class(4)], joining, objects);
        objects.len()
    };
    let source = Joining::Source { reach: 0.6 };
    assert_eq!((count(&far, source, &mut objects), count(&near, source, &mut objects)), (1, 8));
    // At 180 m a meter is a hundredth of a pixel here; at 20 m a tenth of it.
    let ours = Joining::Size { reach_m: 80.0 };
    assert_eq!((count(&far, ours, &mut objects), count(&near, ours, &mut objects)), (2, 1));
}

#[test]
fn one_stands_before_an_object_where_the_floor_is_as_far() {
    let view = drawn(TWO);
    let mut objects = Vec::new();
    find(&view, &[Class(4)], Joining::Size { reach_m: 60.0 }, &mut objects);
    let near = *nearest(&objects).unwrap();
    assert_eq!(foot(&view, &near, 0.25), Some((2, 1)));
    assert_eq!(foot(&view, &near, 0.05), Some((2, 0)));
    assert_eq!(foot(&view, &Object { depth: 0.27, ..near }, 1e-4), None);
}

#[test]
fn a_curve_leaves_as_one_faces_and_arrives_straight() {
    let curve = Curve::to(Vec2::ZERO, Vec2::X, Vec2::new(3.0, 3.0)).unwrap();
    assert_eq!(curve.at(0.0), Vec2::ZERO);
    assert_eq!(curve.at(1.0), Vec2::new(3.0, 3.0));
    let (start, heading) = curve.along(0.0);
    assert!(start.length() < 1e-6 && heading.x > 0.98, "{heading}");
    let (end, arriving) = curve.along(99.0);
    assert!(end.distance(Vec2::new(3.0, 3.0)) < 1e-6 && (arriving.x - arriving.y).abs() < 0.1);
    assert!(curve.length_m() > 18f32.sqrt() && curve.length_m() < 6.0);
    let straight = Curve::to(Vec2::ZERO, Vec2::X, Vec2::X * 5.0).unwrap();
    assert!((straight.length_m() - 5.0).abs() < 1e-4);
    assert!((straight.along(2.0).0.x - 2.0).abs() < 1e-4);
    assert_eq!(Curve::to(Vec2::ONE, Vec2::X, Vec2::ONE), None);
    assert_eq!(Curve::to(Vec2::ZERO, Vec2::X, Vec2::NAN), None);
}
