//! `deal`: the wall of the registered round.

use super::{Plan, Verdict, one, ruling};
use crate::action::{Action, As, Deal};
use crate::card::Card;
use crate::deal::{self, Commitment, Context, DealError, DealId, RoundSecret};
use crate::rejection::{Field, Violation};
use crate::rules::{CutWay, RuleSet, Rules};
use crate::state::{Cut, DealSource, Phase, State};
use crate::violations::Code;
use alloc::vec::Vec;

pub(super) fn check(state: &State, actor: As, action: &Action) -> Verdict {
    let Action::Deal(deal) = action else { unreachable!("only a deal is judged as one") };
    if actor != As::Table {
        let fault = Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE");
        return Err(one(fault));
    }
    let fault = |fault: Violation| {
        let fault = fault.fact("found", 0u16).fact("required", state.rules.deck_size());
        Err(one(fault))
    };
    let wall = match wall(state) {
        Ok(Some(wall)) => wall,
        Ok(None) => return fault(Violation::new(Code::SetupDeal, Field::Action).fact("zone", "WALL")),
        Err(_) => return fault(Violation::new(Code::SetupDeck, Field::Action)),
    };
    if let Some(fault) = wrong_pack(&state.rules, &wall) {
        return Err(one(fault));
    }
    Ok(Plan::Deal(wall, exact_cuts(state.set(), deal)))
}

/// Whether the table may register the next deal, with the wall where it is given.
pub(crate) fn register(state: &State, actor: As, wall: Option<&[Card]>) -> Result<(), Vec<Violation>> {
    let violation = match state.phase {
        Phase::GameOver => ruling::game_over(state.is_signed()),
        _ if actor != As::Table => Violation::new(Code::TurnNotYours, Field::Actor).fact("turn", "TABLE"),
        Phase::Setup => match wall.and_then(|wall| wrong_pack(&state.rules, wall)) {
            Some(fault) => fault,
            None => return Ok(()),
        },
        phase => Violation::new(Code::SetupWrongTime, Field::Action).fact("phase", phase.name()),
    };
    Err(one(violation))
}

/// SETUP_DECK: a card that the wall holds more or less often than the pack.
pub(crate) fn wrong_pack(rules: &Rules, wall: &[Card]) -> Option<Violation> {
    let pack = rules.census();
    let found = |card| wall.iter().filter(|other| **other == card).count();
    let differs = |card: &Card| found(*card) != usize::from(pack.count(*card));
    let card = pack.iter().chain(wall.iter().copied()).find(differs)?;
    let fault = Violation::new(Code::SetupDeck, Field::Action).fact("card", card);
    Some(fault.fact("found", found(card) as u16).fact("required", pack.count(card)))
}

/// WH-013, HF-025, HF-027: the cuts that took off exactly what is dealt from them. Further upcards and
/// replaced threes are not counted (AMB-WH-02); what is not said is not paid.
fn exact_cuts(set: &RuleSet, deal: &Deal) -> Cut {
    let cards = |size: u8| u16::from(set.seats) * u16::from(size);
    let exact = |way, count| set.cut_ways.contains(way) && deal.lifted == Some(count);
    let hands = cards(set.hand_size);
    Cut {
        hands: exact(CutWay::Hands, hands) || exact(CutWay::HandsPlusOne, hands + 1),
        feet: set.foot_cut_bonus > 0 && deal.foot_lifted == Some(cards(set.foot_size)),
    }
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
