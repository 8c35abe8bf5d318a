//! Bars in groups, as SVG: for figures that are compared at a glance.

use std::fmt::Write;

/// What is drawn.
pub struct Bars {
    /// Over all of it.
    pub title: &'static str,
    /// Under each group.
    pub groups: Vec<String>,
    /// Name and one value a group each; what is no number is left out.
    pub series: Vec<(&'static str, Vec<f64>)>,
    /// The value at the top.
    pub most: f64,
}

const COLORS: [&str; 4] = ["#2f6fb0", "#b8433f", "#3a8f4d", "#d9822b"];
const BAR: f64 = 22.0;
const GAP: f64 = 26.0;
const HIGH: f64 = 220.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 60.0;

/// The picture.
pub fn svg(bars: &Bars) -> String {
    let group = BAR * bars.series.len() as f64 + GAP;
    let wide = LEFT + group * bars.groups.len() as f64 + 20.0;
    let (foot, high) = (TOP + HIGH, TOP + HIGH + 50.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{}</text>\n",
        bars.title
    );
    // Writing to a string cannot fail.
    for step in 0..=4 {
        let value = bars.most * f64::from(step) / 4.0;
        let y = foot - HIGH * f64::from(step) / 4.0;
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{wide:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#d0d5da\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (place, (name, values)) in bars.series.iter().enumerate() {
        let color = COLORS[place % COLORS.len()];
        let x = LEFT + 150.0 * place as f64;
        let _ = writeln!(
            text,
            "<rect x=\"{x:.0}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{color}\"/>\
             <text x=\"{:.0}\" y=\"42\">{name}</text>",
            x + 16.0
        );
        for (number, value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
            let tall = HIGH * (value / bars.most).clamp(0.0, 1.0);
            let x = LEFT + GAP * 0.5 + group * number as f64 + BAR * place as f64;
            let _ = writeln!(
                text,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{color}\"/>",
                foot - tall,
                BAR - 3.0
            );
        }
    }
    for (number, name) in bars.groups.iter().enumerate() {
        let x = LEFT + group * (number as f64 + 0.5);
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>", foot + 20.0);
    }
    text.push_str("</svg>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_tall_as_its_value_and_what_is_no_number_has_none() {
        let series = vec![("a", vec![50.0, f64::NAN])];
        let text = svg(&Bars { title: "t", groups: vec!["x".to_owned(), "y".to_owned()], series, most: 100.0 });
        assert_eq!(text.matches("fill=\"#2f6fb0\"").count(), 2, "its name and one bar: {text}");
        assert!(text.contains("height=\"110.0\"") && text.starts_with("<svg") && text.ends_with("</svg>\n"));
    }
}
