//! Flocking: separation, cohesion and alignment (Reynolds, SIGGRAPH 1987) for a whole flock in one pass.
//!
//! With n neighbors at p_j, moving at v_j, within the radius and the field of view of somebody at p moving at v:
//!
//! | rule | acceleration | stock weight |
//! |---|---|---|
//! | separation | push · Σ (p − p_j) / \|p − p_j\|²: away from each, the harder the nearer | 3 |
//! | cohesion | (mean of p_j − p) / radius · speed / response: toward their middle, the harder the farther it is | 2 |
//! | alignment | (mean of v_j − v) / response: their mean velocity | 1 |
//!
//! The sum by weight is cut at the greatest acceleration; without neighbors it is zero. Cohesion is a plain pull, without
//! the brake that seeking the middle at full speed has (which would jitter at the middle, and stop the flock). Who stands
//! at the very same place (nearer than [`SAME_PLACE_M`]) is no neighbor: there is no way away from it.
//!
//! **Method.** Positions and velocities are laid out by cell of a uniform grid as wide as the radius, axis by axis, so
//! neighbors are read in runs, four at a time and without branches, into four sums each. **Cost** O(boids + pairs within
//! three cells by three). **Guarantees**: the same bits for any pool and machine; warm, nothing is allocated; boids that
//! are not finite, or beyond the index's reach, neither flock nor are seen; for finite boids every result is finite.

use sentir_core::glam::Vec2;
use sentir_core::index::PointIndex;
use sentir_core::pool::{Pool, chunk_len, each};
use sentir_core::{math, plane};

use crate::mover::limited;

/// Two nearer than this are at the same place, m.
pub const SAME_PLACE_M: f32 = 1e-6;
/// Boids per job below which splitting does not pay.
const BOIDS_PER_JOB_MIN: usize = 128;
/// Neighbors looked at together.
const LANES: usize = 4;
/// Marks what is no boid.
const PADDING: u32 = u32::MAX;
/// Where padding is, m: out of everybody's reach, and its square is a number.
const FAR_M: f32 = 1e15;

/// Tuning of a flock. Values outside a limit count as the limit, and what is no number as the stock value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockConfig {
    /// How much separation counts. Limit: −1000..=1000.
    pub separation_weight: f32,
    /// How much cohesion counts. Limit: −1000..=1000.
    pub cohesion_weight: f32,
    /// How much alignment counts. Limit: −1000..=1000.
    pub alignment_weight: f32,
    /// How hard a neighbor at 1 m pushes, m/s². Limit: 0..=1000.
    pub push_m_per_s2: f32,
    /// How far neighbors are seen, m. Limit: 0.01..=1000.
    pub radius_m: f32,
    /// How far to either side of its way a boid sees, rad; who rests sees all round. Limit: 0..=π; π sees all round.
    pub view_rad: f32,
    /// Fastest, m/s. Limit: 0..=1000.
    pub speed_m_per_s_max: f32,
    /// Greatest acceleration, m/s². Limit: 0..=1e6.
    pub acceleration_m_per_s2_max: f32,
    /// In what time a wrong velocity is put right, s. Limit: 0.01..=100.
    pub response_s: f32,
}

impl Default for FlockConfig {
    fn default() -> Self {
        FlockConfig {
            separation_weight: 3.0,
            cohesion_weight: 2.0,
            alignment_weight: 1.0,
            push_m_per_s2: 1.0,
            radius_m: 2.0,
            view_rad: math::PI,
            speed_m_per_s_max: 4.0,
            acceleration_m_per_s2_max: 10.0,
            response_s: 0.5,
        }
    }
}

impl FlockConfig {
    /// Every value within its limits.
    pub fn clamped(&self) -> FlockConfig {
        let stock = FlockConfig::default();
        let clamped = |value: f32, stock: f32, low: f32, high: f32| {
            math::clamp(if value.is_nan() { stock } else { value }, low, high)
        };
        FlockConfig {
            separation_weight: clamped(self.separation_weight, stock.separation_weight, -1e3, 1e3),
            cohesion_weight: clamped(self.cohesion_weight, stock.cohesion_weight, -1e3, 1e3),
            alignment_weight: clamped(self.alignment_weight, stock.alignment_weight, -1e3, 1e3),
            push_m_per_s2: clamped(self.push_m_per_s2, stock.push_m_per_s2, 0.0, 1e3),
            radius_m: clamped(self.radius_m, stock.radius_m, 0.01, 1e3),
            view_rad: clamped(self.view_rad, stock.view_rad, 0.0, math::PI),
            speed_m_per_s_max: clamped(self.speed_m_per_s_max, stock.speed_m_per_s_max, 0.0, 1e3),
            acceleration_m_per_s2_max: clamped(
                self.acceleration_m_per_s2_max,
                stock.acceleration_m_per_s2_max,
                0.0,
                1e6,
            ),
            response_s: clamped(self.response_s, stock.response_s, 0.01, 100.0),
        }
    }
}

