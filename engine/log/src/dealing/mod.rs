//! The cards of a game: where its deals come from, what a register fixes of them, what a round end discloses.
//!
//! A [`Table`] knows none of this. [`Dealing`] stands beside it in a game and in an audit, and judges with it what the
//! table alone cannot: registers, deals and draws.

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
use canasta_rules::card::Card;
use canasta_rules::check::{self, Dealt, Legal, check_resuming};
use canasta_rules::rejection::{Field, Rejection, Violation};
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;
use canasta_rules::violations::Code;

/// Where the cards of one game come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dealing {
    /// The game's id.
    pub game_id: GameId,
    /// Where the cards come from.
    pub source: DealSource,
    /// In committed mode what is registered for the next deal, empty before its register; else `None`.
    pub entries: Option<Box<Entries>>,
}

impl Dealing {
    /// Returns the source of a game's deals; with `committed` seats and beacons contribute to them.
    pub fn new(game_id: GameId, source: DealSource, committed: bool) -> Self {
        Self { game_id, source, entries: committed.then(Box::default) }
    }

    /// Judges `action` as [`check`](check::check) does, with the cards of this game. `resumed` is the table that a
    /// ruling goes on from ([`check_resuming`]).
    ///
    /// # Errors
    /// As [`check`](check::check).
    pub fn check(
        &self,
        table: &Table,
        resumed: Option<&Table>,
        actor: As,
        action: &Action,
    ) -> Result<Legal, Rejection> {
        match action {
            Action::Deal(_) => check::check_deal(table, actor, action, |deal| self.dealt(table, deal)),
            Action::DrawCards(_) => {
                let wall = self.wall_of_secret(table);
                check::check_draw_cards(table, actor, action, wall.as_deref())
            }
            _ => check_resuming(table, resumed, actor, action),
        }
    }

    /// Returns the cards of a deal, once its register provides for all that it has.
    fn dealt(&self, table: &Table, deal: &Deal) -> Result<Dealt, Vec<Violation>> {
        if let Some(misfit) = self.misfit(table, deal) {
            return Err(vec![misfit]);
        }
        if self.is_void(deal) {
            return Ok(Dealt::Void);
        }
        match &self.source {
            DealSource::Unknown => Ok(Dealt::ByHand),
            _ => match self.wall(table, deal) {
                Ok(wall) => Ok(Dealt::Wall(wall.unwrap_or_default())),
                Err(_) => {
                    let fault = Violation::new(Code::SetupDeck, Field::Action).fact("found", 0u16);
                    Err(vec![fault.fact("required", table.rules().deck_size())])
                }
            },
        }
    }

    /// Returns the first thing in a deal that its register does not provide for.
    pub fn misfit(&self, table: &Table, deal: &Deal) -> Option<Violation> {
        let id = self.deal_id(table);
        let registered = |seat: Seat| self.entries.as_deref()?.seats.get(seat.index()).copied().flatten();
        let fits = |(seat, value): (Seat, &Option<[u8; 32]>)| match value {
            Some(value) => registered(seat) == Some(Commitment::seat(&id, seat, value)),
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

    /// Whether a seat keeps back what it registered, and no beacon makes that harmless: it could otherwise choose
    /// between two walls.
    pub fn is_void(&self, deal: &Deal) -> bool {
        let silent = |entries: &Entries| {
            let revealed = |seat: usize| deal.contributions.get(seat).is_some_and(Option::is_some);
            (0..).zip(entries.seats).any(|(seat, registered)| registered.is_some() && !revealed(seat))
        };
        self.entries.as_deref().is_some_and(|entries| !entries.beacon && silent(entries))
    }

    /// Clears the entries of the register, once the deal was carried out.
    pub fn clear_entries(&mut self) {
        if let Some(entries) = &mut self.entries {
            **entries = Entries::default();
        }
    }

    /// Returns the wall of this round with what was contributed, first card dealt first; `None` where no wall is
    /// known.
    ///
    /// # Errors
    /// If the pack cannot be dealt by the scheme.
    pub fn wall(&self, table: &Table, deal: &Deal) -> Result<Option<Vec<Card>>, DealError> {
        match &self.source {
            DealSource::Wall { wall, .. } => Ok(Some(wall.clone())),
            _ => self.secret(table).map(|secret| self.wall_from(table, &secret, deal)).transpose(),
        }
    }

    /// Returns the wall that follows from a secret without contributions; `None` where players pick cards.
    fn wall_of_secret(&self, table: &Table) -> Option<Vec<Card>> {
        let secret = self.secret(table)?;
        Some(self.wall_from(table, &secret, &Deal::default()).unwrap_or_default())
    }

    /// Returns the secret of the round at hand.
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
            None => Context::seeded(&id, &digest, cards, dealer)?,
            Some(entries) => {
                let contribution = |seat: Seat| Contribution {
                    commitment: entries.seats[seat.index()],
                    value: deal.contributions.get(seat.index()).copied().flatten(),
                };
                let seats: Vec<_> = table.seats().map(contribution).collect();
                let beacon = deal.signature.as_deref().map(beacon_value);
                Context::committed(&id, &digest, cards, dealer, &seats, beacon.as_ref())?
            }
        };
        deal::wall(secret, &context, set.packs, set.jokers)
    }

    /// Returns the name of the deal at hand, as hashed into its commitments and context.
    pub fn deal_id(&self, table: &Table) -> DealId {
        DealId::new(self.game_id, table.round_number().into(), table.attempt().into())
    }

    /// Returns who deals the round that is registered next, as far as that is known: a random dealer follows from the
    /// secret of the round.
    pub fn due_dealer(&self, table: &Table) -> Seat {
        let secret = self.secret(table).filter(|_| table.attempt() == 1 && table.has_random_dealer());
        let drawn = secret.and_then(|secret| {
            deal::random_dealer(&secret, self.game_id, table.round_number().into(), table.set().seats).ok()
        });
        drawn.unwrap_or(table.dealer())
    }

    /// Whether the cards follow from a secret, that of the game or of this round.
    pub fn has_secret(&self) -> bool {
        matches!(self.source, DealSource::Seeded(_) | DealSource::Round(_))
    }
}
