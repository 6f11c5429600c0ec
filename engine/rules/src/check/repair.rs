//! Repairs of a refused action. A violation has a short list of edits, which do not combine, so the number of trials is
//! bounded by the cards of the action and of the hand; the work of the request ends the trials before. Each repair is tried before it is named: an edit removes its violation and
//! breaks no rule that was kept; a step is legal. So no repair depends on a card that the actor cannot see. Only
//! [`RepairStep::NameWay`] is not tried: it is named where the search for a way has ended undecided.

use super::{judge, may_pass, must_take};
use crate::action::{About, Action, As, CardList};
use crate::card::{Card, Cards, Class, Rank};
use crate::nodes::{Nodes, price};
use crate::rejection::{Edit, Field, Rejection, Repair, RepairStep, Violation};
use crate::table::{Phase, Table};
use crate::violations::Code;
use crate::violations::Fact;
use crate::way_out;
use alloc::vec::Vec;

/// Returns the rejection of `action`, in which each violation has the first repair that proves valid, if there is one.
/// Once the work of the request is used up, repairs are left out, and the rejection says so.
pub(super) fn reject(
    table: &Table,
    actor: As,
    action: &Action,
    mut violations: Vec<Violation>,
    nodes: &Nodes,
) -> Rejection {
    debug_assert!(violations.iter().all(Violation::is_complete), "each states its facts: {violations:?}");
    let codes: Vec<Code> = violations.iter().map(|violation| violation.code).collect();
    let finder = RepairFinder { table, actor, action, codes, nodes };
    for violation in &mut violations {
        violation.repair = finder.repair(violation);
    }
    Rejection { action: action.kind(), violations, repairs_cut: nodes.is_out_of_work() }
}

struct RepairFinder<'a> {
    table: &'a Table,
    actor: As,
    action: &'a Action,
    codes: Vec<Code>,
    /// The count of the work of the request. Once it is used up, no more repairs are named.
    nodes: &'a Nodes,
}

