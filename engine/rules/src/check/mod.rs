//! All decisions: whether an action is legal, and if not, every rule it breaks (model 4.3).
//!
//! The first failing gate of G0 to G3 ends the judgement, because later checks would be guesses. After the gates
//! every check of the action runs, and all failures are listed in the model's order.
//!
//! No module uses a module that stands after it here:
//!
//! 1. `context`, `column`, `placement`: the data that the checks share
//! 2. `sequence`, `shape`, `batch`, `initial`, `size`: melds, and the hand that stays
//! 3. `entitlement`, `aim`, `duty`, `take`, `tentative`, `meld` and the other actions of a seat or director, each in a file
//! 4. `gates`: G0 to G2, for which some actions say who may do them; `draw` and `deal`, the actions of the table
//! 5. `frequent`: the short way; `repair`, `counted`: refusals with repairs
//! 6. `legal` and `options`: lists of what is accepted; `any_take`: the duty to take the pile if any take is legal
//!
//! This file ties them together. Two recursions pass through it: a duty is judged by judging takes, and a list of legal
//! actions by judging actions.

use crate::action::{About, Action, As, CardList, MeldId, SpecialHand};
use crate::card::Card;
use crate::nodes::Nodes;
use crate::rejection::{Rejection, Violation};
use crate::rules::ForcedTake;
use crate::seat::{Seat, Side};
use crate::table::{Cut, Table};
use alloc::boxed::Box;
use alloc::vec::Vec;
use batch::Batch;
use column::{BatchColumn, Outlook};
use context::{CheckContext, Missing, Verdict, one};
use core::cell::Cell;
pub(crate) use draw::Draw;
use frequent::judge;
use gates::table_gate;

mod aim;
mod any_take;
mod ask;
mod ask_way;
mod batch;
mod column;
mod context;
mod counted;
mod deal;
mod dealer;
mod discard;
mod draw;
mod duty;
mod entitlement;
mod frequent;
mod gates;
mod initial;
pub mod legal;
mod meld;
mod merge;
pub mod options;
mod out_of_turn;
mod pass;
mod placement;
mod repair;
mod ruling;
mod sequence;
mod shape;
mod size;
mod special;
mod stock;
mod take;
mod tentative;
mod threes;
pub(crate) mod transcribed;

pub use crate::facts::Requirement;
pub(crate) use crate::facts::*;
pub(crate) use ask::{addressees, may_ask, may_ask_courtesy};
pub use context::InitialPoints;
pub use counted::check_counted;
pub(crate) use counted::{faults, permits_counted};
pub use deal::{Dealt, check_deal, wrong_pack};
pub use dealer::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer};
pub use draw::check_draw_cards;
pub(crate) use duty::yields_top_only;
pub(crate) use meld::stands;
pub(crate) use pass::{may_be_stranded, may_pass};
pub(crate) use placement::{Locked, Placement, Placements};
pub use ruling::game_over;
pub(crate) use ruling::{Course, DecidedRuling};
pub(crate) use size::requirements;
pub(crate) use special::declarable;
pub(crate) use tentative::faults_of_turn;

/// Proof that an action is legal at one table. Only this module creates it.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal {
    /// The step of the table that the proof was made for.
    pub(crate) step: u64,
    pub(crate) plan: Plan,
}

/// The work that `apply` will do. All decisions are taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Plan {
    /// The whole pack in dealing order, and which cuts were exact.
    Deal(Vec<Card>, Cut),
    /// A deal that is void: a seat withheld what it registered.
    Void,
    DrawCards(Draw),
    Draw,
    /// The first placement receives the top card.
    Take(Placements),
    /// A take by the duty of HN-048: no other card of the pile follows the top.
    TakeOnlyTop(Placements),
    Meld(Placements),
    /// A meld by a seat that may still meld after its discard (HF-073).
    MeldLate(Seat, Placements),
    /// The end of this seat's melding after its discard.
    EndCourtesy(Seat),
    /// Indices into the melds: the second joins the first.
    Merge {
        a: u8,
        b: u8,
    },
    /// A `Meld` whose cards stay loose. `top`: index of the placement with the tentatively taken top; `release`: the
    /// melds that are locked when the rest of the pile follows the top.
    Place {
        placements: Placements,
        top: Option<u8>,
        release: Option<Locked>,
    },
    Undo {
        meld: MeldId,
        cards: CardList,
        release: Option<Locked>,
    },
    TakeTop,
    Restore,
    Pass,
    LayThrees(CardList),
    TakeTalon,
    /// The seat whose hand is shown.
    Reveal(Seat),
    SpecialHand(SpecialHand),
    Discard(Card),
    Ask {
        about: About,
        to: Seat,
    },
    Answer {
        by: Seat,
        yes: bool,
    },
    /// The end of the round in place of a draw, or of a discard that the turn does not have.
    EndRound,
    Rule(Box<DecidedRuling>),
    Dispute {
        open: bool,
    },
    Sign {
        side: Side,
    },
}

