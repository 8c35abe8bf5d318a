//! Small headless games in which sentir's characters live: every scene of the product.
//!
//! | room | holds |
//! |---|---|
//! | [`body`] | capsules that walk, climb, jump, fall and are in each other's way |
//! | [`cast`] | bodies on a level, in step with the agents of a loop |
//! | [`input`] | what a person or a script does, quantized at the door |
//! | [`edit`] | other versions of a scene's files, taken while a match goes on |
//! | [`vocabulary`] | brains as files against the leaves of the scene they are for |
//! | [`scene`] | the registry of scenes, their settings and assets, and the [`Match`](scene::Match) they play |
//! | [`hud`] | what a person who plays may know of his own body, and who lies dead |
//! | [`inspection`] | what a debugger may see of one agent |
//! | [`story`] | what a scene writes, and the match that comes of it |
//! | [`stupidity`] | what a player would laugh at, counted in every scene |
//! | [`snapshot`] | a match at one tick as a file, and whose |
//! | [`recording`] | runs as files: record, replay, find the first difference |
//! | [`wall`] | the walls of a level as steering knows them |
//! | [`plain`] | the plainest mind: straight at the goal |
//! | [`armory`], [`weapon`], [`kit`] | weapons as authored, in the hand, and all that one carries |
//! | [`shot`], [`blast`], [`reach`] | rays against bodies and the level, flights and blasts, pieces near a point |
//! | [`combat`] | who fires what from where, and what comes of it: those parts together, for every scene |
//! | [`health`] | what a body can take, and who may hurt whom |
//! | [`item`], [`door`] | what lies on the map, areas that help, hands on doors |
//! | [`round`], [`actor`] | rounds and who wins them, the roster and where one comes in |
//! | [`noise`], [`event`] | what is heard, and what happened, as core's events |
//! | [`honesty`] | the test that what no sense reached changes no decision |
//! | [`vigil`] | many who look around, for measuring |
//! | [`survey`] | one who asks environment queries in a hall, for measuring |
//! | [`courteous`] | a mind that minds the others on its way: mutual avoidance |
//! | [`steering`] | the stage and the scenes of steering |
//! | [`patrol`], `range`, `crowd`, `collapse`, `locomotion`, `flock`, `formation`, `skirmish`, `circle`, `door`, `lanes`, `levels`, `tile`, `trek`, `commute`, `column`, `ruin`, `town`, `vantage`, `senses`, `hide_and_seek`, `bronto`, `firefight` | the scenes |

pub mod actor;
pub mod armory;
pub mod blast;
pub mod body;
mod bronto;
pub mod cast;
mod circle;
mod collapse;
mod column;
pub mod combat;
mod commute;
pub mod courteous;
mod crowd;
pub mod door;
mod doorway;
pub mod edit;
pub mod event;
mod firefight;
mod flock;
mod formation;
pub mod guard;
pub mod health;
mod hide_and_seek;
pub mod honesty;
pub mod hud;
pub mod input;
pub mod inspection;
pub mod item;
pub mod kit;
mod lanes;
mod levels;
mod locomotion;
pub mod noise;
pub mod patrol;
pub mod plain;
mod range;
pub mod reach;
pub mod recording;
pub mod round;
mod ruin;
pub mod scale;
pub mod scene;
mod scout;
mod senses;
pub mod shot;
mod skirmish;
pub mod snapshot;
pub mod steering;
pub mod story;
mod stroll;
pub mod stupidity;
pub mod survey;
mod tile;
mod town;
mod trek;
mod vantage;
pub mod vigil;
pub mod vocabulary;
pub mod wall;
mod ways;
pub mod weapon;

pub use sentir;
