//! The dealing of a game: the source of its deals, the facts of them that a register fixes, and the reveal at
//! a round's end.
//!
//! A [`Table`] knows none of this. A [`Dealing`] stands beside the table in a game and in an audit. It judges
//! what the table alone cannot judge: registers, deals and draws.

mod entries;
mod register;
mod reveal;
mod source;

pub use entries::Entries;
pub use reveal::{Key, hides_cards};
pub use source::{DealMode, DealSource, Registration};

use crate::deal::{
    self, Commitment, Context, Contribution, DealError, DealId, GameId, RoundSecret, beacon_value,
};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use canasta_rules::action::{Action, As, Deal};
use canasta_rules::apply::{Sink, apply_into};
use canasta_rules::card::Card;
use canasta_rules::check::{self, Dealt, Legal, check_counted};
use canasta_rules::event::Events;
use canasta_rules::nodes::Nodes;
use canasta_rules::rejection::{Field, Rejection, Violation};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};
use canasta_rules::violations::Code;

/// Work of a deal, in units of a search node: its cards are shuffled by its secret, and all of them are told.
const DEAL_UNITS: u32 = 400;

/// The source of the cards of one game, and the entries of its next deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dealing {
    /// The game's id.
    pub game_id: GameId,
    /// The source of the cards.
    pub source: DealSource,
    /// The entries that are registered for the next deal, in committed mode (empty before its register); else
    /// `None`.
    pub entries: Option<Box<Entries>>,
}

impl Dealing {
    /// Returns the dealing of a game. If `committed`, seats and beacons contribute to its deals.
    pub fn new(game_id: GameId, source: DealSource, committed: bool) -> Self {
        Self { game_id, source, entries: committed.then(Box::default) }
    }

    /// Judges `action` as [`check`](check::check) does, with the cards of this game. `resumed` is the table
    /// on which play goes on after a ruling ([`check_resuming`](check::check_resuming)). `nodes` counts the work.
    ///
    /// # Errors
    /// As [`check`](check::check).
    pub fn check(
        &self,
        table: &Table,
        resumed: Option<&Table>,
        actor: As,
        action: &Action,
        nodes: &Nodes,
    ) -> Result<Legal, Rejection> {
        match action {
            Action::Deal(_) | Action::DrawCards(_) => {
                nodes.charge(DEAL_UNITS);
                self.check_cards(table, actor, action)
            }
            _ => check_counted(table, resumed, actor, action, nodes),
        }
    }

    /// Judges a deal or a draw with the cards of this game.
    #[inline(never)]
    fn check_cards(&self, table: &Table, actor: As, action: &Action) -> Result<Legal, Rejection> {
        if let Action::DrawCards(_) = action {
            let wall = self.wall_of_secret(table);
            return check::check_draw_cards(table, actor, action, wall.as_deref());
        }
        check::check_deal(table, actor, action, |deal| self.dealt(table, deal))
    }

    /// Returns the cards of a deal, or that the deal is void.
    ///
    /// # Errors
    /// If the register does not provide for something in the deal, or the pack cannot be dealt.
    fn dealt(&self, table: &Table, deal: &Deal) -> Result<Dealt, Vec<Violation>> {
        if let Some(misfit) = self.misfit(table, deal) {
            return Err(vec![misfit]);
        }
        if self.is_void(deal) {
            return Ok(Dealt::Void);
        }
        if let DealSource::Wall { wall, .. } = &self.source {
            return Ok(Dealt::Wall(wall.clone()));
        }
        let Some(secret) = self.secret(table) else { return Ok(Dealt::ByHand) };
        self.wall_from(table, &secret, deal).map(Dealt::Shuffled).map_err(|_| {
            let fault = Violation::new(Code::SetupDeck, Field::Action).fact("found", 0u16);
            vec![fault.fact("required", table.rules().deck_size())]
        })
    }

