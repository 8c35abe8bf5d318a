//! A picture in SVG 1.1, written shape by shape. Places are in pixels with two decimals: the same shapes give the same
//! bytes.

use std::fmt::Write;

/// Dark text and lines.
pub(crate) const INK: &str = "#1f2430";
/// Text and lines of less weight.
pub(crate) const GRAY: &str = "#5b6270";
/// Lines that only guide the eye.
pub(crate) const GRID: &str = "#e4e7ec";
/// Bars.
pub(crate) const BAR: &str = "#7c9fce";
/// What is to be seen first: means and their intervals.
pub(crate) const MARK: &str = "#c2410c";
/// By this a plot is known as ours: a later battery into the same folder takes it away if it is of another scene.
pub(crate) const MADE_HERE: &str = "<!-- a plot of sentir battery -->";
const PAPER: &str = "#ffffff";
const FONTS: &str = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

/// Where a text stands, seen from its place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Height of the letters, px.
    pub(crate) size: u32,
    /// Color.
    pub(crate) color: &'static str,
    /// Where it stands.
    pub(crate) anchor: Anchor,
    /// Whether it is a title.
    pub(crate) is_bold: bool,
}

impl Look {
    /// Small gray text.
    pub(crate) const fn small(anchor: Anchor) -> Look {
        Look { size: 13, color: GRAY, anchor, is_bold: false }
    }
}

/// A picture being written.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// An empty light picture, px. `title` is what a screen reader says.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut svg = Svg { text: String::new() };
        svg.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" font-family=\"{FONTS}\">\n{MADE_HERE}<title>{}</title>",
            escaped(title)
        ));
        svg.rect([0.0, 0.0], [width, height], PAPER, 1.0);
        svg
    }

    fn push(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{shape}");
    }

    /// A filled rectangle: its upper left corner and its size.
    pub(crate) fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], color: &str, opacity: f64) {
        self.push(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{color}\" \
             fill-opacity=\"{opacity:.2}\"/>"
        ));
    }

    /// A straight line.
    pub(crate) fn line(&mut self, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2], color: &str, width: f64) {
        self.push(format_args!(
            "<line x1=\"{x:.2}\" y1=\"{y:.2}\" x2=\"{to_x:.2}\" y2=\"{to_y:.2}\" stroke=\"{color}\" \
             stroke-width=\"{width:.2}\"/>"
        ));
    }

    /// A text on its base line.
    pub(crate) fn text(&mut self, place: [f64; 2], text: &str, look: Look) {
        self.turned_text(place, text, look, 0);
    }

    /// A text turned about its place, degrees clockwise.
    pub(crate) fn turned_text(&mut self, [x, y]: [f64; 2], text: &str, look: Look, turn_deg: i32) {
        let anchor = match look.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn =
            if turn_deg == 0 { String::new() } else { format!(" transform=\"rotate({turn_deg} {x:.2} {y:.2})\"") };
        let (size, color, weight) = (look.size, look.color, if look.is_bold { " font-weight=\"600\"" } else { "" });
        self.push(format_args!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" fill=\"{color}\" \
             text-anchor=\"{anchor}\"{weight}{turn}>{}</text>",
            escaped(text)
        ));
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// Text as XML holds it; control characters, which XML has no way to hold, become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            one if one.is_control() => out.push(' '),
            one => out.push(one),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_break_the_picture() {
        let mut svg = Svg::new(10.0, 10.0, "a < b & \"c\"");
        svg.text([1.0, 2.0], "</svg>\u{7}", Look::small(Anchor::Start));
        let file = svg.finish();
        assert!(file.contains("<title>a &lt; b &amp; &quot;c&quot;</title>") && file.contains("&lt;/svg&gt; </text>"));
        assert_eq!(file.matches("</svg>").count(), 1);
    }
}
