//! Actions of seats, the table and officials, executed beside the text.

use super::super::given::{Actor, GivenAction};
use super::super::shown::Shown;
use super::{Follower, KnownTable, TextContext, is_for_nobody};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use canasta_log::record::ActionRecord;
use canasta_log::{derive, digest};
use canasta_rules::action::{Action, As, EffectKind};
use canasta_rules::card::{Card, Cards};
use canasta_rules::event::Events;
use canasta_rules::known::{Stop, from_hand, holder};
use canasta_rules::notation::paper;
use canasta_rules::notation::suits::Suits;
use canasta_rules::rejection::Rejection;
use canasta_rules::seat::Seat;
use canasta_rules::table::Phase;

/// The results of an executed action.
struct Carried {
    action: Action,
    digest: [u8; 8],
    shown: Shown,
}

impl Follower {
    pub(super) fn action(
        &mut self,
        n: u64,
        given: &GivenAction,
        context: &TextContext<'_>,
    ) -> Result<(ActionRecord, Shown), String> {
        let actor = self.actor(given.actor, &given.action)?;
        let transcribed = self.known.is_some();
        let (plain, claimed) = match transcribed {
            true => (given.action.clone(), Shown::default()),
            false => Shown::split(&given.action, given.received.as_deref()),
        };
        let carried = self.carry_out(n, actor, &plain, given.received.as_deref(), context);
        let (action, found, shown) = match carried {
            Some(carried) => (carried.action, Some(carried.digest), carried.shown),
            None => (plain, None, Shown::default()),
        };
        let digest = given.digest.or(found).ok_or_else(|| format!("{}: {}", action.kind(), self.why))?;
        if let Some(reason) = claimed.differs(&shown) {
            return Err(reason);
        }
        let cards = given.received.clone().filter(|_| transcribed);
        let (elapsed_ms, signature) = (given.elapsed_ms, given.signature);
        Ok((ActionRecord { actor, action, elapsed_ms, cards, signature, digest }, shown))
    }

    pub(in super::super) fn actor(&self, actor: Actor, action: &Action) -> Result<Option<Seat>, String> {
        match actor {
            Actor::Seat(seat) => Ok(Some(seat)),
            Actor::Nobody => Ok(None),
            Actor::Unsaid if is_for_nobody(action) => Ok(None),
            Actor::Unsaid => {
                let to_act = self.table().to_act().filter(|_| !self.game.lost);
                to_act.map(Some).ok_or_else(|| format!("{}: expected who does it", action.kind()))
            }
        }
    }

    /// Returns the suits of an action whose text names cards by their rank alone: first come cards that the hand is known to
    /// have, or in the deal and of cards that come to a hand those that the seat names later. `later` returns what a seat
    /// names from its hand in the rest of the round.
    pub(in super::super) fn suits(
        &self,
        seat: Option<Seat>,
        body: &str,
        later: &dyn Fn(Seat) -> Vec<Card>,
    ) -> Suits {
        let table = self.table();
        let named: Vec<Card> = table.seats().flat_map(later).collect();
        let is_dealt = table.phase() != Phase::Deal;
        let unseen = match &self.known {
            Some(known) if is_dealt => known.unseen_pack(table),
            _ => table.set().deck(),
        };
        let wanted = match seat.filter(|_| is_dealt) {
            None => named.clone(),
            Some(seat) if body.starts_with("draw") => later(seat),
            Some(seat) => {
                let mut hand = *table.hand(seat);
                if let Some(known) = &self.known {
                    hand.subtract(known.open(seat));
                }
                paper::named(body).into_iter().for_each(|card| {
                    hand.remove(card);
                });
                match body.starts_with("ruling") {
                    true => shown(hand, &table.rulings().penalty_cards(seat), later(seat)),
                    false => hand.iter().collect(),
                }
            }
        };
        Suits::among(table.set(), wanted, unseen, &named)
    }

    fn carry_out(
        &mut self,
        n: u64,
        actor: Option<Seat>,
        action: &Action,
        received: Option<&[Option<Card>]>,
        context: &TextContext<'_>,
    ) -> Option<Carried> {
        let official = action.is_official();
        if self.game.lost && !(self.is_broken && goes_on(action)) {
            self.pass_over(action);
            return None;
        }
        if actor.is_some_and(|seat| seat.0 >= self.table().set().seats) {
            self.lose(String::from("there is no such seat"), true);
            self.pass_over(action);
            return None;
        }
        let done = match official {
            true => self.decide(n, actor, action),
            false => self.act(actor, action, received.unwrap_or(&[]), context),
        };
        let events = match done {
            Ok(events) => events,
            Err(why) => {
                let is_broken = self.table().phase() != Phase::Setup;
                self.lose(why, is_broken);
                self.pass_over(action);
                return None;
            }
        };
        self.game.lost = false;
        self.remember();
        let masked = matches!(action, Action::Ruling(ruling) if ruling.effect.masked);
        let table = self.table();
        let recorded = match masked {
            true => action.clone(),
            false => derive::as_recorded(table, &self.game.dealing, n, action),
        };
        let shown = if self.known.is_some() { Shown::default() } else { Shown::of(action, &events) };
        Some(Carried { action: recorded, digest: digest::public(table), shown })
    }

