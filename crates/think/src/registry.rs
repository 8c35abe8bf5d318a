//! The leaves of a game by name, for brains in files.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use sentir_asset::{Node, Refusal};
use serde::de::DeserializeOwned;

use crate::leaf::{
    Condition, ConditionLeaf, ConditionResult, Host, Score, ScoreLeaf, Service, ServiceLeaf, Status, Task, TaskLeaf,
};
use crate::thought::Thought;

/// How a leaf is made of its parameters in a file, and what they look like.
struct Entry<L> {
    bind: fn(&Node) -> Result<L, Refusal>,
    /// None where nothing is known of them.
    #[cfg(feature = "schema")]
    schema: Option<fn(&mut SchemaGenerator) -> Schema>,
}

impl<L> Clone for Entry<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Entry<L> {}

/// All leaves that files may name. A name that is registered again stands for the later one, so that a game can replace
/// a stock leaf.
pub struct Leaves<H: Host> {
    conditions: BTreeMap<&'static str, Entry<ConditionLeaf<H>>>,
    scores: BTreeMap<&'static str, Entry<ScoreLeaf<H>>>,
    tasks: BTreeMap<&'static str, Entry<TaskLeaf<H>>>,
    services: BTreeMap<&'static str, Entry<ServiceLeaf<H>>>,
    /// Whether names that are not registered are taken for leaves that do nothing.
    is_open: bool,
}

impl<H: Host> Default for Leaves<H> {
    fn default() -> Self {
        Leaves {
            conditions: BTreeMap::new(),
            scores: BTreeMap::new(),
            tasks: BTreeMap::new(),
            services: BTreeMap::new(),
            is_open: false,
        }
    }
}

impl<H: Host> Clone for Leaves<H> {
    fn clone(&self) -> Self {
        Leaves {
            conditions: self.conditions.clone(),
            scores: self.scores.clone(),
            tasks: self.tasks.clone(),
            services: self.services.clone(),
            is_open: self.is_open,
        }
    }
}

impl<H: Host> Leaves<H> {
    /// No leaves, but every name is taken for one that does nothing and takes any parameters: for tools that look at files
    /// of games they do not know. In outlines such a leaf is called [`STAND_IN`].
    pub fn open() -> Self {
        Leaves { is_open: true, ..Leaves::default() }
    }

    /// Whether names that are not registered are taken, too.
    pub fn is_open(&self) -> bool {
        self.is_open
    }
}

/// The name of a leaf that stands in for one nobody registered.
pub const STAND_IN: &str = "(of the game)";

/// Stands in for any leaf.
struct Stand;

impl<H: Host> Condition<H> for Stand {
    const NAME: &'static str = STAND_IN;
    type Params = ();
    fn check((): &(), _: &Thought<'_, H>) -> ConditionResult {
        ConditionResult::from(false)
    }
}

impl<H: Host> Score<H> for Stand {
    const NAME: &'static str = STAND_IN;
    type Params = ();
    fn score((): &(), _: &Thought<'_, H>) -> f32 {
        0.0
    }
}

impl<H: Host> Task<H> for Stand {
    const NAME: &'static str = STAND_IN;
    type Params = ();
    type State = ();
    fn tick((): &(), (): &mut (), _: &mut Thought<'_, H>) -> Status {
        Status::Failure
    }
}

impl<H: Host> Service<H> for Stand {
    const NAME: &'static str = STAND_IN;
    type Params = ();
    type State = ();
    fn run((): &(), (): &mut (), _: &mut Thought<'_, H>) {}
}

macro_rules! registered {
    ($add:ident $described:ident $bind:ident $names:ident $schemas:ident $map:ident $leaf:ident $of:ident $what:literal) => {
        impl<H: Host> Leaves<H> {
            #[doc = concat!("Registers a ", $what, " under its name.")]
            pub fn $add<L: $of<H>>(&mut self) -> &mut Self
            where
                L::Params: DeserializeOwned,
            {
                let bind = |node: &Node| node.read::<L::Params>().map($leaf::new::<L>);
                #[cfg(feature = "schema")]
                self.$map.insert(L::NAME, Entry { bind, schema: None });
                #[cfg(not(feature = "schema"))]
                self.$map.insert(L::NAME, Entry { bind });
                self
            }

            #[doc = concat!("Registers a ", $what, " under its name, with what its parameters look like, for schemas.")]
            #[cfg(feature = "schema")]
            pub fn $described<L: $of<H>>(&mut self) -> &mut Self
            where
                L::Params: DeserializeOwned + JsonSchema,
            {
                self.$add::<L>();
                if let Some(entry) = self.$map.get_mut(L::NAME) {
                    entry.schema = Some(|generator| generator.subschema_for::<L::Params>());
                }
                self
            }

            #[doc = concat!("Makes the ", $what, " that `name` says, with the parameters that `params` says. Keys in them must")]
            /// be resolved by [`crate::file::resolve`].
            pub fn $bind(&self, name: &Node, params: &Node) -> Result<$leaf<H>, Refusal> {
                let text = name.text()?;
                if self.is_open && !self.$map.contains_key(text) {
                    return Ok($leaf::new::<Stand>(()));
                }
                let unknown = || Refusal::unknown(name.place, $what, text, self.$map.keys().copied());
                let entry = self.$map.get(text).ok_or_else(unknown)?;
                (entry.bind)(params)
            }

            /// The registered names, ascending.
            pub fn $names(&self) -> impl Iterator<Item = &'static str> + Clone + '_ {
                self.$map.keys().copied()
            }

            /// The parameters of each by name, as JSON schemas; those of which nothing is known may be anything.
            #[cfg(feature = "schema")]
            pub fn $schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
                let mut of = |entry: &Entry<_>| entry.schema.map_or_else(Schema::default, |schema| schema(generator));
                self.$map.iter().map(|(name, entry)| (*name, of(entry))).collect()
            }
        }
    };
}

registered!(condition condition_with_schema bind_condition condition_names condition_schemas conditions ConditionLeaf Condition "condition");
registered!(score score_with_schema bind_score score_names score_schemas scores ScoreLeaf Score "score");
registered!(task task_with_schema bind_task task_names task_schemas tasks TaskLeaf Task "task");
registered!(service service_with_schema bind_service service_names service_schemas services ServiceLeaf Service "service");
