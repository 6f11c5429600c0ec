//! Random decisions of officials, for positions that ordinary play does not reach.

use crate::games::Rng;
use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_engine::game::Game;
use canasta_engine::seat::Seat;

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
    Ruling {
        id: 0,
        by: Authority::Director,
        offender: Some(seat),
        side,
        rule: String::from("house:sampled"),
        points: -5 * rng.below(20) as i32,
        effect,
        reason: String::new(),
        reverses: None,
        signature: None,
    }
}
