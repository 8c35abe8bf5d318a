//! A chart as a picture that any browser or editor shows.

use std::fmt::Write;

use super::layout::{Spot, arrange};
use super::{Chart, Part};

const COLUMN: f32 = 230.0;
const ROW: f32 = 46.0;
const WIDTH: f32 = 190.0;
const HEIGHT: f32 = 34.0;
const MARGIN: f32 = 16.0;
const HEAD: f32 = 34.0;
/// Letters that fit into a box.
const LETTERS_MAX: usize = 28;

const STYLE: &str = "text{font:12px sans-serif;fill:#1d2430}.head{font-size:15px;font-weight:bold}.kind{font-size:9px;fill:#5b6675}\
.box{fill:#f4f6f9;stroke:#9aa5b4}.active{fill:#d3f2da;stroke:#1f8a3d;stroke-width:2}.succeeded{fill:#eef9f0;stroke:#58a86c}\
.failed{fill:#fdf0ee;stroke:#c98078}.refused{fill:#fde7e3;stroke:#c0392b}.aborted{fill:#fdf3d8;stroke:#b98a12}\
.twig{fill:none;stroke:#b4bdc9}.lit{stroke:#1f8a3d;stroke-width:2}.arrow{fill:none;stroke:#6b7a90;stroke-dasharray:4 3}\
.share{fill:#7fb3e6}.note{font-size:10px;fill:#8a3a2f}";

impl Chart {
    /// A picture of the chart in SVG: boxes from left to right, what is active in green, what refused in red.
    pub fn svg(&self) -> String {
        let (spots, columns, rows) = arrange(self);
        let width = columns.max(1) as f32 * COLUMN + 2.0 * MARGIN;
        let height = rows.max(1) as f32 * ROW + HEAD + 2.0 * MARGIN;
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
             <style>{STYLE}</style><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\
             <text class=\"head\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
            MARGIN + 12.0,
            escaped(&format!("{} ({})", self.name, self.kind)),
        );
        self.twigs(&spots, &mut out);
        for (part, spot) in self.parts().iter().zip(&spots) {
            draw_part(part, *spot, &mut out);
        }
        self.transitions(&spots, &mut out);
        out.push_str("</svg>\n");
        out
    }

    /// The lines from each part to its own parts.
    fn twigs(&self, spots: &[Spot], out: &mut String) {
        for (part, spot) in self.parts().iter().zip(spots) {
            let Some(parent) = part.parent else { continue };
            let (x0, y0) = corner(spots[parent.index()]);
            let (x1, y1) = corner(*spot);
            let (x0, y0, y1) = (x0 + WIDTH, y0 + HEIGHT / 2.0, y1 + HEIGHT / 2.0);
            let middle = (x0 + x1) / 2.0;
            let lit = if part.mood == super::Mood::Active { " lit" } else { "" };
            let _ = write!(out, "<path class=\"twig{lit}\" d=\"M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}\"/>");
        }
    }

    /// Transitions, bowed to the right of the boxes.
    fn transitions(&self, spots: &[Spot], out: &mut String) {
        for (index, arrow) in self.arrows().iter().enumerate() {
            let (x0, y0) = corner(spots[arrow.from.index()]);
            let (x1, y1) = corner(spots[arrow.to.index()]);
            let (x0, x1) = (x0 + WIDTH, x1 + WIDTH);
            let (y0, y1) = (y0 + HEIGHT * 0.35, y1 + HEIGHT * 0.65);
            let bow = (if x0 > x1 { x0 } else { x1 }) + 14.0 + (index % 3) as f32 * 8.0;
            let lit = if arrow.is_lit { " lit" } else { "" };
            let _ = write!(
                out,
                "<path class=\"arrow{lit}\" d=\"M{x0} {y0}C{bow} {y0} {bow} {y1} {x1} {y1}\"><title>{}</title></path>\
                 <circle cx=\"{x1}\" cy=\"{y1}\" r=\"2.5\" fill=\"#6b7a90\"/>",
                escaped(&arrow.label),
            );
        }
    }
}

fn corner(spot: Spot) -> (f32, f32) {
    (MARGIN + spot.column as f32 * COLUMN, MARGIN + HEAD + spot.row * ROW)
}

