//! Which layers of a draw list are shown, by name.

use sentir_core::draw::Layer;

/// Layers to show. A name that no layer has matches nothing; [`LayerFilter::names`] lists them for a caller to check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerFilter {
    /// Show these and no others; `None` shows all.
    shown: Option<Vec<String>>,
    /// Never show these.
    hidden: Vec<String>,
}

impl LayerFilter {
    /// Shows every layer.
    pub fn all() -> LayerFilter {
        LayerFilter::default()
    }

    /// Shows these layers alone.
    pub fn only<'a>(names: impl IntoIterator<Item = &'a str>) -> LayerFilter {
        LayerFilter { shown: Some(names.into_iter().map(str::to_owned).collect()), hidden: Vec::new() }
    }

    /// Shows every layer but these.
    pub fn all_but<'a>(names: impl IntoIterator<Item = &'a str>) -> LayerFilter {
        LayerFilter { shown: None, hidden: names.into_iter().map(str::to_owned).collect() }
    }

    /// Reads names parted by commas: `paths,senses` shows these alone, `-names` all but this, `all` or nothing
    /// everything. A hidden name wins over the same name shown.
    pub fn parse(text: &str) -> LayerFilter {
        let mut filter = LayerFilter::default();
        let mut is_all_asked = false;
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word.strip_prefix('-') {
                Some(name) => filter.hidden.push(name.trim().to_owned()),
                None if word == "all" => is_all_asked = true,
                None => filter.shown.get_or_insert_default().push(word.to_owned()),
            }
        }
        if is_all_asked {
            filter.shown = None;
        }
        filter
    }

    /// Whether a layer is shown.
    pub fn shows(&self, layer: Layer) -> bool {
        let is_named = |names: &[String]| names.iter().any(|name| name == layer.0);
        self.shown.as_deref().is_none_or(is_named) && !is_named(&self.hidden)
    }

    /// Every name the filter mentions, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shown.iter().flatten().chain(&self.hidden).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_shown_and_hidden_by_name() {
        let shown = |filter: &LayerFilter| {
            [Layer::LEVEL, Layer::BODIES, Layer::PATHS].map(|layer| filter.shows(layer)).map(u8::from)
        };
        assert_eq!(shown(&LayerFilter::all()), [1, 1, 1]);
        assert_eq!(shown(&LayerFilter::only(["paths"])), [0, 0, 1]);
        assert_eq!(shown(&LayerFilter::all_but(["paths"])), [1, 1, 0]);
        assert_eq!(shown(&LayerFilter::only([])), [0, 0, 0]);
        assert_eq!(LayerFilter::parse("paths, level"), LayerFilter::only(["paths", "level"]));
        assert_eq!(LayerFilter::parse("-paths"), LayerFilter::all_but(["paths"]));
        assert_eq!(shown(&LayerFilter::parse("all,-level")), [0, 1, 1]);
        assert_eq!(shown(&LayerFilter::parse("paths,level,-level")), [0, 0, 1]);
        assert_eq!(shown(&LayerFilter::parse(" , ")), [1, 1, 1]);
        assert_eq!(shown(&LayerFilter::parse("pahts")), [0, 0, 0]);
        assert_eq!(LayerFilter::parse("paths,-names").names().collect::<Vec<_>>(), ["paths", "names"]);
    }
}