/// What a pass needs and need not remember.
#[derive(Clone, Debug, Default)]
pub struct FlockScratch {
    index: PointIndex,
    flock: Sorted,
    /// Accelerations in the order of the flock.
    found: Vec<Vec2>,
}

impl FlockScratch {
    /// The index over the positions of the last pass.
    pub fn index(&self) -> &PointIndex {
        &self.index
    }
}

/// The flock in the order of the index, axis by axis, with padding after each row of cells: a run can then be read by
/// fours to beyond its end, where only boids of the same row follow, which are out of reach, and padding.
#[derive(Clone, Debug, Default)]
struct Sorted {
    x: Vec<f32>,
    y: Vec<f32>,
    along_x: Vec<f32>,
    along_y: Vec<f32>,
    /// Which boid; [`PADDING`] for none.
    number: Vec<u32>,
}

impl Sorted {
    fn fill(&mut self, index: &PointIndex, velocities: &[Vec2]) {
        let Sorted { x, y, along_x, along_y, number } = self;
        [&mut *x, y, along_x, along_y].into_iter().for_each(Vec::clear);
        number.clear();
        for row in index.rows() {
            for (boid, position) in row {
                let velocity = velocities.get(boid as usize).copied().filter(|one| one.is_finite()).unwrap_or_default();
                number.push(boid);
                x.push(position.x);
                y.push(position.y);
                along_x.push(velocity.x);
                along_y.push(velocity.y);
            }
            number.extend_from_slice(&[PADDING; LANES]);
            x.extend_from_slice(&[FAR_M; LANES]);
            y.extend_from_slice(&[FAR_M; LANES]);
            along_x.extend_from_slice(&[0.0; LANES]);
            along_y.extend_from_slice(&[0.0; LANES]);
        }
    }
}

/// The acceleration of every boid, m/s², into `accelerations`, which is made as long as `positions`. A missing velocity
/// counts as zero.
pub fn flock(
    config: &FlockConfig,
    positions: &[Vec2],
    velocities: &[Vec2],
    accelerations: &mut Vec<Vec2>,
    pool: &dyn Pool,
    scratch: &mut FlockScratch,
) {
    let config = config.clamped();
    let FlockScratch { index, flock, found } = scratch;
    index.build(positions, config.radius_m, pool);
    flock.fill(index, velocities);
    found.resize(flock.number.len(), Vec2::ZERO);
    let len = chunk_len(pool, found.len(), BOIDS_PER_JOB_MIN);
    each(pool, found.chunks_mut(len).enumerate(), |(job, part)| {
        if config.view_rad < math::PI {
            steer_part::<true>(&config, index, flock, job * len, part);
        } else {
            steer_part::<false>(&config, index, flock, job * len, part);
        }
    });
    accelerations.resize(positions.len(), Vec2::ZERO);
    if index.len() < positions.len() {
        accelerations.fill(Vec2::ZERO);
    }
    for (&number, &acceleration) in flock.number.iter().zip(&*found) {
        if number != PADDING {
            accelerations[number as usize] = acceleration;
        }
    }
}

