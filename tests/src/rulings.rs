//! Random decisions of officials, for positions that ordinary play does not reach.

use crate::games::Rng;
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_engine::game::Game;
use canasta_engine::notation::Position;
use canasta_engine::seat::{Seat, Side};

/// The effects that do not end the round.
const EFFECTS: [EffectKind; 6] = [
    EffectKind::Adjust,
    EffectKind::Warning,
    EffectKind::RaiseMinimum,
    EffectKind::PenaltyCards,
    EffectKind::ForfeitPile,
    EffectKind::RevokeTalon,
];

/// Makes a ruling against a random seat, or opens a dispute, or closes the open dispute. Does nothing if the decision
/// is not possible now.
pub fn some_ruling(state: &mut Game, rng: &mut Rng) {
    let seat = Seat(rng.below(usize::from(state.table.set().seats)) as u8);
    let action = if state.table.is_suspended() || rng.chance(20) {
        Action::Dispute { open: !state.table.is_suspended(), reason: String::new() }
    } else {
        Action::Ruling(Box::new(ruling(state, seat, rng)))
    };
    // An impossible decision is refused and changes nothing.
    let _ = state.play(As::Director, &action);
}

fn ruling(state: &Game, seat: Seat, rng: &mut Rng) -> Ruling {
    let kind = EFFECTS[rng.below(EFFECTS.len())];
    let side = state.table.side_of(seat);
    let mut effect = Effect::of(kind);
    match kind {
        EffectKind::RaiseMinimum => effect.by = Some(5 * (1 + rng.below(10) as i32)),
        EffectKind::PenaltyCards => {
            let mut hand: Vec<_> = state.table.hand(seat).iter().collect();
            rng.shuffle(&mut hand);
            hand.truncate(1 + rng.below(3));
            effect.seat = Some(seat);
            effect.cards = hand.into_iter().collect();
        }
        EffectKind::ForfeitPile => {
            effect.seat = Some(seat);
            effect.until = Some(rng.below(3) as u16);
        }
        EffectKind::RevokeTalon => effect.side = Some(side),
        EffectKind::Adjust if seat.0 == 0 => {
            effect.points = (0..state.table.set().side_count).map(|side| 50 * i32::from(side) - 25).collect();
        }
        _ => {}
    }
    Ruling { offender: Some(seat), side, points: -5 * rng.below(20) as i32, effect, ..plain() }
}

/// Returns a ruling of the director against the first side, without points and without an effect.
fn plain() -> Ruling {
    Ruling {
        id: 0,
        by: Authority::Director,
        offender: None,
        side: Side(0),
        rule: String::from("house:sampled"),
        points: 0,
        effect: Effect::of(EffectKind::None),
        reason: String::new(),
        reverses: None,
        signature: None,
    }
}

/// Returns every kind of decision that an official or a seat may make about a game, for each side and seat and with each
/// effect. `earlier` is the number of an earlier action, to go back to. Many of the decisions are impossible at any one
/// moment.
pub fn every_decision(state: &Game, earlier: u64) -> Vec<(As, Action)> {
    let (table, set) = (&state.table, state.table.set());
    let mut found = Vec::new();
    let mut rule = |side: Side, effect: Effect, reverses: Option<u32>| {
        let ruling =
            Ruling { side, effect, reverses, points: if reverses.is_some() { 0 } else { -100 }, ..plain() };
        found.push((As::Director, Action::Ruling(Box::new(ruling))));
    };
    for side in table.sides() {
        let by_side: Vec<i32> = table.sides().map(|other| 50 * i32::from(other.0) - 25).collect();
        let of_side = |kind| Effect { side: Some(side), ..Effect::of(kind) };
        for kind in [EffectKind::None, EffectKind::Warning, EffectKind::StopClock, EffectKind::Redeal] {
            rule(side, Effect::of(kind), None);
        }
        rule(side, Effect { points: by_side, ..Effect::of(EffectKind::Adjust) }, None);
        rule(side, Effect { by: Some(15), ..Effect::of(EffectKind::RaiseMinimum) }, None);
        rule(side, Effect { to_seq: Some(earlier), ..Effect::of(EffectKind::Restore) }, None);
        rule(side, of_side(EffectKind::RevokeTalon), None);
        for award in [None, Some(500)] {
            rule(side, Effect { award, ..of_side(EffectKind::Forfeit) }, None);
        }
        let position = Position::of(table).to_string().into_bytes();
        let (action, position) = (Some(Box::new(Action::Pass)), Some(position));
        rule(side, Effect { action, position, ..Effect::of(EffectKind::Stand) }, None);
        for kept in &table.rulings().kept {
            rule(kept.side, Effect::of(EffectKind::None), Some(kept.id));
        }
    }
    for seat in table.seats() {
        let of_seat = |kind| Effect { seat: Some(seat), ..Effect::of(kind) };
        let cards = table.hand(seat).iter().take(2).collect();
        rule(table.side_of(seat), Effect { cards, ..of_seat(EffectKind::PenaltyCards) }, None);
        rule(table.side_of(seat), Effect { until: Some(2), ..of_seat(EffectKind::ForfeitPile) }, None);
    }
    let seats = (0..set.seats).map(|seat| As::Seat(Seat(seat)));
    let dispute = |open| move |who| (who, Action::Dispute { open, reason: String::from("why") });
    found.extend(seats.chain([As::Director]).map(dispute(true)));
    found.push(dispute(false)(As::Director));
    found.extend(table.sides().map(|side| (As::Director, Action::Sign { side })));
    found
}
