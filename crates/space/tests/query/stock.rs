//! The six stock queries find what they are for.

use super::yard::{Yard, at};
use sentir_nav::tactic::Field;
use sentir_space::core::glam::Vec2;
use sentir_space::core::plane;
use sentir_space::query::{Best, FieldChart, Lexicon, QueryRun, QueryWorld, STOCK, Seer, Subject, stock::stock};

const PILLARS: [(f32, f32, f32); 3] = [(0.0, 0.0, 1.5), (5.0, 5.0, 1.0), (-5.0, 5.0, 1.0)];

/// Asks a stock query of the yard with pillars: oneself in the east, the target in the west.
fn best(name: &str, claimed: &[Subject<'_>]) -> Best {
    let yard = Yard::new(&PILLARS);
    let (mine, its) = (yard.region(7.0, 0.5), yard.region(-7.0, 0.0));
    let oneself = [Subject { seen: Some(&mine), ..Subject::new(at(7.0, 0.5)) }];
    let target = [Subject { seen: Some(&its), ..Subject::new(at(-7.0, 0.0)) }];
    let mut values = vec![0.0; 400];
    for cell in [3 * 20 + 15, 3 * 20 + 16, 4 * 20 + 15, 4 * 20 + 16] {
        values[cell] = 1.0;
    }
    let field = Field::new(Vec2::splat(-10.0), 1.0, [20, 20], values).unwrap();
    let chart = FieldChart { field: &field, cell_m: 1.0 };
    let friends = [Subject::new(at(4.0, 0.3))];
    let world = QueryWorld { contexts: &[&oneself, &target, &friends, claimed], maps: &[&chart], ..yard.world() };
    let query = stock(name, &Lexicon::default()).unwrap().unwrap();
    let mut run = QueryRun::default();
    run.ask(&query, &world, 11).best[0]
}

#[test]
fn search_goes_where_the_target_may_be() {
    let place = plane::ground(best("search", &[]).place.point);
    assert!((place - Vec2::new(6.0, -6.0)).length() < 2.5, "{place}");
}

#[test]
fn cover_is_close_behind_a_pillar_and_unseen() {
    let yard = Yard::new(&PILLARS);
    let place = plane::ground(best("cover", &[]).place.point);
    assert!(!yard.region(-7.0, 0.0).sees(place, 0.0));
    assert!(yard.borders.nearness(plane::lift(place, 0.0), 3.0) > 0.3, "{place}");
}

#[test]
fn attack_sees_the_target_and_takes_another_flank() {
    let yard = Yard::new(&PILLARS);
    let region = yard.region(-7.0, 0.0);
    let alone = plane::ground(best("attack", &[]).place.point);
    assert!(region.sees(alone, 0.0));
    let claimed = [Subject::new(plane::lift(alone, 0.0))];
    let second = plane::ground(best("attack", &claimed).place.point);
    assert!(region.sees(second, 0.0));
    let angle = |place: Vec2| plane::yaw(place - Vec2::new(-7.0, 0.0));
    assert!((angle(alone) - angle(second)).abs() > 0.3, "{alone} {second}");
}

#[test]
fn advance_is_nearer_to_the_target_than_attack() {
    let target = Vec2::new(-7.0, 0.0);
    let [attack, advance] =
        ["attack", "advance"].map(|name| (plane::ground(best(name, &[]).place.point) - target).length());
    assert!(advance < attack, "{advance} {attack}");
}

#[test]
fn suppression_is_seen_by_me_near_the_target_and_not_what_others_hold_down() {
    let yard = Yard::new(&PILLARS);
    let first = best("suppression", &[]).place.point;
    assert!(yard.region(7.0, 0.5).sees(plane::ground(first), 0.0));
    let claimed = [Subject::new(first)];
    let second = best("suppression", &claimed).place.point;
    assert!((second - first).length() >= 2.0);
}

#[test]
fn a_clear_line_is_a_step_aside() {
    let place = best("clear_line", &[]).place.point;
    let step = (place - at(7.0, 0.5)).length();
    assert!(step > 0.2 && step < 5.0, "{step}");
}

#[test]
fn every_stock_query_is_built_and_an_unknown_one_is_none() {
    assert!(STOCK.iter().all(|(name, _)| stock(name, &Lexicon::default()).unwrap().is_ok()));
    assert!(stock("nothing", &Lexicon::default()).is_none());
    let poor = Lexicon { maps: Vec::new(), ..Lexicon::default() };
    let error = stock("search", &poor).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "search.yaml:8:31: unknown influence map `prediction`: expected none here");
}