/// The boids from `first` on, in the order of the flock.
fn steer_part<const VIEW: bool>(
    config: &FlockConfig,
    index: &PointIndex,
    flock: &Sorted,
    first: usize,
    part: &mut [Vec2],
) {
    let cos = math::cos(config.view_rad);
    let (away, toward) = (
        config.push_m_per_s2 * config.separation_weight,
        config.cohesion_weight * config.speed_m_per_s_max / (config.radius_m * config.response_s),
    );
    let along = config.alignment_weight / config.response_s;
    for (place, acceleration) in (first..).zip(part) {
        if flock.number[place] == PADDING {
            continue;
        }
        let position = Vec2::new(flock.x[place], flock.y[place]);
        let velocity = Vec2::new(flock.along_x[place], flock.along_y[place]);
        let ahead = if VIEW { plane::direction(velocity) } else { Vec2::ZERO };
        let me = Looker {
            x: position.x,
            y: position.y,
            ahead_x: ahead.x,
            ahead_y: ahead.y,
            reach: config.radius_m * config.radius_m,
            // Compared by signed squares, which spares a root for each neighbor. At rest everybody is in sight.
            edge: if ahead == Vec2::ZERO { -2.0 } else { cos * cos.abs() },
        };
        let mut sums = Sums::default();
        let mut runs = [Run::default(); RUNS];
        let mut known = 0;
        index.visit_runs(position, config.radius_m, |row, run| {
            if known == RUNS {
                look::<VIEW>(flock, &runs, &me, &mut sums);
                known = 0;
            }
            // Each row before this one has its padding.
            runs[known] = Run { first: run.start + row * LANES, fours: run.len().div_ceil(LANES) };
            known += 1;
        });
        look::<VIEW>(flock, &runs[..known], &me, &mut sums);
        let count = total(&sums.count);
        *acceleration = Vec2::ZERO;
        if count > 0.0 {
            let share = 1.0 / count;
            let away_sum = Vec2::new(total(&sums.away_x), total(&sums.away_y));
            let way_sum = Vec2::new(total(&sums.way_x), total(&sums.way_y));
            let along_sum = Vec2::new(total(&sums.along_x), total(&sums.along_y));
            let sum = way_sum * (toward * share) - away_sum * away + (along_sum * share - velocity) * along;
            *acceleration = limited(sum, config.acceleration_m_per_s2_max);
        }
    }
}

/// Who looks for neighbors.
struct Looker {
    x: f32,
    y: f32,
    ahead_x: f32,
    ahead_y: f32,
    /// Radius, squared.
    reach: f32,
    /// Cosine of the edge of the view, times its own size.
    edge: f32,
}

type Four = [f32; LANES];

/// Four sums of everything: of ways to neighbors, of those by distance squared, of velocities, and how many.
#[derive(Clone, Copy, Default)]
struct Sums {
    away_x: Four,
    away_y: Four,
    way_x: Four,
    way_y: Four,
    along_x: Four,
    along_y: Four,
    count: Four,
}

