//! Visual tiredness: eyes that work get dull, eyes that rest get sharp again.
//!
//! Tiredness goes toward the strain of the moment, faster up or down by two time constants. Tired eyes see in blocks of
//! pixels, each as its middle one: small and far things get lost. O(pixels); nothing allocates.

use sentir_core::State;
use sentir_core::math;

use crate::viewport::Viewport;

/// How eyes tire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TirednessConfig {
    /// Time in which full strain tires by about two thirds, s. Limit: > 0; others tire at once.
    pub tire_s: f32,
    /// Time in which shut eyes recover by about two thirds, s.
    pub rest_s: f32,
    /// Side of a block that worn-out eyes see, pixels. Limit: 1..=32.
    pub block_px_max: u32,
}

impl Default for TirednessConfig {
    fn default() -> Self {
        TirednessConfig { tire_s: 120.0, rest_s: 30.0, block_px_max: 6 }
    }
}

/// How tired eyes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Tiredness {
    /// 0 rested, 1 worn out.
    level: f32,
}

impl Tiredness {
    /// Eyes that are so tired, 0..=1.
    pub fn new(level: f32) -> Tiredness {
        Tiredness { level: math::saturate(level) }
    }

    /// How tired they are, 0..=1.
    pub fn level(&self) -> f32 {
        self.level
    }

    /// Goes on by a time, s, in which the eyes worked that hard: 0 is shut, 1 is as hard as can be (see [`strain`]).
    pub fn step(&mut self, config: &TirednessConfig, strain: f32, step_s: f32) {
        // What is no number is no strain, and no time.
        let strain = if strain > 0.0 { math::saturate(strain) } else { 0.0 };
        let step_s = if step_s > 0.0 { step_s } else { 0.0 };
        let constant_s = if strain > self.level { config.tire_s } else { config.rest_s };
        let left = if constant_s > 0.0 { math::exp(-step_s / constant_s) } else { 0.0 };
        self.level = math::saturate(strain + (self.level - strain) * left);
    }

    /// Side of the blocks these eyes see, pixels; 1 is sharp.
    pub fn block_px(&self, config: &TirednessConfig) -> u32 {
        let most = config.block_px_max.clamp(1, 32);
        1 + ((most - 1) as f32 * self.level + 0.5) as u32
    }

    /// Makes a viewport as dull as these eyes see it. Rested eyes change no bit.
    pub fn apply(&self, config: &TirednessConfig, view: &mut Viewport) {
        let block = self.block_px(config);
        let (width, height) = (view.lens().width, view.lens().height);
        if block == 1 {
            return;
        }
        // The middle of a block is read before it is written over by itself: equal bits, so the order is moot.
        let middle = |at: u32, count: u32| (at / block * block + block / 2).min(count - 1);
        for row in 0..height {
            for column in 0..width {
                let from = (middle(row, height) * width + middle(column, width)) as usize;
                let to = (row * width + column) as usize;
                view.classes[to] = view.classes[from];
                view.depths[to] = view.depths[from];
                view.motions[to] = view.motions[from];
            }
        }
    }
}

/// How hard the eyes work between two looks: the share of the pixels whose class changed, 0..=1. Pictures of two sizes have
/// nothing in common: 1.
pub fn strain(before: &Viewport, now: &Viewport) -> f32 {
    if before.classes.len() != now.classes.len() || before.lens().width != now.lens().width {
        return 1.0;
    }
    let changed = before.classes.iter().zip(&now.classes).filter(|(a, b)| a != b).count();
    changed as f32 / now.classes.len() as f32
}