const _: () = assert!(size_of::<Legal>() <= 96, "a proof is moved several times per action");

/// Judges `action`, proposed on behalf of `actor`.
///
/// # Errors
/// Lists every broken rule that can be judged, in the order of checks, each with a repair if a valid one is known.
/// The list depends on no card that the actor cannot see.
///
/// A deal is judged as written down by hand, with the cards that it names ([`check_deal`] is given a wall).
pub fn check(table: &Table, actor: As, action: &Action) -> Result<Legal, Rejection> {
    check_resuming(table, None, actor, action)
}

/// Judges `action` as [`check`] does, with the table that a ruling goes on from: an earlier table of the same deal,
/// after action `to_seq`, or the position that the ruling lets stand. The caller must know the origin of this table:
/// an audit executes the log up to it again.
///
/// # Errors
/// The same as for [`check`].
pub fn check_resuming(
    table: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
) -> Result<Legal, Rejection> {
    check_counted(table, resumed, actor, action, &Nodes::default())
}

fn conclude(table: &Table, actor: As, action: &Action, verdict: Verdict) -> Result<Legal, Rejection> {
    match verdict {
        Ok(plan) => Ok(Legal::of(table, plan)),
        Err(violations) => Err(reject(table, actor, action, violations)),
    }
}

/// Returns the rejection of an action for these violations, each with a repair if a valid one is known.
pub fn reject(table: &Table, actor: As, action: &Action, violations: Vec<Violation>) -> Rejection {
    let nodes = Nodes::default();
    nodes.limit_work(counted::hand_len(table, actor));
    repair::reject(table, actor, action, violations, &nodes)
}

/// Judges an action as [`check`] does, without the reasons of a refusal, which saves time in a search.
pub fn permits(table: &Table, actor: As, action: &Action) -> Option<Legal> {
    permits_counted(table, actor, action, &Nodes::default())
}

impl Legal {
    fn of(table: &Table, plan: Plan) -> Self {
        Self { step: table.step, plan }
    }
}

/// Judges an action of a seat. Writes the points of the initial meld into `initial`, if they are counted.
fn judge_play(
    table: &Table,
    actor: As,
    action: &Action,
    nodes: &Nodes,
    initial: Option<&Cell<Option<InitialPoints>>>,
) -> Verdict {
    let kind = action.kind();
    table_gate(table, kind)?;
    let seat = gates::seat_gate(table, actor, action)?;
    gates::phase_gate(table, seat, action)?;
    let ctx = CheckContext { initial, ..CheckContext::new(table, seat, kind, nodes) };
    match action {
        Action::DrawStock => stock::check_draw(ctx),
        Action::EndRound => stock::check_end_round(ctx),
        Action::TakePile(take) => take::check(ctx, take),
        Action::Meld(groups) => meld::check(ctx, groups),
        Action::SpecialHand(hand) => special::check(ctx, *hand),
        Action::TakeTalon => out_of_turn::check_talon(ctx),
        Action::CallReveal { of } => out_of_turn::check_reveal(ctx, *of),
        Action::MergeMelds { a, b } => merge::check(ctx, *a, *b),
        Action::LayThrees(cards) => threes::check(ctx, cards),
        Action::Discard(card) => discard::check(ctx, *card),
        Action::Ask { about: About::Courtesy, with, .. } => ask::check_courtesy(ctx, with.is_some()),
        Action::Ask { about: About::GoOut, to, with } => ask::check(ctx, *to, with.as_deref()),
        Action::Answer { yes } => Ok(Plan::Answer { by: seat, yes: *yes }),
        Action::UndoMeld { meld, cards } => tentative::check_undo(ctx, *meld, cards),
        Action::Pass if ctx.is_late() => Ok(Plan::EndCourtesy(seat)),
        Action::Pass => pass::check(ctx),
        Action::TakeTop => tentative::check_take_top(ctx),
        Action::RestorePile => tentative::check_restore(ctx),
        _ => unreachable!("the phase gate refuses what the rule set does not have"),
    }
}

/// Whether the seat in turn must take the pile. Depending on `forced_take`, the duty exists if any take is legal
/// (S3-036), or if the pile is not frozen and an own meld can receive its top (CL-091, AMB-22).
pub(crate) fn must_take(table: &Table, nodes: &Nodes) -> bool {
    match table.set().forced_take {
        // Whether a take is legal is decided by judging takes, which know no such duty: so the recursion ends.
        ForcedTake::AnyLegal => {
            duty::top(table).is_some_and(|top| nodes.decide(|nodes| any_take::exists(table, top, nodes)))
        }
        _ => duty::must_take_to_meld(table, nodes),
    }
}
