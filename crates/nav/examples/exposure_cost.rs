//! Prices segments so often, for counting instructions: the difference between two counts of rounds is that of the pricing
//! alone. `exposure_cost exact|sampled ROUNDS`. The region is a fan of 360 corners, as rays give it; segments are random, 1 to
//! 9 m long, and every one has its costs summed up by the same price.

use sentir_nav::core::glam::{Vec2, Vec3};
use sentir_nav::core::math;
use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::mesh::AreaId;
use sentir_nav::tactic::{Exposure, ExposurePrice, Region, RegionSet, Sampled, Segment, Sight, Spans, Tactic, Walk};

const USAGE: &str = "usage: exposure_cost exact|sampled ROUNDS";
const SEGMENTS: u16 = 200;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, rounds] = words.as_slice() else {
        println!("{USAGE}");
        return;
    };
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("exposure_cost"));
    let corner = |number: u16| {
        let (sin, cos) = math::sin_cos(f32::from(number) * math::TAU / 360.0);
        Vec2::new(cos, sin) * (6.0 + 4.0 * math::sin(f32::from(number) * 0.2))
    };
    let set = RegionSet::new(&[Region::new((0..360).map(corner).collect())]).expect("a region");
    let segments: Vec<Segment> = (0..SEGMENTS)
        .map(|_| {
            let from = Vec2::new(random.between(-10.0, 10.0), random.between(-10.0, 10.0));
            let (sin, cos) = math::sin_cos(random.between(0.0, math::TAU));
            let to = from + Vec2::new(cos, sin) * random.between(1.0, 9.0);
            Segment::new(Vec3::new(from.x, 0.0, -from.y), Vec3::new(to.x, 0.0, -to.y), AreaId(0))
        })
        .collect();
    let sampled = Sampled::new(|at: Vec2, height_m: f32| set.contains(at, height_m));
    let sight: &dyn Sight = if kind == "sampled" { &sampled } else { &set };
    let exposure = Some(Exposure { sight, price: ExposurePrice::new(1.0, 2.0) });
    let (tactic, mut spans, mut sum) = (Tactic { layers: &[], exposure }, Spans::default(), 0.0);
    for _ in 0..rounds.parse::<u32>().unwrap_or(1) {
        for segment in &segments {
            sum += tactic.advance(Walk::default(), segment, &mut spans).cost;
        }
    }
    let count = f64::from(SEGMENTS) * rounds.parse().unwrap_or(1.0);
    println!("{kind}: {SEGMENTS} segments, mean cost {:.4}", sum / count);
}