    /// Executes an action of a seat or of the table.
    fn act(
        &mut self,
        actor: Option<Seat>,
        action: &Action,
        received: &[Option<Card>],
        context: &TextContext<'_>,
    ) -> Result<Events, String> {
        let by = actor.map_or(As::Table, As::Seat);
        let Some(known) = &mut self.known else {
            let (table, dealing) = (&self.game.table, &self.game.dealing);
            let legal = derive::check(table, dealing, None, None, by, action, &Default::default());
            return Ok(self.game.apply(legal.map_err(|rejection| broken(&rejection))?));
        };
        let later = || actor.map_or_else(Vec::new, |seat| (context.later)(seat));
        known.act(&mut self.game.table, by, action, received, &later).map_err(|stop| match stop {
            Stop::Rejected(rejection) => broken(&rejection),
            Stop::NotJudged(rejection) => format!(
                "whether this is legal hangs on cards that nobody knows; with every hand tried: {}",
                broken(&rejection)
            ),
            Stop::Misfit(misfit) => misfit.to_string(),
            Stop::NoUpcard => String::from("the deal must say with which card the pile begins (upcards)"),
        })
    }

    /// Executes an action of an official, or of a seat towards an official.
    fn decide(&mut self, n: u64, actor: Option<Seat>, action: &Action) -> Result<Events, String> {
        let plain = self.game.opened(action, n);
        let seq = plain.restored_seq();
        let earlier = self.earlier.iter().find(|(kept, _)| Some(*kept) == seq);
        let earlier = earlier.and_then(|(_, earlier)| earlier.as_ref());
        let by = actor.map_or(As::Director, As::Seat);
        let restored = earlier.map(|earlier| &earlier.table);
        let (game, known) = (&self.game, self.known.as_ref());
        let legal =
            derive::check(&game.table, &game.dealing, known, restored, by, &plain, &Default::default());
        let legal = legal.map_err(|rejection| broken(&rejection) + &self.absent(&plain))?;
        let restored = earlier.and_then(|earlier| earlier.known.clone());
        if let Some(known) = &mut self.known {
            derive::learn(&mut self.game.table, known, restored, &plain);
        }
        Ok(self.game.apply(legal))
    }

    /// Returns why penalty cards of a transcript cannot be in their hand, after a semicolon; an empty text if they can be.
    fn absent(&self, ruling: &Action) -> String {
        let seat = holder(None, ruling).filter(|seat| seat.0 < self.table().set().seats);
        let (Some(known), Some(seat)) = (&self.known, seat) else { return String::new() };
        let mut table = self.table().clone();
        if let Err(misfit) = known.clone().show(&mut table, seat, ruling) {
            return format!("; {misfit}");
        }
        let mut free = *table.hand(seat);
        free.subtract(&table.rulings().penalty_cards(seat));
        let absent = from_hand(ruling).into_iter().filter(|card| !free.remove(*card));
        let absent: Vec<String> = absent.map(|card| card.to_string()).collect();
        match absent.is_empty() {
            true => String::new(),
            false => format!("; as far as that hand is known, it cannot have {}", absent.join(" ")),
        }
    }

    /// Counts an action that could not be executed; nothing else changes.
    fn pass_over(&mut self, action: &Action) {
        self.game.table.pass_over(action);
    }

    /// Keeps the position if a ruling restores it.
    fn remember(&mut self) {
        let seq = self.game.table.step();
        if let Some((_, kept)) = self.earlier.iter_mut().find(|(wanted, _)| *wanted == seq) {
            *kept = Some(KnownTable { table: self.game.table.clone(), known: self.known.clone() });
        }
    }
}

/// Returns the cards that a ruling may name of a hand in the order in which they come first: those of which the hand is known
/// to have more than the earlier `penalties`, then those that the seat names later.
fn shown(known: Cards, penalties: &Cards, later: Vec<Card>) -> Vec<Card> {
    let mut free = known;
    free.subtract(penalties);
    let mut known = known;
    free.iter().chain(later.into_iter().filter(|card| !known.remove(*card))).collect()
}

/// Returns the rules that an action breaks, as text.
fn broken(rejection: &Rejection) -> String {
    let codes: Vec<&str> = rejection.codes().iter().map(|code| code.name()).collect();
    format!("{}: {rejection}", codes.join(" "))
}

/// Whether this is a ruling that says how play continues after an action that broke a rule.
fn goes_on(action: &Action) -> bool {
    use EffectKind::{Forfeit, Redeal, Restore, Stand};
    matches!(action, Action::Ruling(ruling) if matches!(ruling.effect.kind, Redeal | Restore | Forfeit | Stand))
}