fn total(sums: &Four) -> f32 {
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// Boids that lie together, to be read by fours.
#[derive(Clone, Copy, Default)]
struct Run {
    first: usize,
    fours: usize,
}

/// Runs looked at together: a circle as wide as a cell touches three rows, and a fourth where rounding is in doubt.
const RUNS: usize = 4;

/// Adds the neighbors among runs of the flock. Never inlined: in a larger function compilers take the fours apart.
#[inline(never)]
fn look<const VIEW: bool>(flock: &Sorted, runs: &[Run], me: &Looker, all: &mut Sums) {
    let mut sums = *all;
    for run in runs {
        let range = run.first..run.first + run.fours * LANES;
        let (x, _) = flock.x[range.clone()].as_chunks::<LANES>();
        let (y, _) = flock.y[range.clone()].as_chunks::<LANES>();
        let (along_x, _) = flock.along_x[range.clone()].as_chunks::<LANES>();
        let (along_y, _) = flock.along_y[range].as_chunks::<LANES>();
        for (((x, y), along_x), along_y) in x.iter().zip(y).zip(along_x).zip(along_y) {
            sums = add::<VIEW>(sums, me, x, y, along_x, along_y);
        }
    }
    *all = sums;
}

/// One operation on four numbers: plain loops that compilers turn into one instruction, with the same bits if they do not.
#[inline(always)]
fn each_of(a: &Four, b: &Four, operation: impl Fn(f32, f32) -> f32) -> Four {
    std::array::from_fn(|lane| operation(a[lane], b[lane]))
}

/// Adds four looked at together. There are no branches: whoever is no neighbor adds zeros.
#[inline(always)]
fn add<const VIEW: bool>(sums: Sums, me: &Looker, x: &Four, y: &Four, along_x: &Four, along_y: &Four) -> Sums {
    let way_x = each_of(x, &[me.x; LANES], |a, b| a - b);
    let way_y = each_of(y, &[me.y; LANES], |a, b| a - b);
    let squared = each_of(&way_x, &way_y, |a, b| a * a + b * b);
    let mut near: [u32; LANES] = std::array::from_fn(|lane| {
        u32::from((squared[lane] <= me.reach) & (squared[lane] >= SAME_PLACE_M * SAME_PLACE_M)).wrapping_neg()
    });
    if VIEW {
        let ahead = each_of(&way_x, &way_y, |a, b| a * me.ahead_x + b * me.ahead_y);
        near = std::array::from_fn(|lane| {
            near[lane] & u32::from(ahead[lane] * ahead[lane].abs() >= me.edge * squared[lane]).wrapping_neg()
        });
    }
    let kept = |four: &Four| -> Four { std::array::from_fn(|lane| f32::from_bits(four[lane].to_bits() & near[lane])) };
    let share = kept(&each_of(&[1.0; LANES], &squared, |a, b| a / b));
    let plus = |sum: &Four, more: &Four| each_of(sum, more, |a, b| a + b);
    Sums {
        away_x: plus(&sums.away_x, &each_of(&way_x, &share, |a, b| a * b)),
        away_y: plus(&sums.away_y, &each_of(&way_y, &share, |a, b| a * b)),
        way_x: plus(&sums.way_x, &kept(&way_x)),
        way_y: plus(&sums.way_y, &kept(&way_y)),
        along_x: plus(&sums.along_x, &kept(along_x)),
        along_y: plus(&sums.along_y, &kept(along_y)),
        count: plus(&sums.count, &kept(&[1.0; LANES])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sentir_core::pool::Serial;

    /// Says it is wide, works in reverse order: whatever depends on the order or number of jobs shows.
    struct Backwards;

    impl Pool for Backwards {
        fn width(&self) -> usize {
            3
        }

        fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
            (0..count).rev().for_each(job);
        }
    }

    fn passed(config: &FlockConfig, positions: &[Vec2], velocities: &[Vec2], pool: &dyn Pool) -> Vec<Vec2> {
        let (mut accelerations, mut scratch) = (vec![Vec2::splat(7.0); 3], FlockScratch::default());
        flock(config, positions, velocities, &mut accelerations, pool, &mut scratch);
        accelerations
    }

    fn separation(config: &FlockConfig, me: Vec2, others: &[(Vec2, Vec2)]) -> Vec2 {
        others.iter().map(|&(place, _)| (me - place) / me.distance_squared(place)).sum::<Vec2>() * config.push_m_per_s2
    }

    fn cohesion(config: &FlockConfig, me: Vec2, others: &[(Vec2, Vec2)]) -> Vec2 {
        let middle = others.iter().map(|&(place, _)| place - me).sum::<Vec2>() / others.len() as f32;
        middle / config.radius_m * config.speed_m_per_s_max / config.response_s
    }

    fn alignment(config: &FlockConfig, velocity: Vec2, others: &[(Vec2, Vec2)]) -> Vec2 {
        (others.iter().map(|&(_, along)| along).sum::<Vec2>() / others.len() as f32 - velocity) / config.response_s
    }

    /// The slow twin: everybody looks at everybody, one rule after the other.
    fn by_hand(config: &FlockConfig, boids: &[(Vec2, Vec2)]) -> Vec<Vec2> {
        let cos = math::cos(config.view_rad);
        let one = |&(me, velocity): &(Vec2, Vec2)| {
            let sees = |&&(place, _): &&(Vec2, Vec2)| {
                let (way, ahead) = (place - me, plane::direction(velocity));
                let squared = way.length_squared();
                let is_in_view = config.view_rad >= math::PI
                    || ahead == Vec2::ZERO
                    || way.dot(ahead) * way.dot(ahead).abs() >= cos * cos.abs() * squared;
                squared <= config.radius_m * config.radius_m && squared >= 1e-12 && is_in_view
            };
            let others: Vec<(Vec2, Vec2)> = boids.iter().filter(sees).copied().collect();
            if others.is_empty() {
                return Vec2::ZERO;
            }
            limited(
                separation(config, me, &others) * config.separation_weight
                    + cohesion(config, me, &others) * config.cohesion_weight
                    + alignment(config, velocity, &others) * config.alignment_weight,
                config.acceleration_m_per_s2_max,
            )
        };
        boids.iter().map(one).collect()
    }

    fn boids() -> impl Strategy<Value = Vec<(Vec2, Vec2)>> {
        // Coarse places coincide, and lie on borders of cells and circles.
        let axis = || prop_oneof![-12.0f32..12.0, (-12i8..12).prop_map(f32::from)];
        let boid = (axis(), axis(), -3.0f32..3.0, -3.0f32..3.0)
            .prop_map(|(x, y, along_x, along_y)| (Vec2::new(x, y), Vec2::new(along_x, along_y)));
        proptest::collection::vec(boid, 0..150)
    }

    proptest! {
        #[test]
        fn one_pass_is_what_each_rule_gives_by_hand(boids in boids(), radius_m in 0.5f32..9.0, view_rad in prop_oneof![Just(math::PI), 0.3f32..3.0]) {
            let config = FlockConfig { radius_m, view_rad, acceleration_m_per_s2_max: 1e6, ..FlockConfig::default() };
            let (positions, velocities): (Vec<Vec2>, Vec<Vec2>) = boids.iter().copied().unzip();
            let found = passed(&config, &positions, &velocities, &Serial);
            for (ours, twin) in found.iter().zip(by_hand(&config, &boids)) {
                prop_assert!(ours.distance(twin) <= 1e-4 * (1.0 + twin.length()), "{ours} for {twin}");
            }
            prop_assert_eq!(found.len(), boids.len());
        }

        #[test]
        fn any_numbers_give_finite_ones_within_the_limit(numbers in proptest::collection::vec(any::<[f32; 4]>(), 0..20), radius_m in any::<f32>(), view_rad in any::<f32>(), limit in any::<f32>()) {
            let positions: Vec<Vec2> = numbers.iter().map(|one| Vec2::new(one[0], one[1])).collect();
            let velocities: Vec<Vec2> = numbers.iter().map(|one| Vec2::new(one[2], one[3])).collect();
            let config = FlockConfig { radius_m, view_rad, acceleration_m_per_s2_max: limit, ..FlockConfig::default() };
            let most = config.clamped().acceleration_m_per_s2_max;
            for one in passed(&config, &positions, &velocities, &Serial) {
                // Squares of tiny numbers vanish in single precision.
                let length = one.as_dvec2().length();
                prop_assert!(one.is_finite() && length <= f64::from(most) * 1.001 + 1e-30);
            }
        }
    }

    #[test]
    fn any_pool_and_a_used_scratch_give_the_same_bits() {
        let at = |number: u16, wide: f32| plane::heading(f32::from(number) * 2.4) * wide * f32::from(number).sqrt();
        let positions: Vec<Vec2> = (0..2000).map(|number| at(number, 0.4)).collect();
        let velocities: Vec<Vec2> = (0..2000).map(|number| at(number, 0.05)).collect();
        let config = FlockConfig { view_rad: 2.2, ..FlockConfig::default() };
        let alone = passed(&config, &positions, &velocities, &Serial);
        assert_eq!(alone, passed(&config, &positions, &velocities, &Backwards));
        let (mut again, mut scratch) = (Vec::new(), FlockScratch::default());
        flock(&config, &velocities, &positions, &mut again, &Serial, &mut scratch);
        flock(&config, &positions, &velocities, &mut again, &Serial, &mut scratch);
        assert_eq!(alone, again);
        assert!(alone.iter().any(|one| *one != Vec2::ZERO));
    }

    #[test]
    fn a_warm_pass_allocates_nothing() {
        let positions: Vec<Vec2> = (0..500u16).map(|number| plane::heading(f32::from(number)) * 9.0).collect();
        let (mut accelerations, mut scratch) = (Vec::new(), FlockScratch::default());
        let mut pass =
            || flock(&FlockConfig::default(), &positions, &positions, &mut accelerations, &Serial, &mut scratch);
        pass();
        assert_eq!(allocation_counter::measure(pass).count_total, 0);
    }

    #[test]
    fn each_rule_pulls_its_own_way() {
        let only = |separation_weight, cohesion_weight, alignment_weight| FlockConfig {
            separation_weight,
            cohesion_weight,
            alignment_weight,
            ..FlockConfig::default()
        };
        let (places, ways) = ([Vec2::ZERO, Vec2::X], [Vec2::ZERO, Vec2::Y]);
        assert_eq!(passed(&only(1.0, 0.0, 0.0), &places, &ways, &Serial)[0], Vec2::NEG_X);
        assert_eq!(passed(&only(0.0, 1.0, 0.0), &places, &ways, &Serial)[0], Vec2::X * 4.0);
        assert_eq!(passed(&only(0.0, 0.0, 1.0), &places, &ways, &Serial)[0], Vec2::Y * 2.0);
        // What is behind is not seen; what is lost or at the same place is nobody.
        let narrow = FlockConfig { view_rad: 1.0, ..FlockConfig::default() };
        assert_eq!(passed(&narrow, &places, &[Vec2::NEG_X; 2], &Serial)[0], Vec2::ZERO);
        let odd = [Vec2::ZERO, Vec2::ZERO, Vec2::NAN, Vec2::splat(f32::INFINITY)];
        assert_eq!(passed(&FlockConfig::default(), &odd, &ways, &Serial), [Vec2::ZERO; 4]);
    }
}