fn draw_part(part: &Part, spot: Spot, out: &mut String) {
    let (x, y) = corner(spot);
    let title = if part.note.is_empty() { part.label.clone() } else { format!("{}: {}", part.label, part.note) };
    let _ = write!(
        out,
        "<g><title>{}</title><rect class=\"box {}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"5\"/>",
        escaped(&title),
        part.mood.name(),
    );
    if let Some(share) = part.share.filter(|share| share.is_finite()) {
        let share = if share > 1.0 {
            1.0
        } else if share > 0.0 {
            share
        } else {
            0.0
        };
        let _ = write!(
            out,
            "<rect class=\"share\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"3\"/>",
            x + 6.0,
            y + HEIGHT - 5.0,
            (WIDTH - 12.0) * share,
        );
    }
    let _ = write!(
        out,
        "<text class=\"kind\" x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text></g>",
        x + 6.0,
        y + 11.0,
        escaped(part.kind),
        x + 6.0,
        y + 25.0,
        escaped(&cut(&part.label)),
    );
}

fn cut(label: &str) -> String {
    if label.chars().count() <= LETTERS_MAX {
        return label.to_owned();
    }
    label.chars().take(LETTERS_MAX - 1).chain(['…']).collect()
}

/// Text that means itself in XML, in attributes, too; what XML cannot hold becomes a question mark.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            control if control.is_control() => out.push('?'),
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::layout::in_order;
    use super::super::{Mood, PartId};
    use super::*;

    /// A root with two groups, the second of which was given its parts first.
    fn chart() -> Chart {
        let mut chart = Chart::new("behavior tree", "guard <1>");
        let root = chart.add(None, "selector", "root");
        let first = chart.add(Some(root), "sequence", "fight");
        let second = chart.add(Some(root), "sequence", "patrol");
        chart.add(Some(second), "task", "walk");
        let fire = chart.add(Some(first), "task", "fire & shout at whoever comes along the road");
        chart.add(Some(first), "task", "reload");
        chart.part_mut(fire).mood = Mood::Refused;
        chart.part_mut(fire).note = "ammo is 0".to_owned();
        chart.part_mut(second).mood = Mood::Active;
        chart.part_mut(second).share = Some(f32::NAN);
        chart
    }

    #[test]
    fn parts_are_listed_depth_first_in_the_order_of_the_author() {
        let chart = chart();
        let names: Vec<_> = in_order(&chart).iter().map(|&index| chart.parts()[index].label.as_str()).collect();
        assert_eq!(
            names,
            ["root", "fight", "fire & shout at whoever comes along the road", "reload", "patrol", "walk"]
        );
        assert_eq!(chart.depth(PartId(3)), 2);
        assert_eq!(chart.depth(PartId(99)), 0);
    }

    #[test]
    fn no_two_parts_share_a_place_and_parents_stand_in_the_middle() {
        let chart = chart();
        let (spots, columns, rows) = arrange(&chart);
        assert_eq!((columns, rows), (3, 3));
        for (index, one) in spots.iter().enumerate() {
            assert!(spots[..index].iter().all(|other| other != one), "{spots:?}");
        }
        assert_eq!(spots[1].row, 0.5);
        assert_eq!(spots[0].row, 1.25);
    }

    #[test]
    fn a_picture_is_wellformed_and_tells_refusals() {
        let picture = chart().svg();
        assert!(picture.contains("guard &lt;1&gt; (behavior tree)"), "{picture}");
        assert!(picture.contains("class=\"box refused\""));
        assert!(picture.contains("fire &amp; shout at whoever come"));
        assert!(picture.contains("ammo is 0"));
        assert!(!picture.contains("NaN"));
        assert_eq!(picture.matches("<g>").count(), 6);
        assert_eq!(picture.matches("<g>").count(), picture.matches("</g>").count());
    }

    #[test]
    fn an_empty_chart_is_a_picture_too() {
        assert!(Chart::default().svg().starts_with("<svg"));
    }

    #[test]
    fn arrows_to_nowhere_are_left_out() {
        let mut chart = chart();
        chart.link(PartId(0), PartId(77), "never", false);
        chart.link(PartId(1), PartId(2), "when calm", true);
        assert_eq!(chart.arrows().len(), 1);
        assert!(chart.svg().contains("<title>when calm</title>"));
        let orphan = chart.add(Some(PartId(500)), "task", "orphan");
        assert_eq!(chart.parts()[orphan.index()].parent, None);
    }
}
