//! What there is to see of the horde: the level, points of use, bodies, shots; alarms, nodes, seats and sectors as layers.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use super::ground::PointKind;
use super::leaf::Deed;
use super::mind::HordeMind;
use super::surround::HELD_M;
use super::{BARKER, DUMMY, HORDE, Horde, PLAYER_KEY, STEALTHY, TANK, THROWER, World, key_of};

const INK: Color = Color::rgb(0x23272b);
const BLUE: Color = Color::rgb(0x2f6fb0);
const RED: Color = Color::rgb(0xb8433f);
const GREEN: Color = Color::rgb(0x3a8f4d);
const ORANGE: Color = Color::rgb(0xd9822b);
const VIOLET: Color = Color::rgb(0x7a5ea8);
const BROWN: Color = Color::rgb(0x7d5a3c);
const GRAY: Color = Color::rgb(0x9aa4ad);

/// The layers that scenes of the horde draw.
pub(crate) const LAYERS: &[Layer] = &[
    Layer::LEVEL,
    Layer::BODIES,
    Layer::NAMES,
    Layer::SENSES,
    Layer::PATHS,
    Layer::SLOTS,
    Layer::INFLUENCE,
    Layer::SHOTS,
];

/// Those of the prototype, which knows no alarm.
pub(crate) const PROTOTYPE_LAYERS: &[Layer] =
    &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::PATHS, Layer::SLOTS, Layer::INFLUENCE, Layer::SHOTS];

/// Those of a player who does nothing.
pub(crate) const SLOTS_LAYERS: &[Layer] =
    &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::SLOTS, Layer::INFLUENCE];

/// The color of a kind: dummies are red and barkers green, as in the source.
fn color_of(kind: u16) -> Color {
    match kind {
        DUMMY => RED,
        BARKER => GREEN,
        STEALTHY => VIOLET,
        THROWER => BROWN,
        TANK => ORANGE,
        _ => BLUE,
    }
}

/// All of it.
pub(super) fn draw(horde: &Horde, brains: &Loop<HordeMind>, world: &World, list: &mut DrawList) {
    let tick = brains.tick();
    sentir_level::draw::draw(&LevelView { level: &horde.mind.ground.level, state: &world.bodies.level }, list);
    for (point, back_at) in horde.mind.ground.points.iter().zip(&world.back_at) {
        let (color, name) = match point.kind {
            PointKind::Health => (GREEN, "health"),
            PointKind::Ammo => (ORANGE, "ammunition"),
        };
        let is_here = tick >= *back_at;
        list.circle(Layer::LEVEL, color.alpha(if is_here { 255 } else { 70 }), point.place, 0.45, is_here);
        list.label(Layer::NAMES, color, point.place - plane::lift(Vec2::Y * 0.9, 0.0), format_args!("{name}"));
    }
    for mark in &world.marks {
        if mark.burst_m > 0.0 {
            list.circle(Layer::SHOTS, ORANGE.alpha(120), mark.from, mark.burst_m, true);
        } else {
            list.line(Layer::SHOTS, INK.alpha(150), mark.from, mark.to, 0.05);
        }
    }
    for flight in &world.flights {
        list.circle(Layer::BODIES, INK, flight.position, 0.16, true);
    }
    draw_alarms(horde, brains, list);
    draw_sectors(world, list);
    draw_bodies(horde, brains, world, list);
    draw_figures(horde, world, list);
}

