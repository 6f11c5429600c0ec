//! Counts one game while it is audited.

use super::balance::DealGroups;
use super::luck;
use super::sorts::SORTS;
use super::tally::{GameStats, LineSum, Sort, UnitStats, count_at};
use canasta_engine::action::{Action, Ruling};
use canasta_engine::bot::Level;
use canasta_engine::card::Card;
use canasta_engine::event::Event;
use canasta_engine::log::Record;
use canasta_engine::log::audit::Report;
use canasta_engine::log::codes::{self, AUTHORITIES, EFFECTS, END_REASONS};
use canasta_engine::log::record::Attempt;
use canasta_engine::log::replay::{Place, Step, Watch, What};
use canasta_engine::rejection::Rejection;
use canasta_engine::scoring::RoundScore;
use canasta_engine::seat::{SEATS_MAX, Seat, Side};
use canasta_engine::table::{EndReason, Table};
use canasta_engine::violations::Code;
use canasta_engine::violations::Fact;
use std::sync::Arc;

/// The counts of one game, and the state between two steps.
#[derive(Default)]
pub struct StatsWatcher {
    tally: GameStats,
    /// Number of completed turns of the round.
    done: u64,
    /// Whether a seat has drawn or taken and not ended its turn.
    in_turn: bool,
    /// Number of turns of all rounds that ended.
    turns: u64,
    before: TableBefore,
    deal: DealGroups,
    /// The names of the players, in the order of the genesis record.
    players: Vec<String>,
    /// Number of cards that were turned at the deal.
    upcards: usize,
    /// The level of the bots that play each deal again.
    plays_again: Option<Level>,
}

/// The table before the next action, by seat.
#[derive(Default)]
struct TableBefore {
    turn: u8,
    opened: [bool; SEATS_MAX],
    frozen: [bool; SEATS_MAX],
    minimum: [i32; SEATS_MAX],
}

