//! Fields of records that follow from the table and the dealing of a game. The writer of logs and the audit
//! both use this module, and no other code of theirs is shared.

use super::action::{action_bytes, action_from_bytes};
use super::digest;
use super::error::FieldError;
use super::record::{Attempt, Refusal, Reveal, RoundEnd, Score};
use crate::deal::{self, MaskLabel};
use crate::dealing::{DealSource, Dealing, Key, hides_cards};
use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_rules::action::{Action, As, EffectKind};
use canasta_rules::card::{Card, Cards};
use canasta_rules::check::Legal;
use canasta_rules::known::Known;
use canasta_rules::nodes::Nodes;
use canasta_rules::notation::Position;
use canasta_rules::rejection::Rejection;
use canasta_rules::rules::{FootThrees, ThreesDrawn};
use canasta_rules::scoring::{Account, RoundScore};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Setup, Table};

/// Returns the action as record `n` holds it. A ruling gets its number. A position that a ruling lets stand
/// is masked if the round has a key, because a position shows hands. `table` is the table after the action.
pub fn as_recorded(table: &Table, dealing: &Dealing, n: u64, action: &Action) -> Action {
    let Action::Ruling(ruling) = action else { return action.clone() };
    let mut ruling = ruling.clone();
    ruling.id = table.rulings().last;
    if let Some(plain) = ruling.effect.position.take() {
        let masked = dealing.reveal_key(table).map(|key| {
            let masked = deal::mask(MaskLabel::Ruling, key.as_mask(), n, &plain);
            masked.expect("a position that was read is short enough to mask")
        });
        ruling.effect.masked = masked.is_some();
        ruling.effect.position = Some(masked.unwrap_or(plain));
    }
    Action::Ruling(ruling)
}

/// Returns the action of record `n` with the position of a ruling in clear; without the position if its mask does
/// not open. `table` is the table before the action.
pub fn opened(table: &Table, dealing: &Dealing, n: u64, action: &Action) -> Action {
    let Action::Ruling(ruling) = action else { return action.clone() };
    let mut ruling = ruling.clone();
    if let Some(masked) = ruling.effect.position.take_if(|_| ruling.effect.masked) {
        ruling.effect.masked = false;
        ruling.effect.position = dealing
            .reveal_key(table)
            .and_then(|key| deal::unmask(MaskLabel::Ruling, key.as_mask(), n, &masked).ok());
    }
    Action::Ruling(ruling)
}

/// Returns a refused action as record `n` holds it: masked while the cards of the round are hidden, because
/// the action may show cards of the hand.
///
/// # Errors
/// If no record can hold the action.
pub fn attempt(
    table: &Table,
    dealing: &Dealing,
    n: u64,
    seat: Option<Seat>,
    action: &Action,
) -> Result<Attempt, FieldError> {
    let bytes = action_bytes(action)?;
    let Some(key) = dealing.reveal_key(table).filter(|_| hides_cards(table)) else {
        return Ok(Attempt::Clear(action.clone()));
    };
    let plain: Vec<u8> = core::iter::once(seat.map_or(u8::MAX, |Seat(s)| s)).chain(bytes).collect();
    let bytes = deal::mask(MaskLabel::Refusal, key.as_mask(), n, &plain);
    let bytes = bytes.expect("an action that a record holds is short enough to mask");
    Ok(Attempt::Masked { kind: action.kind(), bytes })
}

/// Returns the action that a refusal holds as record `n`; `None` if its mask does not open. `table` is the table at which the
/// action was tried.
pub fn attempted(table: &Table, dealing: &Dealing, n: u64, refusal: &Refusal) -> Option<Action> {
    let (kind, bytes) = match &refusal.attempt {
        Attempt::Clear(action) => return Some(action.clone()),
        Attempt::Masked { kind, bytes } => (*kind, bytes),
    };
    let key = dealing.reveal_key(table)?;
    let plain = deal::unmask(MaskLabel::Refusal, key.as_mask(), n, bytes).ok()?;
    let (&seat, action) = plain.split_first()?;
    let actor = refusal.actor.map_or(u8::MAX, |seat| seat.0);
    let action = action_from_bytes(action).ok().filter(|_| seat == actor)?;
    (action.kind() == kind).then_some(action)
}

/// Returns the record of the end of the round that is over, without scores.
///
/// # Panics
/// If no round is over.
pub fn end_of(table: &Table, dealing: &Dealing) -> RoundEnd {
    let over = table.round_over().expect("a round that ends says why");
    RoundEnd {
        round: table.round_number().into(),
        attempt: table.attempt().into(),
        reason: over.reason,
        reveal: reveal(table, dealing),
        scores: Vec::new(),
        digest: digest::full(table),
    }
}

/// Returns the reveal of the round's end: the round's secret, or the given wall with its salt, or nothing.
pub fn reveal(table: &Table, dealing: &Dealing) -> Reveal {
    match &dealing.source {
        DealSource::Wall { .. } if table.round_number() == 0 => Reveal::None,
        DealSource::Wall { wall, salt } => Reveal::Wall { cards: wall.clone(), salt: salt.0 },
        _ => match dealing.reveal_key(table) {
            Some(Key::Secret(secret)) => Reveal::Secret(secret.0),
            _ => Reveal::None,
        },
    }
}

