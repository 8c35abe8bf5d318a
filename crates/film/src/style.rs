//! How a picture looks apart from what the draw list says: ground, grid, captions.

use sentir_core::draw::Color;

/// Colors and furniture of a picture. Colors of shapes come from the draw list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The ground; drawn opaque whatever its alpha.
    pub background: Color,
    /// Grid lines of 1 m (10 m, 100 m, … when zoomed out).
    pub grid_fine: Color,
    /// Grid lines of 5 m (50 m, 500 m, …).
    pub grid_coarse: Color,
    /// Captions and the scale bar; also what labels are mixed with where their own color would not read.
    pub ink: Color,
    /// Whether the grid is drawn.
    pub is_grid_shown: bool,
    /// Whether the scale bar is drawn.
    pub is_scale_bar_shown: bool,
}

impl Style {
    /// Dark on warm paper; the default.
    pub const fn light() -> Style {
        Style {
            background: Color::rgb(0xf6f4ee),
            grid_fine: Color::rgb(0xeeebe3),
            grid_coarse: Color::rgb(0xdfdbd0),
            ink: Color::rgb(0x2a2e35),
            is_grid_shown: true,
            is_scale_bar_shown: true,
        }
    }

    /// Light on a blue night.
    pub const fn dark() -> Style {
        Style {
            background: Color::rgb(0x151a21),
            grid_fine: Color::rgb(0x1b212a),
            grid_coarse: Color::rgb(0x28303b),
            ink: Color::rgb(0xdde3ea),
            is_grid_shown: true,
            is_scale_bar_shown: true,
        }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::light()
    }
}

/// The color a share of the way, 0..=255, from `a` to `b`, at the opacity of `a`.
pub(crate) fn mixed(a: Color, b: Color, share: u8) -> Color {
    let mix =
        |x: u8, y: u8| ((u32::from(x) * (255 - u32::from(share)) + u32::from(y) * u32::from(share) + 127) / 255) as u8;
    Color { r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b), a: a.a }
}

/// How bright a color looks, 0..=255 (the weights of Rec. 601, in whole numbers).
pub(crate) fn brightness(color: Color) -> i32 {
    (i32::from(color.r) * 299 + i32::from(color.g) * 587 + i32::from(color.b) * 114) / 1000
}

/// `color`, mixed with `ink` as far as it takes to be read on `ground`.
pub(crate) fn readable(color: Color, ground: Color, ink: Color) -> Color {
    // About 4.5 : 1 on paper and on night: the least contrast that small text is asked to have.
    const CONTRAST_MIN: i32 = 110;
    let steps = [0, 51, 102, 153, 204].map(|share| mixed(color, ink, share));
    let found = steps.into_iter().find(|step| (brightness(*step) - brightness(ground)).abs() >= CONTRAST_MIN);
    found.unwrap_or(ink.alpha(color.a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_color_reads_on_both_grounds() {
        for style in [Style::light(), Style::dark()] {
            for hex in [0x000000, 0xffffff, 0xffe000, 0x00ff00, 0x0000ff, 0x7f7f7f, 0xf6f4ee] {
                let text = readable(Color::rgb(hex), style.background, style.ink);
                assert!((brightness(text) - brightness(style.background)).abs() >= 110, "{hex:06x} gives {text:?}");
            }
        }
        let dark_red = Color::rgb(0x801010);
        assert_eq!(readable(dark_red, Style::light().background, Style::light().ink), dark_red);
    }

    #[test]
    fn mixing_is_exact_at_both_ends() {
        let (a, b) = (Color::rgb(0x102030).alpha(9), Color::rgb(0xffeedd));
        assert_eq!((mixed(a, b, 0), mixed(a, b, 255)), (a, b.alpha(9)));
    }
}