/// Nodes, alarms that are on with what they report, seats and who goes to which.
fn draw_alarms(horde: &Horde, brains: &Loop<HordeMind>, list: &mut DrawList) {
    for node in &horde.mind.ground.nodes {
        list.circle(Layer::SLOTS, GRAY.alpha(160), *node, 0.5, false);
    }
    let Some(pack) = brains.squad(SquadId::whole(HORDE)) else { return };
    for alarm in pack.alarms.alarms() {
        let age = math::saturate(brains.tick().since(alarm.at) as f32 / horde.mind.alarm.lasts.max(1) as f32);
        let strong = (200.0 * (1.0 - age)) as u8;
        list.circle(Layer::SENSES, ORANGE.alpha(strong / 3), alarm.from, alarm.reach_m, false);
        list.circle(Layer::SENSES, ORANGE.alpha(strong), alarm.place, 0.9, false);
        let name = alarm.place + plane::lift(Vec2::Y * 1.2, 0.0);
        list.label(Layer::NAMES, ORANGE, name, format_args!("alarm {}", alarm.id.0));
        for node in alarm.nodes() {
            list.circle(Layer::SLOTS, ORANGE, node.place, 0.6, false);
            list.line(Layer::SLOTS, ORANGE.alpha(90), alarm.place, node.place, 0.06);
        }
    }
    for grant in pack.alarms.grants() {
        let seat = pack.alarms.seat_of(grant.agent, &horde.mind.alarm);
        let (Some(seat), Some(it)) = (seat, brains.presence(grant.agent)) else { continue };
        list.circle(Layer::SLOTS, RED, seat, 0.2, true);
        list.line(Layer::SLOTS, RED.alpha(80), seat, it.body.pose.position, 0.04);
    }
}

/// The sectors round the player that zombies hold.
fn draw_sectors(world: &World, list: &mut DrawList) {
    let Some(player) = world.bodies.walker(PLAYER_KEY) else { return };
    for sector in 0..8u8 {
        if world.surround.held & 1 << sector != 0 {
            // Ground, not sight: it ends where it ends, whatever stands there.
            let rim = |part: u8| {
                let yaw = (f32::from(sector) + f32::from(part) / 4.0) * math::TAU / 8.0 - math::PI;
                player.pose.position + plane::lift(plane::heading(yaw) * HELD_M, 0.0)
            };
            let corners = std::iter::once(player.pose.position).chain((0..=4).map(rim));
            list.polygon(Layer::INFLUENCE, RED.alpha(30), corners);
        }
    }
}

fn draw_bodies(horde: &Horde, brains: &Loop<HordeMind>, world: &World, list: &mut DrawList) {
    let player = world.bodies.walker(PLAYER_KEY).map(|walker| walker.pose.position);
    for (it, _) in brains.motions() {
        let (kind, Pose { position, .. }) = (it.kind, it.body.pose);
        let is_faint = kind == STEALTHY
            && player.is_some_and(|at| at.distance(position) > horde.mind.rules.special.stealth_seen_m);
        let color = color_of(kind).alpha(if is_faint { 60 } else { 255 });
        list.body(it.key.0, color, position, it.body.radius_m);
        let nose = position + it.body.facing() * (it.body.radius_m * 2.0);
        list.line(Layer::BODIES, color, position, nose, 0.12);
        if let Some((_, travel)) = brains.intents(it.agent).and_then(Intents::travel) {
            list.line(Layer::PATHS, color.alpha(70), position, travel.goal, 0.04);
        }
        let head = brains.brain(it.agent);
        if head.is_some_and(|head| head.memory.howl_since.is_some()) {
            list.circle(Layer::SENSES, GREEN.alpha(140), position, 1.2, false);
        }
        let share = it.body.health;
        let left = position + Vec3::new(-0.5, 0.0, 0.65);
        list.line(Layer::NAMES, GRAY.alpha(160), left, left + Vec3::X, 0.12);
        list.line(Layer::NAMES, GREEN, left, left + Vec3::X * share, 0.12);
        let deed = head.map_or("", |head| Deed::name(head.deed));
        let above = position + plane::lift(Vec2::Y * 0.75, 0.0);
        list.label(Layer::NAMES, INK, above, format_args!("{deed}"));
    }
}

/// The figures of the match, over the map.
fn draw_figures(horde: &Horde, world: &World, list: &mut DrawList) {
    let bounds = horde.mind.ground.level.bounds();
    let top = plane::ground(bounds.low).max(plane::ground(bounds.high)).y;
    let text = format_args!(
        "round {}: {} left, {} killed, health {:.0}, bitten {}, healed {}",
        world.round.number,
        world.left(),
        world.tally.kills,
        world.player.vitals.health,
        world.tally.bitten(),
        world.tally.heals,
    );
    list.label(Layer::NAMES, INK, plane::lift(Vec2::new(0.0, top + 1.2), 0.0), text);
    debug_assert!(world.zombies.is_empty() || key_of(0) != PLAYER_KEY);
}
