//! The plots of a battery: how often each outcome came, and how each metric spreads.

use super::report::figure;
use super::scale::{Bins, Step, bins, nice, unit};
use super::summary::{Figures, Summary};
use super::svg::{Anchor, BAR, GRAY, GRID, INK, Look, MARK, Svg};

/// Width of a plot, px.
const WIDTH: f64 = 720.0;
/// Height of a histogram, px.
const HEIGHT: f64 = 440.0;
/// Room above the axes, for title and legend, px.
const TOP: f64 = 96.0;
/// Room under the axes, for numbers and a label, px.
const BOTTOM: f64 = 62.0;
/// Room at the left edge, px.
const LEFT: f64 = 28.0;
/// Height of one bar of outcomes with the room around it, px.
const ROW: f64 = 44.0;
/// Width of the bar of a whole number at most, px.
const WHOLE_BAR_MAX: f64 = 88.0;
/// Width of a letter of 13 px, on the wide side, px.
const LETTER: f64 = 7.6;

/// Every plot of a scene: file name and content.
pub(crate) fn plots(summary: &Summary) -> Vec<(String, String)> {
    let scene = summary.scene.name;
    let mut plots = vec![(format!("{scene}-outcomes.svg"), outcome_plot(summary))];
    plots.extend(summary.metrics.iter().map(|one| (format!("{scene}-{}.svg", one.name), histogram(summary, one))));
    plots
}

/// The part of a plot between its axes, px.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    /// The pixel column of a share of the width, 0 to 1.
    fn x(&self, share: f64) -> f64 {
        self.left + (self.right - self.left) * share
    }

    /// The pixel row of a share of the height, 0 at the bottom.
    fn y(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }
}

/// "200 matches, seeds 1 to 200".
fn origin(summary: &Summary) -> String {
    let seeds = summary.seeds.map_or_else(String::new, |(first, last)| format!(", seeds {first} to {last}"));
    format!("{} matches{seeds}", summary.matches)
}

fn head(height: f64, title: &str, below: &str) -> Svg {
    let mut svg = Svg::new(WIDTH, height, title);
    svg.text([LEFT, 36.0], title, Look { size: 19, color: INK, anchor: Anchor::Start, is_bold: true });
    svg.text([LEFT, 57.0], below, Look::small(Anchor::Start));
    svg
}

/// Said in place of bars when there are none.
fn nothing(svg: &mut Svg, frame: Frame, words: &str) {
    svg.text([frame.x(0.5), frame.y(0.5)], words, Look { size: 15, ..Look::small(Anchor::Middle) });
}

fn outcome_plot(summary: &Summary) -> String {
    let outcomes = &summary.outcomes;
    let height = TOP + ROW * outcomes.len().max(1) as f64 + BOTTOM;
    let mut svg = head(height, &format!("{}: outcomes", summary.scene.name), &origin(summary));
    let longest = outcomes.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let label = (longest as f64 * LETTER).clamp(60.0, 260.0);
    let frame = Frame { left: LEFT + label + 12.0, right: WIDTH - 132.0, top: TOP, bottom: height - BOTTOM };
    for percent in (0..=100).step_by(20) {
        let x = frame.x(f64::from(percent) / 100.0);
        svg.line([x, frame.top], [x, frame.bottom], GRID, 1.0);
        svg.text([x, frame.bottom + 20.0], &percent.to_string(), Look::small(Anchor::Middle));
    }
    svg.text([frame.x(0.5), height - 16.0], "share of matches, %", Look::small(Anchor::Middle));
    if outcomes.is_empty() {
        nothing(&mut svg, frame, "no match was played to its end");
        return svg.finish();
    }
    legend(&mut svg, "95 % interval (Wilson)");
    for (index, one) in outcomes.iter().enumerate() {
        let middle = frame.top + ROW * (index as f64 + 0.5);
        let ink = Look { color: INK, ..Look::small(Anchor::End) };
        svg.text([frame.left - 12.0, middle + 4.5], one.name, ink);
        svg.rect([frame.left, middle - 12.0], [frame.x(one.share) - frame.left, 24.0], BAR, 1.0);
        whisker(&mut svg, frame.x(one.interval.low), frame.x(one.interval.high), middle);
        let told = format!("{:.1} %  ({})", one.share * 100.0, one.count);
        svg.text([WIDTH - LEFT, middle + 4.5], &told, ink);
    }
    svg.line([frame.left, frame.top], [frame.left, frame.bottom], GRAY, 1.0);
    svg.finish()
}

/// A line from `low` to `high` with an end on each side, px.
fn whisker(svg: &mut Svg, low: f64, high: f64, y: f64) {
    svg.line([low, y], [high, y], MARK, 2.0);
    for x in [low, high] {
        svg.line([x, y - 5.0], [x, y + 5.0], MARK, 2.0);
    }
}

/// What the whiskers mean, under the title.
fn legend(svg: &mut Svg, words: &str) {
    whisker(svg, LEFT + 1.0, LEFT + 25.0, 74.0);
    svg.text([LEFT + 34.0, 78.5], words, Look { color: MARK, ..Look::small(Anchor::Start) });
}

