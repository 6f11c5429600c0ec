//! The facts that the bot computes from a view before it judges steps.

use super::memory::Recall;
use super::needs::Needs;
use super::weights::{Weight as W, Weights};
use canasta_rules::action::{MeldId, MeldKind, Onto};
use canasta_rules::card::{Card, Cards, Rank};
use canasta_rules::rules::{RuleSet, Rules};
use canasta_rules::seat::{Seat, Side};
use canasta_rules::sequence::{PLACES, Sequence, card_at, place};
use canasta_rules::table::Permission;
use canasta_rules::view::{OpenTable, SeatView, View};
use smallvec::SmallVec;

/// An own meld.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnMeld {
    pub id: MeldId,
    pub kind: MeldKind,
    pub rank: Option<Rank>,
    pub naturals: u8,
    pub wilds: u8,
    pub complete: bool,
}

pub(super) struct Situation<'v> {
    pub weights: &'v Weights,
    pub table: &'v OpenTable,
    pub rules: &'v Rules,
    pub set: &'v RuleSet,
    pub hand: &'v Cards,
    pub side: Side,
    /// The seat that plays next.
    pub next: &'v SeatView,
    pub own: SmallVec<[OwnMeld; 12]>,
    /// A bit for each rank of which the side of the next seat has a meld, and of which another side has an open one.
    pub theirs: u16,
    pub feeds: u16,
    /// The number of cards in the stock, the pile and the other hands; at least 1.
    pub hidden: i32,
    /// By rank: the number of naturals that are neither in the own hand, nor in melds, nor in the pile, as far as it is
    /// remembered, nor known to be in another hand.
    pub unseen: [u8; 14],
    /// The cards that the next seat is known to hold.
    pub next_held: &'v Cards,
    pub opened: bool,
    /// Whether some other side has opened.
    pub they_opened: bool,
    /// The canastas that the side lacks to go out.
    pub needs: Needs,
    /// Number of cards in the own foot, which is not yet played.
    pub foot: u16,
    /// Whether the round may end before the next own turn: cards held then count against the side.
    pub hurry: bool,
    /// Whether the next seat is an opponent who may soon go out.
    pub next_may_go_out: bool,
    /// Whether the bot wants to go out now.
    pub wants_out: bool,
}

impl<'v> Situation<'v> {
    /// Computes the situation of the seat that the view belongs to; `None` if the view is not the view of a
    /// seat.
    pub(super) fn of(view: &'v View, weights: &'v Weights, recall: Recall<'v>) -> Option<Self> {
        let (seat, hand) = (view.seat()?, view.own_hand()?);
        let table = &view.table;
        let set = table.rules.set();
        let side = table.seats[seat.index()].side;
        let mut situation = Self {
            weights,
            table,
            rules: &table.rules,
            set,
            hand,
            side,
            next: &table.seats[seat.left(set.seats).index()],
            own: table.melds_of(side).map(spot).collect(),
            theirs: 0,
            feeds: 0,
            hidden: 1,
            unseen: unseen(table, hand, seat, recall),
            next_held: recall.held(seat.left(set.seats)),
            opened: table.sides[side.index()].opened,
            they_opened: (0..).map(Side).zip(&table.sides).any(|(other, s)| other != side && s.opened),
            needs: Needs::of(table, side),
            foot: table.seats[seat.index()].foot,
            hurry: false,
            next_may_go_out: false,
            wants_out: false,
        };
        for view in table.melds.iter().filter(|view| view.meld.side != side) {
            let rank = view.meld.rank.map_or(0, |rank| 1 << rank.index());
            situation.theirs |= if view.meld.side == situation.next.side { rank } else { 0 };
            situation.feeds |= if view.grade.is_none() { rank } else { 0 };
        }
        let others: u16 = table.seats.iter().map(|seat| seat.hand).sum::<u16>() - hand.len();
        situation.hidden = (table.stock + others + table.pile.size).max(1).into();
        situation.hurry = i32::from(table.stock) <= weights[W::LastCards] || situation.threatened();
        situation.next_may_go_out = situation.threatens(situation.next);
        situation.wants_out = situation.welcomes_out(seat);
        Some(situation)
    }

    /// Whether opponents may soon go out.
    pub(super) fn threatened(&self) -> bool {
        self.table.seats.iter().any(|seat| self.threatens(seat))
    }

    /// Whether a seat is an opponent who may soon go out.
    fn threatens(&self, seat: &SeatView) -> bool {
        seat.side != self.side
            && seat.foot == 0
            && i32::from(seat.hand) <= self.weights[W::ThreatCards]
            && Needs::of(self.table, seat.side).are_met()
    }

    fn welcomes_out(&self, own: Seat) -> bool {
        match self.table.permission {
            Permission::Yes => return true,
            Permission::No { .. } => return false,
            Permission::None | Permission::Pending { .. } => {}
        }
        let mut value = self.weights[W::Out];
        for (seat, view) in (0..).map(Seat).zip(&self.table.seats) {
            let cards = i32::from(view.hand);
            if view.side != self.side {
                value += self.weights[W::OutTheirCard] * cards;
            } else if seat != own {
                value -= self.weights[W::OutMateCard] * cards;
            }
        }
        self.hurry || value > 0
    }