/// Converts the score of a round to the form that a round end holds.
pub fn scores(score: &RoundScore) -> Vec<Score> {
    let account =
        |(unit, account): (usize, &Account)| Score { unit: unit as u8, lines: account.lines.to_vec() };
    score.accounts.iter().enumerate().map(account).collect()
}

/// Judges an action with the cards of its game. After a ruling of kind RESTORE play goes on from the
/// `earlier` table, after one of kind STAND from the position that the ruling names. `known` is the knowledge of a
/// transcript's cards: the position may then leave open what nobody has shown ([`Position::is_public`]), and a penalty card
/// may be any card that the hand can have. After a legal action [`learn`] changes that knowledge.
///
/// # Errors
/// As [`check`](canasta_rules::check::check).
pub fn check(
    table: &Table,
    dealing: &Dealing,
    known: Option<&Known>,
    earlier: Option<&Table>,
    actor: As,
    action: &Action,
    nodes: &Nodes,
) -> Result<Legal, Rejection> {
    let Action::Ruling(ruling) = action else { return dealing.check(table, earlier, actor, action, nodes) };
    match (ruling.effect.kind, ruling.effect.seat, known) {
        (EffectKind::Stand, ..) => {
            let position = position(action);
            // A penalty card that the position does not name is one no more, whatever its hand is filled with.
            let held = position.as_ref().map(|position| table.holding(&position.named().hands));
            let table = held.as_ref().unwrap_or(table);
            let standing = position.and_then(|position| standing(table, known, &position));
            dealing.check(table, standing.as_deref(), actor, action, nodes)
        }
        (EffectKind::PenaltyCards, Some(seat), Some(known)) => {
            let mut shown = table.clone();
            // Without a card that can be there, the check refuses the ruling.
            let _ = known.clone().show(&mut shown, seat, action);
            dealing.check(&shown, earlier, actor, action, nodes)
        }
        _ => dealing.check(table, earlier, actor, action, nodes),
    }
}

/// Changes the knowledge of a transcript's cards for an action that [`check`] found legal at `table` and that will be applied
/// next: penalty cards are in their hand, and after a ruling that lets a position stand the cards that it names are known.
/// `restored` is the knowledge at the position to which a ruling goes back.
pub fn learn(table: &mut Table, known: &mut Known, restored: Option<Known>, action: &Action) {
    let Action::Ruling(ruling) = action else { return };
    match (ruling.effect.kind, ruling.effect.seat) {
        (EffectKind::Restore, _) => *known = restored.unwrap_or_default(),
        (EffectKind::PenaltyCards, Some(seat)) => {
            let shown = known.show(table, seat, action);
            debug_assert!(shown.is_ok(), "a legal ruling names cards that the hand can have");
        }
        _ => {
            if let Some(position) = position(action) {
                *known = Known::besides(&position.named().hands, &position.setup().hands);
            }
        }
    }
}

/// Returns the position that a ruling lets stand; `None` if the action has no position in clear that can be parsed.
fn position(action: &Action) -> Option<Position> {
    let Action::Ruling(ruling) = action else { return None };
    let effect = &ruling.effect;
    let text = effect.position.as_deref().filter(|_| effect.kind == EffectKind::Stand && !effect.masked)?;
    Position::parse(core::str::from_utf8(text).ok()?).ok()
}

/// Whether the cards that stand for unknown ones can stay where they were filled in: nobody has laid a three that the
/// position does not name, and no foot or talon has a three that would be laid by itself.
fn may_be_open(position: &Position, filled: &Setup) -> bool {
    let set = filled.rules.set();
    let feet = filled.feet.iter().flat_map(Cards::iter).filter(|_| set.foot_threes != FootThrees::Choice);
    let talons = filled.talons.iter().flat_map(|talon| talon.cards.iter().copied());
    let talons = talons.filter(|_| set.threes_drawn == ThreesDrawn::Auto);
    let mut apart = feet.chain(talons);
    let is_laid = |card: Card| set.lays(card.class());
    filled.laid == position.named().laid && !apart.any(is_laid)
}

/// Returns the table on which play goes on after a ruling that lets a position stand: the position as
/// written, with all rulings so far. `None` if the position is invalid or incomplete.
fn standing(table: &Table, known: Option<&Known>, position: &Position) -> Option<Box<Table>> {
    let mut setup = position.setup();
    let is_open = known.is_some() && position.is_public() && may_be_open(position, &setup);
    let is_before_deal = setup.phase == Phase::Deal;
    // A game that is taken up has no rulings yet, so those of its position would be lost.
    let is_stray = setup.rulings.is_some() && table.phase() == Phase::Deal;
    if is_stray || !(position.is_whole() || is_open || is_before_deal) {
        return None;
    }
    setup.rulings = table.rulings_on(&setup.hands);
    setup.into_table().ok().map(Box::new)
}
