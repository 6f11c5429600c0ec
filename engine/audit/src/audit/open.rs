//! A round whose cards are hidden, executed as far as it is public.
//!
//! A log names no card of stock or deal before the round is revealed. But every action declares the digest of what the
//! whole table sees after it, and that includes two kinds of cards that come from the stock: those turned for the pile,
//! and threes that are laid by themselves. There are few ways in which they can have come, so the one that gives the
//! digest is found by trying. Nothing that is hidden follows from a digest of public facts.

use super::super::finding::FindingKind;
use super::held::OpenRound;
use super::round::Judge;
use super::transcribed::{Halt, Script};
use super::{Place, Tally};
use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_log::dealing::DealSource;
use canasta_log::digest;
use canasta_log::record::{ActionRecord, Reveal};
use canasta_rules::action::{Action, As, Deal};
use canasta_rules::card::{Card, Cards};
use canasta_rules::event::Events;
use canasta_rules::rules::{FootThrees, RuleSet, StartCard, ThreesDealt, ThreesDrawn};
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;
use core::ops::ControlFlow;

/// Maximum number of digests that are tried for one deal.
const TRIES_MAX: u32 = 4_000_000;
/// Work of trying a digest, and of executing an action with other cards, in units of a search node.
const TRY_UNITS: u32 = 4;
const ACT_UNITS: u32 = 64;
/// Maximum number of threes that are tried for one draw, foot or talon.
const THREES_MAX: usize = 8;
/// Maximum number of cards that are tried for the start of the pile.
const UPCARDS_MAX: usize = 4;

/// A search that goes on, or that has ended: with the threes laid by each seat and the upcards, if it has found them.
type Search = ControlFlow<Option<(Vec<Cards>, Vec<Card>)>>;

impl Judge<'_> {
    /// Executes a round that has not ended, as far as its cards are public: for a watcher, and in a transcript, which hides
    /// nothing, for the audit. With the reveal of the round, its cards are known. Returns `false` if the reveal is not that of the round.
    pub(super) fn follow_open(&mut self, round: &OpenRound, reveal: Option<&Reveal>) -> bool {
        match reveal {
            Some(reveal) => {
                let fits = self.reveal(round, reveal, round.place);
                let found = self.dealing.commitment(self.table).map(|commitment| commitment.0);
                if !fits || found.is_none() || round.register.commitment != found {
                    return false;
                }
            }
            None => {
                self.dealing.source = DealSource::Unknown;
                self.script = Some(Script::of(self.round, round));
            }
        }
        self.play(round);
        true
    }

    /// Executes an action of a hidden round; the cards that it showed are those that give its digest.
    pub(super) fn act_as_public(&mut self, record: &ActionRecord, place: Place) -> Result<Events, Halt> {
        if let Action::Deal(deal) = &record.action {
            if self.dealing.is_void(deal) {
                let legal = self.judged(None, As::Table, &record.action);
                return Ok(self.dealing.apply(self.table, legal.map_err(Halt::Illegal)?));
            }
            let found = self.dealt(record, deal, place)?;
            return self.act_with(record, &found, &[], place);
        }
        if let Action::DrawCards(_) = record.action {
            // The cards drawn for seats and dealer follow from the secret alone.
            return Err(self.not_found(place));
        }
        let threes = if brings_threes(self.table.set()) { laid_kinds(self.table) } else { Vec::new() };
        let (table, script) = (self.table.clone(), self.script.clone());
        for count in 0..=THREES_MAX.min(threes.iter().map(|(_, left)| usize::from(*left)).sum()) {
            for received in bags(&threes, count) {
                if self.tally.is_given_up(ACT_UNITS) {
                    return Err(self.not_found(place));
                }
                let received: Vec<Option<Card>> = received.into_iter().map(Some).collect();
                match self.act_with(record, &record.action, &received, place) {
                    Ok(events) if digest::public(self.table) == record.digest => return Ok(events),
                    // With more threes the action is as illegal as without.
                    Err(halt) if count == 0 => return Err(halt),
                    _ => {}
                }
                (*self.table, self.script) = (table.clone(), script.clone());
            }
        }
        Err(self.not_found(place))
    }

    fn not_found(&self, place: Place) -> Halt {
        let detail = "the cards that this action showed do not follow from its digest";
        Halt::Found(place.finding(FindingKind::NotJudged, detail))
    }

    /// Returns the deal with the threes that were laid and the cards that were turned.
    fn dealt(&mut self, record: &ActionRecord, deal: &Deal, place: Place) -> Result<Action, Halt> {
        let set = self.table.set().clone();
        let (table, script) = (self.table.clone(), self.script.clone());
        let turns = set.start_card == StartCard::One;
        let plain = Card::all().find(|card| !set.start_cover.contains(card.class()));
        let none = alloc::vec![Cards::EMPTY; usize::from(set.seats)];
        let first: Vec<Card> = plain.into_iter().filter(|_| turns).collect();
        self.act_with(record, &named(&set, deal, &none, &first), &[], place)?;
        let found = search(self.table, record.digest, turns, self.tally);
        (*self.table, self.script) = (table, script);
        let (laid, upcards) = found.ok_or_else(|| self.not_found(place))?;
        Ok(named(&set, deal, &laid, &upcards))
    }

    /// Executes `action` in place of the one of the record, as a transcript that names `received`.
    fn act_with(
        &mut self,
        record: &ActionRecord,
        action: &Action,
        received: &[Option<Card>],
        place: Place,
    ) -> Result<Events, Halt> {
        let cards = (!received.is_empty()).then(|| received.to_vec());
        let transcribed = ActionRecord { action: action.clone(), cards, ..record.clone() };
        self.act_as_known(&transcribed, place)
    }
}

