//! `deal`: the wall of the registered round.

use super::{Plan, Verdict, one};
use crate::action::As;
use crate::card::{Card, Cards};
use crate::deal::{self, Commitment, Context, DealError, DealId, RoundSecret};
use crate::rejection::{Field, Violation};
use crate::state::{DealSource, State};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(state: &State, actor: As) -> Verdict {
    if actor != As::Table {
        let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE");
        return Err(one(fault));
    }
    let fault = |code, found: usize| {
        let fault = Violation::new(code, Field::Action).fact("found", found as u16);
        Err(one(fault.fact("required", state.rules.deck_size())))
    };
    let wall = match wall(state) {
        Ok(Some(wall)) => wall,
        Ok(None) => return fault(Code::SetupDeal, 0),
        Err(_) => return fault(Code::SetupDeck, 0),
    };
    let census: Cards = wall.iter().copied().collect();
    if census != state.rules.census() {
        return fault(Code::SetupDeck, wall.len());
    }
    Ok(Plan::Deal(wall))
}

impl State {
    /// The wall of this round, first card dealt first; `None` where nothing is known of it.
    pub fn wall(&self) -> Option<Vec<Card>> {
        wall(self).ok().flatten()
    }
}

/// The wall of this round, `None` where nothing is known of it.
fn wall(state: &State) -> Result<Option<Vec<Card>>, DealError> {
    let secret = match &state.origin.source {
        DealSource::Seeded(game) => game.round(state.round.number.into(), state.round.attempt.into()),
        DealSource::Round(secret) => secret.clone(),
        DealSource::Wall { wall, .. } => return Ok(Some(wall.clone())),
        DealSource::Unknown => return Ok(None),
    };
    from_secret(state, &secret).map(Some)
}

/// The wall that the secret of this round gives in seeded mode.
fn from_secret(state: &State, secret: &RoundSecret) -> Result<Vec<Card>, DealError> {
    let set = state.set();
    let id = DealId::new(state.origin.game_id, state.round.number.into(), state.round.attempt.into());
    let commitment = Commitment::dealer(&id, secret);
    let digest = state.rules.digest_text();
    let context = Context::seeded(&id, &digest, state.rules.deck_size(), commitment)?;
    deal::wall(secret, &context, set.packs, set.jokers)
}