impl Watch for StatsWatcher {
    /// Counts what needs only the record.
    fn read(&mut self, _: Place, record: &Arc<Record>) {
        match &**record {
            Record::Genesis(genesis) => {
                self.players = genesis.players.iter().map(|player| player.name.clone()).collect();
            }
            Record::Refusal(refusal) => {
                let kind = match &refusal.attempt {
                    Attempt::Clear(action) => action.kind(),
                    Attempt::Masked { kind, .. } => *kind,
                };
                let counts = &mut self.tally.refusals;
                counts.count += 1;
                *counts.kinds.entry(kind.to_string()).or_default() += 1;
                for code in &refusal.codes {
                    *counts.codes.entry(code.clone()).or_default() += 1;
                }
            }
            Record::Action(record) => {
                if let Action::Ruling(ruling) = &record.action {
                    *self.tally.rulings.entry(ruled(ruling)).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, step: &Step<'_>) {
        match step.what {
            What::Acted(events) => self.acted(step.table, events),
            What::Illegal(rejection) => {
                for code in rejection.codes() {
                    *self.tally.illegal.entry(code.name()).or_default() += 1;
                }
            }
            What::Refused { rejection: Some(rejection), .. } => self.short(rejection),
            What::RoundEnd { wall, .. } => {
                self.round_end(step.table);
                if let (Some(wall), Some(level)) = (wall, self.plays_again)
                    && let Some(points) = luck::rotations(step.table, wall, self.upcards, level)
                {
                    self.tally.balance.luck(&self.deal, &points);
                }
            }
            What::Booked { score: Some(score), .. } => self.booked(score),
            _ => {}
        }
    }
}

impl StatsWatcher {
    /// Returns a watcher; with `plays_again`, bots of that level play each deal from every rotation of the seats.
    pub fn new(plays_again: Option<Level>) -> Self {
        Self { plays_again, ..Self::default() }
    }

    pub fn finish(mut self, report: &Report) -> GameStats {
        let tally = &mut self.tally;
        tally.games = 1;
        tally.records.add(report.records as i64);
        tally.actions.add(report.actions as i64);
        tally.rounds.add(report.rounds);
        tally.turns.add(self.turns as i64);
        tally.voided = report.voided.into();
        tally.owed.add(report);
        tally.units.resize(report.totals.len(), UnitStats::default());
        for (unit, total) in tally.units.iter_mut().zip(&report.totals) {
            unit.totals.add(*total);
        }
        match report.result.map(|result| (result.winner, result.margin)) {
            Some((Some(winner), margin)) => {
                tally.units[winner.index()].won += 1;
                tally.margins.add(margin);
            }
            Some((None, _)) => tally.drawn_games += 1,
            None => {}
        }
        self.tally
    }

    fn acted(&mut self, state: &Table, events: &[Event]) {
        for event in events {
            match event {
                Event::Upcard { .. } => self.upcards += 1,
                Event::Dealt { hands, .. } => {
                    self.upcards = 0;
                    (self.done, self.in_turn, self.before.opened) = (0, false, [false; SEATS_MAX]);
                    self.tally.deals += 1;
                    self.dealt(hands, state);
                }
                Event::Drew { .. } | Event::TookTop { .. } => self.in_turn = true,
                Event::TookPile { seat, cards } => {
                    self.in_turn = true;
                    let pile = &mut self.tally.pile;
                    let frozen = self.before.frozen[seat.index()];
                    let takes = if frozen { &mut pile.frozen } else { &mut pile.open };
                    takes.add(cards.len() as i64 + 1);
                }
                Event::Discarded { .. } | Event::Passed { .. } => {
                    self.done += 1;
                    self.in_turn = false;
                }
                Event::Froze { cause } => *self.tally.pile.froze.entry(cause.name()).or_default() += 1,
                _ => {}
            }
        }
        self.openings(state);
        self.before.remember(state);
    }

    /// Counts the hands as dealt, before any three was laid.
    fn dealt(&mut self, hands: &[impl AsRef<[Card]>], state: &Table) {
        let seats = hands.len();
        let sampled = usize::from(state.round_number()) % seats.max(1);
        self.deal = DealGroups::of(hands, state, &self.players, |seat| place(seat, state));
        self.tally.balance.dealt(&self.deal, hands);
        self.tally.fairness.resize(SORTS.len(), Sort::default());
        for (seat, hand) in hands.iter().enumerate() {
            let place = place(Seat(seat as u8), state);
            for ((_, is), sort) in SORTS.iter().zip(&mut self.tally.fairness) {
                let found = hand.as_ref().iter().filter(|&&card| is(card)).count();
                count_at(&mut sort.by_place, place, found as u64);
                if place == sampled {
                    count_at(&mut sort.hands, found, 1);
                }
            }
        }
    }

    /// Counts the sides that opened with this action of the seat in turn.
    fn openings(&mut self, state: &Table) {
        for side in state.sides() {
            let opened_before = state.seats_of(side).any(|seat| self.before.opened[seat.index()]);
            if opened_before || !state.opened(side) {
                continue;
            }
            let cards = state.melds_of(side).flat_map(|meld| meld.cards.iter());
            let points: i32 = cards.map(|card| state.rules().card_points(card)).sum();
            let minimum = self.before.minimum[usize::from(self.before.turn)];
            self.tally.initial.points.entry(minimum).or_default().add(points);
            let turn =
                (self.done + u64::from(self.in_turn)).saturating_sub(1) / u64::from(state.set().seats) + 1;
            self.tally.initial.turn.add(turn as i64);
        }
    }

    fn short(&mut self, rejection: &Rejection) {
        let below = rejection.violations.iter().find(|violation| violation.code == Code::InitialBelowMinimum);
        if let Some(below) = below
            && let (Some(Fact::Int(count)), Some(Fact::Int(required))) =
                (below.get("found"), below.get("required"))
        {
            self.tally.initial.short.add(required - count);
        }
    }

    fn round_end(&mut self, state: &Table) {
        let over = state.round_over();
        if over.is_none_or(|over| matches!(over.reason, EndReason::Voided | EndReason::Drawn)) {
            return;
        }
        let turns = self.done + u64::from(self.in_turn);
        self.turns += turns;
        self.tally.round_turns.add(turns as i64);
        for meld in state.melds() {
            let Some(grade) = meld.grade(state.set()) else { continue };
            let name = grade.name();
            *self.tally.canastas.entry(name).or_default() += 1;
        }
        let has_seats = |side: &Side| state.seats_of(*side).next().is_some();
        let unopened = state.sides().filter(has_seats).filter(|side| !state.opened(*side)).count();
        self.tally.initial.unopened += unopened as u64;
        if let Some(over) = over.filter(|over| over.reason == EndReason::WentOut)
            && let Some(seat) = over.seat
        {
            let out = &mut self.tally.going_out;
            out.rounds += 1;
            out.concealed += u64::from(over.concealed);
            count_at(&mut out.by_seat, seat.index(), 1);
            count_at(&mut out.by_place, place(seat, state), 1);
            out.turn.add((turns.saturating_sub(1) / u64::from(state.set().seats) + 1) as i64);
        }
    }

    fn booked(&mut self, score: &RoundScore) {
        if score.accounts.is_empty() {
            return;
        }
        *self.tally.ends.entry(codes::word(&END_REASONS, score.over.reason)).or_default() += 1;
        self.tally.units.resize(score.accounts.len(), UnitStats::default());
        let points: Vec<i32> = score.accounts.iter().map(|account| account.total).collect();
        self.tally.balance.scored(&self.deal, &points);
        for (unit, account) in self.tally.units.iter_mut().zip(&score.accounts) {
            unit.round_scores.add(account.total);
            for line in &account.lines {
                let count: &mut LineSum = self.tally.items.entry(line.item.name()).or_default();
                count.lines += 1;
                count.points += i64::from(line.points);
            }
        }
    }
}

impl TableBefore {
    fn remember(&mut self, state: &Table) {
        self.turn = state.turn_seat().0;
        for seat in state.seats() {
            let (i, side) = (seat.index(), state.side_of(seat));
            self.opened[i] = state.opened(side);
            self.minimum[i] = state.minimum(seat);
            if state.taken_top().is_none() {
                self.frozen[i] = !state.frozen(side).is_empty();
            }
        }
    }
}

/// Returns the place of a seat in the order of dealing and play, from 0; the dealer is last.
fn place(seat: Seat, state: &Table) -> usize {
    let seats = state.set().seats;
    usize::from((seat.0 + seats - state.dealer().left(seats).0) % seats)
}

/// Returns who ruled what, by which rule.
fn ruled(ruling: &Ruling) -> String {
    let (by, effect) = (codes::word(&AUTHORITIES, ruling.by), codes::word(&EFFECTS, ruling.effect.kind));
    format!("{by} {effect} {}", ruling.rule)
}