impl RepairFinder<'_> {
    fn repair(&self, violation: &Violation) -> Option<Repair> {
        if self.nodes.is_out_of_work() {
            return None;
        }
        let edits = self.edits(violation);
        self.nodes.charge(edits.len() as u32);
        let edit = edits.into_iter().find(|edit| self.mends(edit, violation));
        edit.map(Repair::from).or_else(|| self.step(violation).map(Repair::from))
    }

    /// Whether some way of doing what `edit` says removes `violation`.
    fn mends(&self, edit: &Edit, violation: &Violation) -> bool {
        if self.nodes.is_out_of_work() {
            return false;
        }
        edit.ways(self.action, violation.field).iter().any(|edited| match self.faults(edited) {
            None => false,
            Some(faults) if is_of_cards(violation.code) => {
                faults.iter().all(|fault| is_of_cards(fault.code) && self.codes.contains(&fault.code))
                    && faults.len() < self.codes.len()
                    || !faults.iter().any(|fault| is_gate(fault.code))
            }
            Some(faults) => {
                let count = |code| self.codes.iter().filter(|known| **known == code).count();
                let of = faults.iter().filter(|fault| fault.code == violation.code).count();
                of < count(violation.code) && faults.iter().all(|fault| self.codes.contains(&fault.code))
            }
        })
    }

    /// Returns the violations of an edited action; `None` if the work of the request is used up.
    fn faults(&self, action: &Action) -> Option<Vec<Violation>> {
        if self.nodes.is_out_of_work() {
            return None;
        }
        let judge = |nodes: &_| judge(self.table, None, self.actor, action, nodes);
        let verdict = self.nodes.attempt(price(action, self.table.melds.len()), judge)?;
        Some(verdict.err().unwrap_or_default())
    }

    fn may(&self, action: &Action) -> bool {
        self.faults(action).is_some_and(|faults| faults.is_empty())
    }

    /// Whether `holds` finds something before the work of the request is used up.
    fn holds(&self, holds: impl FnOnce(&Nodes) -> bool) -> bool {
        !self.nodes.is_out_of_work() && self.nodes.attempt(1, holds) == Some(true)
    }

    /// Returns the edits that may remove a violation, in the order in which they are tried: the smallest first.
    fn edits(&self, violation: &Violation) -> Vec<Edit> {
        let fewer = || (1..=self.named().wilds()).map(Edit::FewerWilds);
        let naturals = || self.additions(violation, false);
        let meld = match violation.get("meld") {
            Some(&Fact::Meld(id)) => Some(id),
            _ => None,
        };
        match violation.code {
            Code::TurnCardNotInHand | Code::PileBuriedCard => self.not_held(violation).into_iter().collect(),
            Code::ThreeLayWrongTime
            | Code::MeldMixedRanks
            | Code::MeldSequenceWild
            | Code::MeldSequenceDuplicate
            | Code::ThreeNotMeldable
            | Code::ThreeBlackWild => self.strays(violation),
            Code::MeldTooSmall | Code::ThreeBlackCount => self.additions(violation, true),
            Code::MeldTooFewNaturals => naturals().into_iter().chain(fewer()).collect(),
            Code::MeldWildsOutnumber => fewer().chain(naturals()).collect(),
            Code::MeldTooManyWilds | Code::MeldCanastaClosed | Code::MeldRankTakesNoWild => fewer().collect(),
            Code::MeldRankDuplicate => meld.map(Edit::Onto).into_iter().collect(),
            Code::MeldWildsLocked => meld.map(Edit::WildsOnto).into_iter().collect(),
            Code::InitialBelowMinimum => self.points(violation),
            Code::MeldTooLarge | Code::MeldLeavesTooFewCards | Code::GoOutDiscardRequired => {
                (1..=self.named().len() as u8).map(Edit::KeepMore).collect()
            }
            code if needs_pair(code) => self.pair().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn named(&self) -> Cards {
        self.action.laid().collect()
    }

    /// Returns the cards in the actor's hand that the action does not name.
    fn spare(&self) -> Cards {
        let As::Seat(seat) = self.actor else { return Cards::EMPTY };
        let mut spare = *self.table.hand(seat);
        self.named().iter().for_each(|card| _ = spare.remove(card));
        spare
    }

    /// Returns the cards of the list that `field` names; for `with`, also the top.
    fn list(&self, field: Field) -> CardList {
        let (Field::Group(i) | Field::GroupCards(i) | Field::GroupOnto(i)) = field else {
            let top = self.table.pile.last().filter(|_| matches!(self.action, Action::TakePile(_)));
            return self.action.ungrouped().into_iter().flatten().chain(top).copied().collect();
        };
        let group = self.action.groups().and_then(|groups| groups.get(usize::from(i)));
        group.map(|group| group.cards.clone()).unwrap_or_default()
    }

    /// Returns the edit that leaves out the named copies of the violation's card that the hand does not have.
    fn not_held(&self, violation: &Violation) -> Option<Edit> {
        let (As::Seat(seat), Some(&Fact::Card(card))) = (self.actor, violation.get("card")) else {
            return None;
        };
        let held = self.table.hand(seat).count(card);
        let short = self.named().count(card).saturating_sub(held);
        Some(Edit::LeaveOut(core::iter::repeat_n(card, usize::from(short)).collect()))
    }

    /// Returns the edits that leave out cards which do not belong where they are named: some copies of the
    /// violation's card, fewest first, then the threes of one colour, then all such cards.
    fn strays(&self, violation: &Violation) -> Vec<Edit> {
        let list = self.list(violation.field);
        let rank = list.iter().find(|card| card.class() == Class::Natural).map(|card| card.rank());
        let mut seen: Vec<Card> = Vec::new();
        let mut is_copy = |card: Card| {
            let copy = seen.iter().any(|other| other.rank() == card.rank());
            seen.push(card);
            copy
        };
        let strays: CardList = match violation.code {
            Code::MeldSequenceWild | Code::ThreeBlackWild => {
                list.into_iter().filter(|card| card.is_wild()).collect()
            }
            Code::MeldMixedRanks => {
                let rank = match violation.get("rank") {
                    Some(&Fact::Rank(rank)) => Some(rank),
                    _ => rank,
                };
                list.into_iter().filter(|card| !card.is_wild() && Some(card.rank()) != rank).collect()
            }
            Code::MeldSequenceDuplicate => list.into_iter().filter(|&card| is_copy(card)).collect(),
            _ => list.into_iter().filter(|card| card.rank() == Rank::Three).collect(),
        };
        // Threes of one colour may be allowed where those of the other colour are not.
        let classes = [Class::RedThree, Class::BlackThree]
            .map(|class| strays.iter().copied().filter(|card| card.class() == class).collect::<CardList>());
        let copies = match violation.get("card") {
            Some(&Fact::Card(card)) => strays.iter().copied().filter(|&other| other == card).collect(),
            _ => CardList::new(),
        };
        let fewer = (1..=copies.len()).map(|count| copies[..count].iter().copied().collect());
        let all = fewer.chain(classes).chain([strays]);
        all.filter(|cards: &CardList| !cards.is_empty()).map(Edit::LeaveOut).collect()
    }

    /// Returns the edits that add spare cards to the meld of the violation, fewest cards first: cards of its
    /// rank, together with wilds if `wilds_too`, or cards of a sequence's suit.
    fn additions(&self, violation: &Violation, wilds_too: bool) -> Vec<Edit> {
        let first = self.list(violation.field).into_iter().find(|card| !card.is_wild());
        let spare = self.spare();
        let joins = |card: &Card| first.map_or(card.is_wild(), |first| card.rank() == first.rank());
        let naturals: CardList = spare.iter().filter(joins).collect();
        let fills = |card: &Card| wilds_too && first.is_some() && card.is_wild();
        let wilds: CardList = spare.iter().filter(fills).collect();
        let mut added: Vec<CardList> = Vec::new();
        for of in 0..=wilds.len() {
            for count in 0..=naturals.len() {
                added.push(naturals[..count].iter().chain(&wilds[..of]).copied().collect());
            }
        }
        let alike = |card: &Card| first.is_some_and(|first| card.suit() == first.suit());
        let of_suit: CardList = spare.kinds().map(|(card, _)| card).filter(alike).collect();
        added.extend(of_suit.windows(1).chain(of_suit.windows(2)).map(CardList::from));
        added.sort_by_key(|cards| cards.len());
        added.into_iter().filter(|cards| !cards.is_empty()).map(Edit::Add).collect()
    }

    /// Returns the edit that completes the pair for the top with spare cards (wilds for a wild top), if there
    /// are enough.
    fn pair(&self) -> Option<Edit> {
        let (Action::TakePile(take), Some(&top)) = (self.action, self.table.pile.last()) else { return None };
        let fits = |card: &Card| if top.is_wild() { card.is_wild() } else { card.rank() == top.rank() };
        let offered = take.with.iter().filter(|card| fits(card)).count();
        let spare: CardList = self.spare().iter().filter(fits).take(2usize.saturating_sub(offered)).collect();
        (offered + spare.len() == 2 && !spare.is_empty()).then_some(Edit::Add(spare))
    }

    /// Returns the edits that lay spare cards worth the missing points, fewest cards first: one card, several
    /// naturals of a rank, or these with a wild.
    fn points(&self, violation: &Violation) -> Vec<Edit> {
        let (Some(&Fact::Int(count)), Some(&Fact::Int(required))) =
            (violation.get("found"), violation.get("required"))
        else {
            return Vec::new();
        };
        let points = (required - count) as i32;
        let spare = self.spare();
        let singles = spare.kinds().map(|(card, _)| core::iter::once(card).collect());
        let wild = spare.iter().find(|card| card.is_wild());
        let sets = Rank::NATURAL.into_iter().flat_map(|rank| {
            let all: CardList = spare.iter().filter(|card| card.rank() == rank).collect();
            let some = move |count: usize| all[..count].iter().copied().collect::<CardList>();
            (2..=usize::from(spare.rank_count(rank))).flat_map(move |count| {
                let mixed = wild.map(|wild| some(count).into_iter().chain([wild]).collect());
                [Some(some(count)), mixed].into_iter().flatten()
            })
        });
        let mut bring: Vec<CardList> = singles.chain(sets).collect();
        let worth = |cards: &CardList| -> i32 {
            let natural = cards.iter().find(|card| !card.is_wild()).map(|card| card.rank());
            super::points(self.table, natural, cards)
        };
        bring.retain(|cards| worth(cards) >= points);
        bring.sort_by_key(|cards| cards.len());
        bring.into_iter().map(|with| Edit::LayMore { points, with }).collect()
    }

    /// Returns the step that a violation leaves, if one is known.
    fn step(&self, violation: &Violation) -> Option<RepairStep> {
        let turn = self.table.to_act();
        let is_in_turn = turn.is_some_and(|seat| self.actor == As::Seat(seat));
        match violation.code {
            Code::TurnNotYours | Code::TurnOver => match turn {
                Some(seat) => (!is_in_turn).then_some(RepairStep::WaitFor(seat)),
                None => {
                    matches!(self.table.phase, Phase::Setup | Phase::Deal).then_some(RepairStep::WaitForTable)
                }
            },
            Code::TurnWrongPhase if !is_in_turn => turn.map(RepairStep::WaitFor),
            Code::AskPending | Code::AskNotAddressed => turn.map(RepairStep::WaitForAnswer),
            Code::GoOutNotAsked if self.asks() => Some(RepairStep::Ask),
            Code::AskCannotGoOut => violation.get("search").map(|_| RepairStep::NameWay),
            Code::GoOutBound => self.goes_out().then_some(RepairStep::GoOut),
            code if is_in_turn && (takes(self.action) || leaves_a_step(code)) => self.instead(),
            // The melds of the turn are judged as the turn ends.
            _ if is_in_turn && ends(self.action) && violation.field == Field::Action => self.take_back(),
            _ => None,
        }
    }

    fn asks(&self) -> bool {
        let whom = super::addressees(self.table, self.table.turn.seat);
        whom.iter().any(|&to| self.may(&Action::Ask { about: About::GoOut, to: Some(to), with: None }))
    }

    fn goes_out(&self) -> bool {
        self.holds(|nodes| way_out::exists(&way_out::Reach::of(self.table), nodes))
    }

    /// Returns the step that the seat in turn may take, whichever action it has tried.
    fn instead(&self) -> Option<RepairStep> {
        let table = self.table;
        let threes: CardList = super::must_lay(table).iter().collect();
        if !threes.is_empty() {
            return self.may(&Action::LayThrees(threes)).then_some(RepairStep::LayThrees);
        }
        let discards = || {
            let hand = table.hand(table.turn.seat);
            hand.kinds().any(|(card, _)| self.may(&Action::Discard(card)))
        };
        match table.phase {
            Phase::Start if self.may(&Action::DrawStock) => Some(RepairStep::DrawFromStock),
            Phase::Start if self.may(&Action::EndRound) => Some(RepairStep::EndRound),
            Phase::Start => self.holds(|nodes| must_take(table, nodes)).then_some(RepairStep::TakePile),
            Phase::Taking => self.may(&Action::RestorePile).then_some(RepairStep::RestorePile),
            Phase::Play if discards() => Some(RepairStep::MeldOrDiscard),
            Phase::Play if self.may(&Action::EndRound) => Some(RepairStep::EndRound),
            Phase::Play if self.holds(|nodes| may_pass(table, nodes)) && self.may(&Action::Pass) => {
                Some(RepairStep::Pass)
            }
            Phase::Play => self.take_back(),
            _ => None,
        }
    }

    fn take_back(&self) -> Option<RepairStep> {
        let loose = self.table.turn.loose.last()?;
        let undo = Action::UndoMeld { meld: loose.meld, cards: loose.cards.iter().collect() };
        self.may(&undo).then_some(RepairStep::TakeBack(loose.meld))
    }
}

/// Whether a code belongs to the gate on cards that are not held.
fn is_of_cards(code: Code) -> bool {
    matches!(code, Code::TurnCardNotInHand | Code::PileBuriedCard)
}

/// Whether a code belongs to a gate that an edited action may fail.
fn is_gate(code: Code) -> bool {
    is_of_cards(code) || code == Code::TurnEmptyAction
}

/// Whether two naturals from the hand would entitle to the pile.
fn needs_pair(code: Code) -> bool {
    use Code::*;
    let pair = matches!(code, PileFrozenNeedsPair | PileNeedsPair | PileTopNotMelded | PileCanastaWildsFull);
    let target = matches!(code, PileLayoffForbidden | PileCanastaTargetForbidden);
    pair || target || matches!(code, PileSequenceStart | PileSequenceBridged)
}

fn takes(action: &Action) -> bool {
    matches!(action, Action::TakePile(_) | Action::TakeTop)
}

fn ends(action: &Action) -> bool {
    matches!(action, Action::Discard(_) | Action::Pass | Action::EndRound)
}

/// Whether a refusal with this code, of an action other than a take, leaves the seat in turn another step that
/// is worth naming.
fn leaves_a_step(code: Code) -> bool {
    use Code::*;
    let begins =
        matches!(code, TurnDrawFirst | StockEmpty | StockNotEmpty | StockMustTakePile | ThreeMustBeLaid);
    begins
        || needs_pair(code)
        || matches!(code, TurnAlreadyDrew | TurnWrongPhase | DiscardRequired | PilePending)
}