    /// Returns the first fault of a deal that contains something for which its register does not provide.
    pub fn misfit(&self, table: &Table, deal: &Deal) -> Option<Violation> {
        let registered = |seat: Seat| self.entries.as_deref()?.seats.get(seat.index()).copied().flatten();
        let fits = |(seat, value): (Seat, &Option<[u8; 32]>)| match value {
            Some(value) => registered(seat)
                .is_some_and(|entry| entry == Commitment::seat(&self.deal_id(table), seat, value)),
            None => true,
        };
        let fault = |field, zone: &'static str, found: usize, required: usize| {
            let fault = Violation::new(Code::SetupDeal, field).fact("zone", zone);
            Some(fault.fact("found", found as u16).fact("required", required as u16))
        };
        if let Some((seat, _)) = (0..).map(Seat).zip(&deal.contributions).find(|&entry| !fits(entry)) {
            let required = usize::from(registered(seat).is_some());
            return fault(Field::Contribution(seat), "CONTRIBUTIONS", 1, required);
        }
        let beacon = self.entries.as_ref().is_some_and(|entries| entries.beacon);
        if deal.signature.is_some() != beacon {
            return fault(Field::Signature, "SIGNATURE", deal.signature.is_some().into(), beacon.into());
        }
        if deal.names_cards() && self.source != DealSource::Unknown {
            return fault(Field::Action, "HANDS", deal.hands.len() + deal.upcards.len(), 0);
        }
        None
    }

    /// Whether a deal is void: a seat does not reveal the value that it registered, and there is no beacon.
    /// Without a beacon such a seat could choose between two walls.
    pub fn is_void(&self, deal: &Deal) -> bool {
        let silent = |entries: &Entries| {
            let revealed = |seat: usize| deal.contributions.get(seat).is_some_and(Option::is_some);
            (0..).zip(entries.seats).any(|(seat, registered)| registered.is_some() && !revealed(seat))
        };
        self.entries.as_deref().is_some_and(|entries| !entries.beacon && silent(entries))
    }

    /// Executes a legal action on `table`. A deal uses up the entries of its register, so they are cleared after it.
    ///
    /// # Panics
    /// As [`apply_into`].
    pub fn apply(&mut self, table: &mut Table, legal: Legal) -> Events {
        let mut events = Events::new();
        self.apply_into(table, legal, &mut events);
        events
    }

    /// Executes a legal action as [`Dealing::apply`] does, and puts the events into a sink.
    ///
    /// # Panics
    /// As [`apply_into`].
    pub fn apply_into(&mut self, table: &mut Table, legal: Legal, events: &mut impl Sink) {
        let deals = table.phase() == Phase::Deal;
        apply_into(table, legal, events);
        if let Some(entries) = self.entries.as_mut().filter(|_| deals && table.phase() != Phase::Deal) {
            **entries = Entries::default();
        }
    }

    /// Returns the wall of this round with the contributions of `deal`, first card dealt first; `None` if no
    /// wall is known.
    ///
    /// # Errors
    /// If the pack cannot be dealt by the scheme.
    pub fn wall(&self, table: &Table, deal: &Deal) -> Result<Option<Vec<Card>>, DealError> {
        match &self.source {
            DealSource::Wall { wall, .. } => Ok(Some(wall.clone())),
            _ => self.secret(table).map(|secret| self.wall_from(table, &secret, deal)).transpose(),
        }
    }

    /// Returns the wall that follows from the secret alone, without contributions (empty if the pack cannot
    /// be dealt); `None` if there is no secret and players pick the cards.
    fn wall_of_secret(&self, table: &Table) -> Option<Vec<Card>> {
        let secret = self.secret(table)?;
        Some(self.wall_from(table, &secret, &Deal::default()).unwrap_or_default())
    }

    /// Returns the secret of the current round, if it is known.
    fn secret(&self, table: &Table) -> Option<RoundSecret> {
        match &self.source {
            DealSource::Seeded(game) => Some(game.round(table.round_number().into(), table.attempt().into())),
            DealSource::Round(secret) => Some(secret.clone()),
            DealSource::Wall { .. } | DealSource::Unknown => None,
        }
    }

    fn wall_from(&self, table: &Table, secret: &RoundSecret, deal: &Deal) -> Result<Vec<Card>, DealError> {
        let (set, id) = (table.set(), self.deal_id(table));
        let dealer = Commitment::dealer(&id, secret);
        let (digest, cards) = (table.rules().digest_text(), table.rules().deck_size());
        let context = match self.entries.as_deref() {
            None => Context::seeded(&id, digest, cards, dealer)?,
            Some(entries) => {
                let contribution = |seat: Seat| Contribution {
                    commitment: entries.seats[seat.index()],
                    value: deal.contributions.get(seat.index()).copied().flatten(),
                };
                let seats: Vec<_> = table.seats().map(contribution).collect();
                let beacon = deal.signature.as_deref().map(beacon_value);
                Context::committed(&id, digest, cards, dealer, &seats, beacon.as_ref())?
            }
        };
        deal::wall(secret, &context, set.packs, set.jokers)
    }

    /// Returns the id of the current deal, as hashed into its commitments and context.
    pub fn deal_id(&self, table: &Table) -> DealId {
        DealId::new(self.game_id, table.round_number().into(), table.attempt().into())
    }

    /// Returns the seat that must deal the round that is registered next. A random dealer follows from the
    /// secret of the round; if that secret is unknown, this is the dealer of the table.
    pub fn due_dealer(&self, table: &Table) -> Seat {
        if table.attempt() != 1 || !table.has_random_dealer() {
            return table.dealer();
        }
        let drawn = self.secret(table).and_then(|secret| {
            deal::random_dealer(&secret, self.game_id, table.round_number().into(), table.set().seats).ok()
        });
        drawn.unwrap_or(table.dealer())
    }

    /// Whether the cards follow from a secret: the secret of the game or of this round.
    pub fn has_secret(&self) -> bool {
        matches!(self.source, DealSource::Seeded(_) | DealSource::Round(_))
    }
}