fn histogram(summary: &Summary, figures: &Figures) -> String {
    let title = format!("{}: {}", summary.scene.name, figures.name);
    let mut below = origin(summary);
    if figures.values.len() < summary.matches {
        below.push_str(&format!("; {} have a value", figures.values.len()));
    }
    let mut svg = head(HEIGHT, &title, &below);
    let frame = Frame { left: LEFT + 52.0, right: WIDTH - LEFT, top: TOP + 8.0, bottom: HEIGHT - BOTTOM };
    let (Some(spread), Some(bins)) = (figures.spread, bins(&figures.values)) else {
        nothing(&mut svg, frame, "no match has a value");
        return svg.finish();
    };
    let (words, unit) = unit(figures.name, bins.is_whole);
    count_axis(&mut svg, frame, &bins);
    value_axis(
        &mut svg,
        frame,
        &bins,
        &format!("{words}{}", unit.map_or_else(String::new, |unit| format!(" ({unit})"))),
    );
    let mean_x = frame.x(bins.place(spread.mean));
    let mut told = format!("mean {}", figure(spread.mean));
    if let Ok((interval, method)) = spread.interval {
        let inside = |x: f64| x.clamp(frame.left, frame.right);
        let [low, high] = [interval.low, interval.high].map(|end| inside(frame.x(bins.place(end))));
        svg.rect([low, frame.top], [high - low, frame.bottom - frame.top], MARK, 0.16);
        let (from, to) = (figure(interval.low), figure(interval.high));
        told.push_str(&format!(", 95 % interval {from} to {to} ({})", method.name()));
    }
    svg.line([mean_x, frame.top], [mean_x, frame.bottom], MARK, 2.0);
    told.push_str(&format!("; median {}", figure(spread.median)));
    svg.rect([LEFT + 1.0, 66.0], [24.0, 16.0], MARK, 0.16);
    svg.line([LEFT + 13.0, 66.0], [LEFT + 13.0, 82.0], MARK, 2.0);
    svg.text([LEFT + 34.0, 78.5], &told, Look { color: MARK, ..Look::small(Anchor::Start) });
    svg.finish()
}

/// The counts: grid lines with numbers at the left, and the bars.
fn count_axis(svg: &mut Svg, frame: Frame, bins: &Bins) {
    let most = bins.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let step = nice((most / 5.0).max(1.0));
    let top = (most / step.size).ceil() * step.size;
    for (value, text) in step.ticks(0.0, top) {
        let y = frame.y(value / top);
        svg.line([frame.left, y], [frame.right, y], GRID, 1.0);
        svg.text([frame.left - 8.0, y + 4.5], &text, Look::small(Anchor::End));
    }
    let middle = [LEFT + 6.0, frame.y(0.5)];
    svg.turned_text(middle, "matches", Look::small(Anchor::Middle), -90);
    for (index, &count) in bins.counts.iter().enumerate() {
        let from = frame.x(bins.place(bins.edge(index)));
        let to = frame.x(bins.place(bins.edge(index + 1)));
        // A gap keeps neighbors apart; whole numbers stand on their own and get a wider one.
        let width = if bins.is_whole { ((to - from) * 0.84).min(WHOLE_BAR_MAX) } else { to - from - 1.0 };
        let y = frame.y(count as f64 / top);
        if count > 0 {
            svg.rect([(from + to - width) / 2.0, y], [width, frame.bottom - y], BAR, 1.0);
        }
    }
}

/// The values: numbers under the bars, and what they are.
fn value_axis(svg: &mut Svg, frame: Frame, bins: &Bins, label: &str) {
    let (low, high) = (bins.edge(0), bins.edge(bins.counts.len()));
    let least = (high - low) / 8.0;
    let step: Step = nice(if bins.is_whole { least.max(1.0) } else { least });
    svg.line([frame.left, frame.bottom], [frame.right, frame.bottom], GRAY, 1.0);
    for (value, text) in step.ticks(low, high) {
        let x = frame.x(bins.place(value));
        svg.line([x, frame.bottom], [x, frame.bottom + 5.0], GRAY, 1.0);
        svg.text([x, frame.bottom + 21.0], &text, Look::small(Anchor::Middle));
    }
    svg.text([frame.x(0.5), HEIGHT - 16.0], label, Look::small(Anchor::Middle));
}

#[cfg(test)]
mod tests {
    use super::super::round::tests::row;
    use super::*;
    use crate::pool::Threads;
    use proptest::prelude::*;

    fn plots_of(values: &[f64]) -> Vec<(String, String)> {
        let rows: Vec<_> = (1..).zip(values).map(|(seed, &value)| row(seed, "<caught>", &[("x_m", value)])).collect();
        plots(&Summary::new(sentir_scenes::CATALOG.find("patrol").unwrap(), &rows, &Threads::new(1).unwrap()))
    }

    #[test]
    fn every_scene_has_a_plot_of_outcomes_and_every_metric_its_own() {
        let names: Vec<String> = plots_of(&[1.0, 2.5]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["patrol-outcomes.svg", "patrol-x_m.svg"]);
    }

    #[test]
    fn a_plot_has_a_title_labels_with_units_and_its_origin() {
        let plots = plots_of(&[1.0, 2.5, f64::NAN]);
        for words in ["patrol: outcomes", "share of matches, %", "3 matches, seeds 1 to 3", "&lt;caught&gt;"] {
            assert!(plots[0].1.contains(words), "'{words}' is missing");
        }
        for words in ["patrol: x_m", ">x (meters)<", ">matches<", "; 2 have a value", "mean 1.75"] {
            assert!(plots[1].1.contains(words), "'{words}' is missing");
        }
    }

    #[test]
    fn plots_of_nothing_say_so() {
        assert!(plots_of(&[])[0].1.contains("no match was played to its end"));
        assert!(plots_of(&[f64::NAN])[1].1.contains("no match has a value"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_values_break_a_plot(values in prop::collection::vec(-1e12..1e12_f64, 1..40), scale in -12..3) {
            let scale: f64 = format!("1e{scale}").parse().unwrap();
            let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
            for (_, plot) in plots_of(&scaled) {
                prop_assert!(!plot.contains("NaN") && !plot.contains("inf") && plot.ends_with("</svg>\n"));
            }
        }
    }
}
