//! The one maths module: float functions that give the same bits on every target.
//!
//! IEEE operations (+ − × ÷, square root, rounding, comparison) are exact everywhere and used as they are. Everything
//! else in the standard library may differ between targets, so it is banned by lint and comes from here, over `libm`.
//! Functions of the standard library whose treatment of ±0 or NaN is not settled (`min`, `max`, `clamp`) have exact
//! replacements too.

pub use std::f32::consts::{FRAC_PI_2, PI, TAU};

macro_rules! over_libm {
    ($($(#[$doc:meta])* $name:ident = $inner:ident ( $($arg:ident),* );)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name($($arg: f32),*) -> f32 {
            libm::$inner($($arg),*)
        }
    )*};
}

over_libm! {
    /// Sine of an angle in radians.
    sin = sinf(angle);
    /// Cosine of an angle in radians.
    cos = cosf(angle);
    /// Tangent of an angle in radians.
    tan = tanf(angle);
    /// Arc tangent, in (−π/2, π/2).
    atan = atanf(x);
    /// Angle of the vector (x, y), counter-clockwise from the x axis, in [−π, π]; 0 for the zero vector.
    atan2 = atan2f(y, x);
    /// Hyperbolic sine.
    sinh = sinhf(x);
    /// Hyperbolic cosine.
    cosh = coshf(x);
    /// Hyperbolic tangent.
    tanh = tanhf(x);
    /// e to the x.
    exp = expf(x);
    /// 2 to the x.
    exp2 = exp2f(x);
    /// Natural logarithm; NaN below 0.
    ln = logf(x);
    /// Logarithm to base 2; NaN below 0.
    log2 = log2f(x);
    /// Logarithm to base 10; NaN below 0.
    log10 = log10f(x);
    /// x to the y.
    pow = powf(x, y);
    /// Cube root.
    cbrt = cbrtf(x);
    /// Length of (x, y) without overflow on the way.
    hypot = hypotf(x, y);
}

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// Arc sine of x held within [−1, 1], so that a dot product a hair too long gives no NaN.
#[inline]
pub fn asin(x: f32) -> f32 {
    libm::asinf(clamp(x, -1.0, 1.0))
}

/// Arc cosine of x held within [−1, 1], so that a dot product a hair too long gives no NaN.
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(clamp(x, -1.0, 1.0))
}

/// x to a whole power, by squaring: the same multiplications in the same order everywhere.
pub fn powi(x: f32, power: i32) -> f32 {
    let (mut result, mut base, mut left) = (1.0, x, power.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            result *= base;
        }
        base *= base;
        left >>= 1;
    }
    if power < 0 { 1.0 / result } else { result }
}

/// The smaller one; `a` when they compare equal (so −0 and 0 keep their order) or when `b` is NaN.
#[inline]
pub fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The greater one; `a` when they compare equal or when `b` is NaN.
#[inline]
pub fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// `x` held between `low` and `high`; `low` wins if they cross; NaN stays NaN.
#[inline]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    max(min(x, high), low)
}

/// `x` held between 0 and 1.
#[inline]
pub fn saturate(x: f32) -> f32 {
    clamp(x, 0.0, 1.0)
}

/// The point a share `t` of the way from `a` to `b`: exactly `a` at 0 and exactly `b` at 1.
#[inline]
pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a * (1.0 - t) + b * t
}

/// `from`, moved toward `to` by at most `step` (≥ 0).
#[inline]
pub fn approach(from: f32, to: f32, step: f32) -> f32 {
    if from < to { min(from + step, to) } else { max(from - step, to) }
}

/// The same angle in [−π, π]; 0 for an infinite one or NaN.
#[inline]
pub fn wrap_angle(angle: f32) -> f32 {
    // In range already, nothing is done, so wrapping twice is wrapping once.
    if (-PI..=PI).contains(&angle) {
        return angle;
    }
    let turned = angle - TAU * (angle / TAU).round();
    if turned.is_finite() { clamp(turned, -PI, PI) } else { 0.0 }
}

/// The short way from one angle to another, in [−π, π].
#[inline]
pub fn angle_between(from: f32, to: f32) -> f32 {
    wrap_angle(to - from)
}

