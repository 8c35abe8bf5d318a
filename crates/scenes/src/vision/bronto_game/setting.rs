//! What can be set about Bronto. The source has names for all of it and values for none: those here are ours.

use sentir_vision::bronto::{BrontoConfig, ThresholdError, Thresholds};
use sentir_vision::classic::Margins;

use sentir_harness::info::{Setting, SettingKind, Setup};

/// How many settings there are.
pub(super) const COUNT: usize = 31;
/// The levels that come with it.
pub(super) const LEVELS: &[&str] = &["rooms", "hall", "warren"];

const fn number(name: &'static str, about: &'static str, min: f32, max: f32, stock: &'static str) -> Setting {
    Setting { name, about, kind: SettingKind::Number { min, max }, stock }
}

const fn whole(name: &'static str, about: &'static str, min: u32, max: u32, stock: &'static str) -> Setting {
    Setting { name, about, kind: SettingKind::Whole { min, max }, stock }
}

/// The settings of all scenes with Bronto, with what differs between them.
pub(super) const fn settings(
    seconds: &'static str,
    balls: &'static str,
    health: &'static str,
    ammo: &'static str,
) -> [Setting; COUNT] {
    const MINDS: &[&str] = &["ours", "source-away", "source-toward"];
    [
        Setting { name: "mind", about: "by what it finds its way", kind: SettingKind::Choice(MINDS), stock: "ours" },
        Setting {
            name: "level",
            about: "where, in scenes with several levels",
            kind: SettingKind::Choice(LEVELS),
            stock: "rooms",
        },
        number("seconds", "how long it is at the most, s", 1.0, 1200.0, seconds),
        whole("balls", "how many balls fly", 0, 24, balls),
        number("ball_m_per_s", "how fast they fly, m/s", 0.0, 20.0, "2.5"),
        whole("width", "columns of the picture it sees, pixels", 40, 640, "160"),
        whole("look_every", "ticks from look to look", 1, 60, "6"),
        number("camera_deg", "angle of view from top to bottom, degrees", 20.0, 140.0, "75"),
        number("near_m", "what is nearer is not seen, m", 0.01, 1.0, "0.05"),
        number("far_m", "what is farther is not seen, m", 5.0, 1000.0, "60"),
        whole("health_low", "less health is wanted quickly", 1, 99, "35"),
        whole("health_high", "less health is wanted", 1, 99, "75"),
        whole("ammo_low", "less ammunition is wanted quickly", 1, 99, "25"),
        whole("ammo_high", "less ammunition is wanted", 1, 99, "65"),
        whole("half_width_px", "B: half the body for the source's way, of 160 columns", 1, 79, "12"),
        whole("upper_px", "U: margin above and beside its target", 1, 79, "10"),
        whole("lower_px", "L: margin below its target", 1, 79, "20"),
        number("renew_percent", "C_f: share of a way after which the next is looked for", 0.1, 100.0, "60"),
        whole("start_health", "health at the start", 1, 100, health),
        whole("start_ammo", "ammunition at the start", 0, 100, ammo),
        number("health_every_s", "health falls every so often, s", 0.1, 1000.0, "5"),
        whole("health_loss", "by so much", 0, 100, "3"),
        number("ammo_every_s", "ammunition falls every so often, s", 0.1, 1000.0, "4"),
        whole("ammo_loss", "by so much", 0, 100, "4"),
        whole("health_gain", "what health gives", 0, 100, "20"),
        whole("ammo_gain", "what ammunition gives", 0, 100, "20"),
        number("respawn_s", "what was taken is back after, s", 0.0, 1000.0, "20"),
        number("walk_m_per_s", "how fast it walks, m/s", 0.1, 4.0, "1.6"),
        number("run_m_per_s", "how fast it runs, m/s", 0.1, 4.0, "3.2"),
        number("stuck_s", "who does not move for so long is stuck, s", 0.1, 60.0, "1"),
        number("v_max", "the fastest motion that is told from faster ones, m/s", 0.1, 100.0, "10"),
    ]
}

/// Bronto's tuning. Margins are given for 160 columns.
pub(super) fn bronto(setup: &Setup) -> Result<BrontoConfig, ThresholdError> {
    let settings = &setup.settings;
    let thresholds = Thresholds {
        health_low: settings.whole("health_low"),
        health_high: settings.whole("health_high"),
        ammo_low: settings.whole("ammo_low"),
        ammo_high: settings.whole("ammo_high"),
    };
    thresholds.check()?;
    let pixels = |name: &str| (settings.whole(name) * settings.whole("width") / 160).max(1);
    Ok(BrontoConfig {
        thresholds,
        margins: Margins { half_width: pixels("half_width_px"), upper: pixels("upper_px"), lower: pixels("lower_px") },
        renew_share: settings.number("renew_percent") / 100.0,
        walk_m_per_s: settings.number("walk_m_per_s"),
        run_m_per_s: settings.number("run_m_per_s"),
        stuck_s: settings.number("stuck_s"),
        ..BrontoConfig::default()
    })
}