/// Returns a deal that names the threes laid by each seat, and the upcards.
fn named(set: &RuleSet, deal: &Deal, laid: &[Cards], upcards: &[Card]) -> Action {
    let hand = |laid: &Cards| {
        let threes = laid.iter().map(Some);
        threes.chain(core::iter::repeat(None)).take(set.hand_size.into()).collect()
    };
    let hands = laid.iter().map(hand).collect();
    let upcards = upcards.iter().copied().map(Some).collect();
    Action::Deal(Box::new(Deal { hands, upcards, ..deal.clone() }))
}

/// Whether threes that come to a hand during play may be laid by themselves.
fn brings_threes(set: &RuleSet) -> bool {
    set.threes_drawn == ThreesDrawn::Auto || set.foot_threes != FootThrees::Choice
}

/// Returns the kinds of threes that are laid, and how many of each nobody has seen yet.
fn laid_kinds(table: &Table) -> Vec<(Card, u8)> {
    let seen = |card: Card| {
        let laid: u8 = table.seats().map(|seat| table.laid(seat).count(card)).sum();
        laid + table.pile().iter().filter(|lying| **lying == card).count() as u8
    };
    let kinds = table.rules().census();
    let laid = kinds.kinds().filter(|(card, _)| table.set().lays(card.class()));
    laid.map(|(card, copies)| (card, copies.saturating_sub(seen(card)))).collect()
}

/// Returns the choices of `count` cards among kinds with their numbers, in a fixed order.
fn bags(kinds: &[(Card, u8)], count: usize) -> Vec<Vec<Card>> {
    let Some((&(card, copies), rest)) = kinds.split_first() else {
        return if count == 0 { alloc::vec![Vec::new()] } else { Vec::new() };
    };
    let mut all = Vec::new();
    for here in 0..=count.min(copies.into()) {
        for mut bag in bags(rest, count - here) {
            bag.extend(core::iter::repeat_n(card, here));
            all.push(bag);
        }
    }
    all
}

/// Returns the threes laid by each seat and the upcards of the deal with this digest: few cards are tried first, and at most
/// [`TRIES_MAX`] deals.
fn search(table: &Table, digest: [u8; 8], turns: bool, tally: &mut Tally) -> Option<(Vec<Cards>, Vec<Card>)> {
    let set = table.set();
    let threes = if set.threes_dealt == ThreesDealt::Auto { laid_kinds_at_deal(table) } else { Vec::new() };
    let most: usize = threes.iter().map(|(_, copies)| usize::from(*copies)).sum();
    let seats: Vec<Seat> = table.seats().collect();
    let cells: Vec<(Seat, Card, u8)> = threes
        .iter()
        .flat_map(|&(card, copies)| seats.iter().map(move |&seat| (seat, card, copies)))
        .collect();
    let mut tries = 0;
    for length in usize::from(turns)..=if turns { UPCARDS_MAX } else { 0 } {
        for count in 0..=most {
            let mut laid = alloc::vec![Cards::EMPTY; seats.len()];
            let ended = each_laid(&cells, count, &mut laid, &mut |laid| {
                each_start(table, length, &mut Vec::new(), &mut |upcards| {
                    tries += 1;
                    if tries > TRIES_MAX || tally.is_given_up(TRY_UNITS) {
                        return ControlFlow::Break(None);
                    }
                    match digest::public_if_shown(table, laid, upcards) == digest {
                        true => ControlFlow::Break(Some((laid.to_vec(), upcards.to_vec()))),
                        false => ControlFlow::Continue(()),
                    }
                })
            });
            if let ControlFlow::Break(found) = ended {
                return found;
            }
        }
    }
    None
}

/// Returns the kinds of threes that are laid, with the number of each in the pack.
fn laid_kinds_at_deal(table: &Table) -> Vec<(Card, u8)> {
    table.rules().census().kinds().filter(|(card, _)| table.set().lays(card.class())).collect()
}

/// Gives `count` threes to the cells in every way, until `visit` ends the search.
fn each_laid(
    cells: &[(Seat, Card, u8)],
    count: usize,
    laid: &mut Vec<Cards>,
    visit: &mut dyn FnMut(&[Cards]) -> Search,
) -> Search {
    if count == 0 {
        return visit(laid);
    }
    let Some((&(seat, card, copies), rest)) = cells.split_first() else { return ControlFlow::Continue(()) };
    let given: u8 = laid.iter().map(|cards| cards.count(card)).sum();
    for here in 0..=count.min(copies.saturating_sub(given).into()) {
        let before = laid[seat.index()];
        (0..here).for_each(|_| laid[seat.index()].insert(card));
        let search = each_laid(rest, count - here, laid, visit);
        laid[seat.index()] = before;
        search?;
    }
    ControlFlow::Continue(())
}

/// Makes every start of the pile with `left` more cards, all but the last of which are covered, until `visit` ends the
/// search.
fn each_start(
    table: &Table,
    left: usize,
    upcards: &mut Vec<Card>,
    visit: &mut dyn FnMut(&[Card]) -> Search,
) -> Search {
    if left == 0 {
        return visit(upcards);
    }
    let covers = table.set().start_cover;
    for card in Card::all().filter(|card| covers.contains(card.class()) == (left > 1)) {
        upcards.push(card);
        let search = each_start(table, left - 1, upcards, visit);
        upcards.pop();
        search?;
    }
    ControlFlow::Continue(())
}