    /// Whether the own canastas suffice and at most one card of the hand fits no own meld.
    pub(super) fn is_nearly_out(&self) -> bool {
        let fits = |card: &Card| self.own.iter().any(|spot| spot.rank == Some(card.rank()));
        let stray = self.hand.iter().filter(|card| !fits(card)).count();
        self.needs.are_met() && stray <= 1
    }

    /// Whether the hand has a set whose penalty, if it is laid now and stays incomplete, is more than going
    /// out is worth.
    pub(super) fn is_costly_to_lay(&self) -> bool {
        let cost = |rank: Rank| self.set.penalty_incomplete.get(rank).unwrap_or(0);
        let is_new = |rank: Rank| self.own.iter().all(|spot| spot.rank != Some(rank));
        let mut ranks = Rank::NATURAL
            .into_iter()
            .filter(|&rank| (self.set.meld_min..self.set.canasta_size).contains(&self.hand.rank_count(rank)));
        ranks.any(|rank| cost(rank) > self.weights[W::OutLoss] && is_new(rank))
    }

    /// Returns the largest number of cards in a mate's hand; 0 if the mates have been asked already.
    pub(super) fn mate_cards(&self) -> u16 {
        let Permission::None = self.table.permission else { return 0 };
        let own = self.table.turn;
        let seats = (0..).map(Seat).zip(&self.table.seats);
        let mates = seats.filter(|&(seat, view)| view.side == self.side && Some(seat) != own);
        mates.map(|(_, view)| view.hand).max().unwrap_or(0)
    }

    /// Whether only a pair takes the pile, for every side.
    pub(super) fn pile_frozen(&self) -> bool {
        !self.table.pile.frozen.is_empty()
    }

    /// Whether a card lengthens an open sequence of this side directly.
    pub(super) fn lengthens(&self, side: Side, card: Card) -> bool {
        if !self.set.sequences {
            return false;
        }
        let open = self.table.melds_of(side).filter(|m| m.grade.is_none());
        open.filter_map(|m| Sequence::of_meld(&m.meld)).any(|sequence| sequence.with(card).is_some())
    }

    /// Returns the number of neighbours of a natural in the hand: kinds of its suit at most two ranks away.
    pub(super) fn neighbours(&self, card: Card) -> i32 {
        let (Some(suit), Some(place)) = (card.suit(), place(card)) else { return 0 };
        let near = (place.saturating_sub(2)..=(place + 2).min(PLACES - 1)).filter(|&other| other != place);
        near.filter(|&place| self.hand.count(card_at(suit, place)) > 0).count() as i32
    }

    /// Returns the number of natural ranks of which the hand has a pair.
    pub(super) fn pairs(&self) -> i32 {
        Rank::NATURAL.iter().filter(|&&rank| self.hand.rank_count(rank) >= 2).count() as i32
    }

    pub(super) fn points(&self, card: Card) -> i32 {
        self.rules.card_points(card)
    }

    /// Returns the own meld that a group of this kind and rank joins; `None` for a new meld.
    pub(super) fn target(&self, onto: Onto, kind: MeldKind, rank: Option<Rank>) -> Option<&OwnMeld> {
        match onto {
            Onto::New => None,
            Onto::Meld { id, .. } => self.own.iter().find(|spot| spot.id == id),
            Onto::Auto => {
                let mut fits = self.own.iter().filter(|spot| spot.kind == kind && spot.rank == rank);
                fits.clone().find(|spot| !spot.complete).or_else(|| fits.next())
            }
        }
    }
}

fn spot(view: &canasta_rules::view::MeldView) -> OwnMeld {
    let meld = &view.meld;
    let wilds = meld.wilds();
    OwnMeld {
        id: meld.id,
        kind: meld.kind,
        rank: meld.rank,
        naturals: meld.len() as u8 - wilds,
        wilds,
        complete: view.grade.is_some(),
    }
}

fn unseen(table: &OpenTable, hand: &Cards, own: Seat, recall: Recall<'_>) -> [u8; 14] {
    let mut unseen = [0; 14];
    for rank in Rank::NATURAL {
        unseen[rank.index()] = (4 * table.rules.set().packs).saturating_sub(hand.rank_count(rank));
    }
    for meld in &table.melds {
        if let Some(rank) = meld.meld.rank {
            let left = &mut unseen[rank.index()];
            *left = left.saturating_sub(meld.meld.cards.rank_count(rank));
        }
    }
    let mut see = |rank: Rank, count: u8| unseen[rank.index()] = unseen[rank.index()].saturating_sub(count);
    let in_view = table.pile.top.as_slice();
    for card in if recall.pile.is_empty() { in_view } else { recall.pile } {
        see(card.rank(), 1);
    }
    for (seat, held) in (0..).map(Seat).zip(recall.held) {
        if seat != own {
            Rank::NATURAL.into_iter().for_each(|rank| see(rank, held.rank_count(rank)));
        }
    }
    unseen
}
