//! The fields of actions and registers, described once for all codings.
//!
//! A description visits the fields of a value in their order. A coding that writes takes the value of each field, one
//! that reads replaces it, and leaves what it does not find as it is: so reading begins with a value of defaults.
//! [`Fields`] is implemented by the stored bytes (`bytes`) and by lines of JSON (`canasta-text`).

use super::codes::{ABOUTS, AUTHORITIES, EFFECTS, SCORE_ITEMS, SPECIAL_HANDS};
use super::record::{Fork, Register, ScoreLine};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_rules::action::*;
use canasta_rules::card::Card;
use canasta_rules::seat::{SEATS_MAX, Seat, Side};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum number of groups per action.
pub const GROUPS_MAX: usize = 128;
/// Maximum number of bytes of a beacon's signature.
pub const BEACON_SIGNATURE_MAX: usize = 96;
/// Maximum number of bytes of a rule's id in a ruling.
pub const RULE_MAX: usize = 32;
/// Maximum number of bytes of the reason of a ruling or of a dispute.
pub const REASON_MAX: usize = 1024;

/// The name of a field in messages of faults, such as `effect.seat`. The part after the last dot is its key in JSON.
pub type Name = &'static str;
/// The values of a choice with their words.
pub type Words<T> = [(T, &'static str)];
/// The outcome of a field.
pub type Coded<F> = Result<(), <F as Fields>::Fault>;

/// An integer that any coding can write and read.
pub trait Number: Serialize + DeserializeOwned + TryFrom<i128> {}
impl Number for u8 {}
impl Number for u16 {}
impl Number for u32 {}
impl Number for u64 {}
impl Number for i32 {}
impl Number for i64 {}

/// A coding of fields, which either writes or reads all fields that it is given.
pub trait Fields: Sized {
    /// The reason why a field cannot be written or read.
    type Fault;

    /// Writes or reads an integer.
    fn number<T: Number>(&mut self, name: Name, value: &mut T) -> Coded<Self>;

    /// Writes or reads a yes or no.
    fn flag(&mut self, name: Name, value: &mut bool) -> Coded<Self>;

    /// Writes or reads the number of a seat or side.
    fn place(&mut self, name: Name, value: &mut u8) -> Coded<Self>;

    /// Writes or reads one of the values of a table.
    fn choice<T: Copy + PartialEq>(&mut self, name: Name, table: &Words<T>, value: &mut T) -> Coded<Self>;

    /// Writes or reads the kind of an action.
    fn kind(&mut self, value: &mut ActionKind) -> Coded<Self>;

    /// Writes or reads text of at most `max` bytes.
    fn text(&mut self, name: Name, max: usize, value: &mut String) -> Coded<Self>;

    /// Writes or reads at most `max` bytes.
    fn data(&mut self, name: Name, max: usize, value: &mut Vec<u8>) -> Coded<Self>;

    /// Writes or reads exactly `N` bytes.
    fn array<const N: usize>(&mut self, name: Name, value: &mut [u8; N]) -> Coded<Self>;

    /// Writes or reads an array for each seat, or none.
    fn arrays<const N: usize>(&mut self, name: Name, value: &mut Vec<Option<[u8; N]>>) -> Coded<Self>;

    /// Writes or reads a card.
    fn card(&mut self, name: Name, value: &mut Card) -> Coded<Self>;

    /// Writes or reads cards.
    fn cards<L: AsRef<[Card]> + FromIterator<Card>>(&mut self, name: Name, value: &mut L) -> Coded<Self>;

    /// Writes or reads cards of which some are unknown.
    fn some_cards(&mut self, name: Name, value: &mut Vec<Option<Card>>) -> Coded<Self>;

    /// Writes or reads the target of a group.
    fn onto(&mut self, name: Name, value: &mut Onto) -> Coded<Self>;

    /// Writes or reads a group.
    fn group(&mut self, group: &mut Group) -> Coded<Self>;

    /// Writes or reads the position of an effect, and whether it is masked.
    fn position(&mut self, effect: &mut Effect) -> Coded<Self>;

    /// Writes or reads an action within an action.
    fn inner(&mut self, name: Name, action: &mut Action) -> Coded<Self>;

    /// Writes or reads the fields of a part.
    fn part(&mut self, _: Name, fields: impl FnOnce(&mut Self) -> Coded<Self>) -> Coded<Self> {
        fields(self)
    }

    /// Writes or reads a value or none. Reading a value begins with `blank`.
    fn maybe_from<T>(
        &mut self,
        name: Name,
        value: &mut Option<T>,
        blank: T,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Coded<Self>,
    ) -> Coded<Self>;

    /// Writes or reads a value that JSON omits if it is the default.
    fn omitted<T: Default + PartialEq>(
        &mut self,
        name: Name,
        value: &mut T,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        field(self, name, value)
    }

    /// Writes or reads a list of at most `max` elements. Reading an element begins with the default.
    fn list<T: Default, L: AsMut<[T]> + Extend<T>>(
        &mut self,
        name: Name,
        max: usize,
        list: &mut L,
        element: impl Fn(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self>;

    /// Writes or reads a value or none. Reading a value begins with the default.
    fn maybe<T: Default>(
        &mut self,
        name: Name,
        value: &mut Option<T>,
        field: impl FnOnce(&mut Self, Name, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        self.maybe_from(name, value, T::default(), field)
    }

    /// Writes or reads exactly `N` bytes or none.
    fn maybe_array<const N: usize>(&mut self, name: Name, value: &mut Option<[u8; N]>) -> Coded<Self> {
        self.maybe_from(name, value, [0; N], Self::array)
    }

    /// Writes or reads a time, in ms since 1970.
    fn time(&mut self, name: Name, value: &mut i64) -> Coded<Self> {
        self.number(name, value)
    }

    /// Writes or reads a seat.
    fn seat(&mut self, name: Name, seat: &mut Seat) -> Coded<Self> {
        self.place(name, &mut seat.0)
    }

    /// Writes or reads a side.
    fn side(&mut self, name: Name, side: &mut Side) -> Coded<Self> {
        self.place(name, &mut side.0)
    }

    /// Writes or reads the number of a meld.
    fn meld(&mut self, name: Name, meld: &mut MeldId) -> Coded<Self> {
        self.number(name, &mut meld.0)
    }
}

/// Writes or reads an action. Reading begins with the default action.
pub fn action<F: Fields>(f: &mut F, action: &mut Action) -> Coded<F> {
    let mut kind = action.kind();
    f.kind(&mut kind)?;
    if kind != action.kind() {
        *action = blank(kind);
    }
    match action {
        Action::Deal(found) => deal(f, found),
        Action::DrawCards(picks) => f.omitted("picks", picks, |f, name, picks| {
            f.list(name, SEATS_MAX, picks, |f, pick| f.cards("picks[]", pick))
        }),
        Action::TakePile(TakePile { with, onto, also }) => {
            f.cards("with", with)?;
            f.onto("onto", onto)?;
            f.omitted("also", also, groups)
        }
        Action::LayThrees(cards) => f.cards("cards", cards),
        Action::Meld(found) => groups(f, "groups", found),
        Action::MergeMelds { a, b } => {
            f.meld("a", a)?;
            f.meld("b", b)
        }
        Action::UndoMeld { meld, cards } => {
            f.meld("meld", meld)?;
            f.cards("cards", cards)
        }
        Action::Ask { about, to, with } => {
            f.choice("about", &ABOUTS, about)?;
            f.maybe("to", to, F::seat)?;
            f.maybe("with", with, way)
        }
        Action::Answer { yes } => f.flag("yes", yes),
        Action::SpecialHand(hand) => f.choice("hand", &SPECIAL_HANDS, hand),
        Action::Discard(card) => f.card("card", card),
        Action::CallReveal { of } => f.seat("of", of),
        Action::Ruling(found) => ruling(f, found),
        Action::Dispute { open, reason } => {
            f.flag("open", open)?;
            f.omitted("reason", reason, |f, name, reason| f.text(name, REASON_MAX, reason))
        }
        Action::Sign { side } => f.side("side", side),
        Action::DrawStock
        | Action::TakeTop
        | Action::RestorePile
        | Action::TakeTalon
        | Action::Pass
        | Action::EndRound => Ok(()),
    }
}

/// Returns an action of this kind, for a reader of its fields.
pub fn blank(kind: ActionKind) -> Action {
    match kind {
        ActionKind::Deal => Action::Deal(Box::default()),
        ActionKind::DrawCards => Action::DrawCards(Vec::new()),
        ActionKind::DrawStock => Action::DrawStock,
        ActionKind::TakePile => Action::TakePile(TakePile::default()),
        ActionKind::TakeTop => Action::TakeTop,
        ActionKind::RestorePile => Action::RestorePile,
        ActionKind::LayThrees => Action::LayThrees(CardList::new()),
        ActionKind::TakeTalon => Action::TakeTalon,
        ActionKind::Meld => Action::Meld(Groups::new()),
        ActionKind::MergeMelds => Action::MergeMelds { a: MeldId(0), b: MeldId(0) },
        ActionKind::UndoMeld => Action::UndoMeld { meld: MeldId(0), cards: CardList::new() },
        ActionKind::Ask => Action::Ask { about: About::GoOut, to: None, with: None },
        ActionKind::Answer => Action::Answer { yes: false },
        ActionKind::SpecialHand => Action::SpecialHand(SpecialHand::Straight),
        ActionKind::Discard => Action::Discard(Card::default()),
        ActionKind::Pass => Action::Pass,
        ActionKind::EndRound => Action::EndRound,
        ActionKind::CallReveal => Action::CallReveal { of: Seat(0) },
        ActionKind::Ruling => Action::Ruling(Box::default()),
        ActionKind::Dispute => Action::Dispute { open: false, reason: String::new() },
        ActionKind::Sign => Action::Sign { side: Side(0) },
    }
}

fn deal<F: Fields>(f: &mut F, deal: &mut Deal) -> Coded<F> {
    f.maybe("lifted", &mut deal.lifted, F::number)?;
    f.maybe("foot_lifted", &mut deal.foot_lifted, F::number)?;
    f.omitted("contributions", &mut deal.contributions, F::arrays)?;
    f.maybe("signature", &mut deal.signature, |f, name, signature| {
        f.data(name, BEACON_SIGNATURE_MAX, signature)
    })?;
    f.omitted("hands", &mut deal.hands, |f, name, hands| {
        f.list(name, SEATS_MAX, hands, |f, hand| f.some_cards("hands[]", hand))
    })?;
    f.omitted("upcards", &mut deal.upcards, F::some_cards)
}

fn way<F: Fields>(f: &mut F, name: Name, way: &mut Box<NamedWay>) -> Coded<F> {
    f.part(name, |f| {
        f.omitted("with.groups", &mut way.groups, groups)?;
        f.maybe("with.discard", &mut way.discard, F::card)
    })
}

fn groups<F: Fields>(f: &mut F, name: Name, groups: &mut Groups) -> Coded<F> {
    f.list(name, GROUPS_MAX, groups, F::group)
}

fn ruling<F: Fields>(f: &mut F, ruling: &mut Ruling) -> Coded<F> {
    f.number("id", &mut ruling.id)?;
    f.choice("by", &AUTHORITIES, &mut ruling.by)?;
    f.maybe("offender", &mut ruling.offender, F::seat)?;
    f.side("side", &mut ruling.side)?;
    f.text("rule", RULE_MAX, &mut ruling.rule)?;
    f.number("points", &mut ruling.points)?;
    f.part("effect", |f| effect(f, &mut ruling.effect))?;
    f.text("reason", REASON_MAX, &mut ruling.reason)?;
    f.maybe("reverses", &mut ruling.reverses, F::number)?;
    f.maybe_array("signature", &mut ruling.signature)
}

fn effect<F: Fields>(f: &mut F, effect: &mut Effect) -> Coded<F> {
    f.choice("effect.type", &EFFECTS, &mut effect.kind)?;
    f.maybe("effect.by", &mut effect.by, F::number)?;
    f.maybe("effect.seat", &mut effect.seat, F::seat)?;
    f.omitted("effect.cards", &mut effect.cards, F::cards)?;
    f.maybe("effect.until", &mut effect.until, F::number)?;
    f.maybe("effect.side", &mut effect.side, F::side)?;
    f.maybe("effect.award", &mut effect.award, F::number)?;
    f.maybe("effect.to_seq", &mut effect.to_seq, F::number)?;
    f.maybe("effect.action", &mut effect.action, |f, name, action| f.inner(name, action))?;
    f.position(effect)?;
    f.omitted("effect.points", &mut effect.points, |f, name, points| {
        f.list(name, SEATS_MAX, points, |f, points| f.number("effect.points", points))
    })
}

/// Writes or reads a register.
pub fn register<F: Fields>(f: &mut F, register: &mut Register) -> Coded<F> {
    f.number("round", &mut register.round)?;
    f.number("attempt", &mut register.attempt)?;
    f.maybe("dealer", &mut register.dealer, F::seat)?;
    f.maybe_array("commitment", &mut register.commitment)?;
    f.omitted("seats", &mut register.seats, F::arrays)?;
    f.maybe("beacon", &mut register.beacon, |f, name, beacon| {
        f.part(name, |f| {
            f.array("beacon.chain", &mut beacon.chain)?;
            f.number("beacon.round", &mut beacon.round)?;
            f.time("beacon.close_ms", &mut beacon.close_ms)
        })
    })?;
    f.omitted("signatures", &mut register.signatures, F::arrays)
}

/// Writes or reads the record of another log.
pub fn fork<F: Fields>(f: &mut F, name: Name, fork: &mut Fork) -> Coded<F> {
    f.part(name, |f| {
        f.array("fork_of.game_id", &mut fork.game_id)?;
        f.number("fork_of.n", &mut fork.n)?;
        f.array("fork_of.head", &mut fork.head)
    })
}

/// Writes or reads a line of a score.
pub fn score_line<F: Fields>(f: &mut F, line: &mut ScoreLine) -> Coded<F> {
    f.part("sides[].lines[]", |f| {
        f.choice("sides[].lines[].item", &SCORE_ITEMS, &mut line.item)?;
        f.maybe("sides[].lines[].count", &mut line.count, F::number)?;
        f.number("sides[].lines[].points", &mut line.points)
    })
}
