//! Environment queries: which place is best, for whom and for what, and why not another.
//!
//! *Generators* give points, each is put onto the navigable ground; *tests* drop points, score them, or both; what is left
//! is ranked. A query is data ([`QuerySpec`], or a file read by [`load`]), checked once; a [`QueryRun`] asks it of a
//! [`QueryWorld`], in one go or in stages of nominal work. The method is that of the environment queries of Unreal and the tactical
//! points of CryEngine, with these rules of our own:
//! - one path search serves all points, and one visibility region all points a subject may see (O(log n) each);
//! - the score of a point is the weighted mean of its tests, 0..=1, taken over the points that survive all filters: the order
//!   of work changes nothing but the work;
//! - chance replaces at most a tenth of the score, so no point is lifted or lowered by more than that;
//! - every lost point has a reason ([`QueryRun::reason`]): the test that dropped it with value and bounds, or the test that
//!   put it behind the best one.
//!
//! | room | holds |
//! |---|---|
//! | [`spec`], [`curve`] | what is authored |
//! | [`build`] | checks, errors with their place |
//! | [`world`] | names a host knows, and what it hands in |
//! | [`run`] | the work, in one go or in stages; `rank` scores, and looks for no way that cannot win |
//! | [`why`] | reasons |
//! | [`draw`] | points as a picture |
//! | [`stock`] | the queries that come with the library |
//!
//! ```
//! use sentir_core::glam::{Vec2, Vec3};
//! use sentir_nav::bake::{PlanConfig, PlanShape, plan};
//! use sentir_nav::mesh::Mesh;
//! use sentir_space::query::{Lexicon, QueryRun, Reason, Subject, QueryWorld, load};
//!
//! let border = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
//! let mesh = Mesh::from_patch(plan(&[PlanShape { border, holes: vec![] }], &PlanConfig::default())?)?;
//! let file = b"sentir: query 1
//! name: near the target, but not too near
//! points:
//!   - grid: { half_m: 6, step_m: 1 }
//! tests:
//!   - test: { distance: { to: target } }
//!     least: 2
//! ";
//! let query = load(file, "near.yaml", &Lexicon::default())?;
//! let oneself = [Subject::new(Vec3::ZERO)];
//! let target = [Subject::new(Vec3::new(3.0, 0.0, 0.0))];
//! let world = QueryWorld { contexts: &[&oneself, &target], ..QueryWorld::new(&mesh) };
//! let mut run = QueryRun::default();
//! let best = run.ask(&query, &world, 7).best[0];
//! assert_eq!((best.place.point - target[0].position).length(), 2.0);
//! // The first point of the lattice lies outside of the walls.
//! assert_eq!(run.reason(&query, 0), Some(Reason::OffMesh));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod build;
pub mod curve;
pub mod draw;
mod generate;
mod measure;
mod rank;
pub mod run;
#[cfg(feature = "schema")]
pub mod schema;
pub mod spec;
#[cfg(feature = "files")]
pub mod stock;
pub mod why;
pub mod world;

#[cfg(feature = "files")]
pub use build::load;
pub use build::{KIND, POINTS_MAX, Query, QueryError, Test};
pub use curve::Curve;
pub use measure::FAR_M;
pub use run::{Best, Progress, QueryAnswer, QueryEnding, QueryRun};
pub use spec::{Each, GeneratorSpec, PathBy, Posture, Purpose, QuerySpec, Scale, TestKindSpec, TestSpec};
#[cfg(feature = "files")]
pub use stock::STOCK;
pub use why::{Reason, TestScore};
pub use world::{Chart, Context, ContextKind, FieldChart, Lexicon, MapChart, QueryWorld, Seer, Subject};