/// `from`, turned the short way toward `to` by at most `step` radians (≥ 0); wrapped.
#[inline]
pub fn approach_angle(from: f32, to: f32, step: f32) -> f32 {
    wrap_angle(from + clamp(angle_between(from, to), -step, step))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the standard library is the twin here")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bits_are_pinned() {
        let bits: Vec<u32> = [
            sin(1.0),
            cos(1.0),
            tan(1.0),
            asin(0.5),
            acos(0.5),
            atan(2.0),
            atan2(-1.0, -2.0),
            sinh(0.7),
            cosh(0.7),
            tanh(0.7),
            exp(1.5),
            exp2(1.5),
            ln(3.0),
            log2(3.0),
            log10(3.0),
            pow(2.5, 1.7),
            cbrt(5.0),
            hypot(1.1, 2.2),
            powi(1.1, 7),
            powi(1.1, -3),
        ]
        .map(f32::to_bits)
        .into();
        assert_eq!(bits, GOLDEN);
    }

    const GOLDEN: [u32; 20] = [
        1062693540, 1057640768, 1070029091, 1057360530, 1065749138, 1066252045, 3224068980, 1061302922, 1067493729,
        1058715608, 1083140607, 1077216499, 1066180436, 1070260237, 1056196925, 1083698811, 1071308926, 1075669840,
        1073311634, 1061180970,
    ];

    #[test]
    fn sign_of_zero_and_nan_are_settled() {
        assert!(min(-0.0, 0.0).is_sign_negative() && min(0.0, -0.0).is_sign_positive());
        assert!(max(-0.0, 0.0).is_sign_negative() && max(0.0, -0.0).is_sign_positive());
        assert_eq!((min(1.0, f32::NAN), max(1.0, f32::NAN)), (1.0, 1.0));
        assert!(clamp(f32::NAN, 0.0, 1.0).is_nan());
        assert_eq!(clamp(5.0, 2.0, 1.0), 2.0);
        assert_eq!((acos(1.000_000_1), asin(-1.000_000_1)), (0.0, -FRAC_PI_2));
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!((wrap_angle(f32::INFINITY), wrap_angle(f32::NAN)), (0.0, 0.0));
        assert_eq!(powi(0.0, 0), 1.0);
    }

    #[test]
    fn lerp_is_exact_at_both_ends() {
        assert_eq!((lerp(0.1, 0.7, 0.0), lerp(0.1, 0.7, 1.0)), (0.1, 0.7));
        assert_eq!((approach(1.0, 3.0, 0.5), approach(1.0, -3.0, 0.5), approach(1.0, 1.2, 0.5)), (1.5, 0.5, 1.2));
    }

    proptest! {
        #[test]
        fn wrapped_angles_point_the_same_way(angle in -1000.0f32..1000.0) {
            let wrapped = wrap_angle(angle);
            prop_assert!((-PI..=PI).contains(&wrapped));
            prop_assert!((sin(wrapped) - sin(angle)).abs() < 1e-3 && (cos(wrapped) - cos(angle)).abs() < 1e-3);
            prop_assert_eq!(wrap_angle(wrapped), wrapped);
        }

        #[test]
        fn turning_never_overshoots(from in -PI..PI, to in -PI..PI, step in 0.0f32..4.0) {
            let turned = approach_angle(from, to, step);
            let (before, after) = (angle_between(from, to).abs(), angle_between(turned, to).abs());
            prop_assert!(after <= before + 1e-5);
            prop_assert!(after < 1e-5 || (before - after - step).abs() < 1e-5);
        }

        /// The twin is the standard library in double precision.
        #[test]
        fn functions_agree_with_the_standard_library(x in -20.0f32..20.0) {
            let wide = f64::from(x);
            for (ours, std) in [(sin(x), wide.sin()), (cos(x), wide.cos()), (atan(x), wide.atan()), (exp(x), wide.exp()), (tanh(x), wide.tanh()), (cbrt(x), wide.cbrt())] {
                prop_assert!((f64::from(ours) - std).abs() <= 2e-7 * std.abs().max(1e-3), "{} for {}", ours, std);
            }
        }
    }
}
