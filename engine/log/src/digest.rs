//! Public and full digest of a table (docs/LOG_FORMAT.md lists the bytes).
//!
//! Neither digest covers game id, rule set, n, seq, head, secrets, expiry or times. The public digest covers
//! nothing that a hidden card decided.

mod kept;
mod out;

pub use kept::Digests;

use super::bytes::UNKNOWN_CARD;
use canasta_rules::card::{Card, Cards};
use canasta_rules::known::Known;
use canasta_rules::rules::{self, AskWhom, DiscardWilds, LastThree, PileSteps, SideChoice};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Courtesy, Kept, Permission, Phase, Standing, Table, TalonPlace};
use kept::laid_count;
use out::{EMPTY, Out, Piece};
use sha2::{Digest, Sha256};

/// Stands for "none" where a seat, side or rank is expected.
const NONE: u8 = 0xff;
/// Stands for a seat where a talon lies in the centre.
const CENTRE: u8 = 0xfe;

/// Returns the public digest: the first 8 bytes of SHA-256 over everything that TABLE sees, after an action
/// and before a round end is booked.
pub fn public(table: &Table) -> [u8; 8] {
    first_of(hash(PUBLIC, |out| out.public(table)))
}

/// The label of the public digest.
const PUBLIC: &[u8] = b"canasta-public/1\0";

/// Returns the first bytes of a hash, which are the public digest.
fn first_of(hash: [u8; 32]) -> [u8; 8] {
    *hash.first_chunk().expect("a hash is longer than eight bytes")
}

/// Returns the public digest as [`public`] does, of a table that is just dealt, as if these threes were laid (by seat)
/// and these cards lay in the pile; the stock has the cards that are left.
pub fn public_if_shown(table: &Table, laid: &[Cards], pile: &[Card]) -> [u8; 8] {
    let lying = |pile: &[Card], laid: u16| pile.len() as u16 + laid;
    let before = lying(table.pile(), laid_count(table));
    let after = lying(pile, laid.iter().map(Cards::len).sum());
    let stock = (table.stock_len() + before).saturating_sub(after);
    first_of(hash(PUBLIC, |out| {
        out.table(table);
        out.melds(table);
        laid.iter().for_each(|laid| out.set(laid));
        out.pile(pile, [pile.len() as u16, stock]);
        out.counts_and_rest(table);
    }))
}

/// Returns the full digest, over every fact of the table, at the same moment as the public digest.
pub fn full(table: &Table) -> [u8; 32] {
    hash(b"canasta-state/1\0", |out| {
        out.public(table);
        out.hidden(table, None);
    })
}

/// Returns the full digest of a table that is played from a transcript. An unknown card is hashed as a kind
/// of its own.
pub fn full_as_known(table: &Table, known: &Known) -> [u8; 32] {
    hash(b"canasta-state/1\0", |out| {
        out.public(table);
        out.hidden(table, Some(known));
    })
}

/// Returns SHA-256 over `label` and the bytes that `write` appends.
fn hash(label: &[u8], write: impl FnOnce(&mut Out<'_>)) -> [u8; 32] {
    hash_in(&mut { EMPTY }, label, write)
}

/// Returns SHA-256 as [`hash`] does; the bytes are gathered in `piece`.
fn hash_in(piece: &mut Piece, label: &[u8], write: impl FnOnce(&mut Out<'_>)) -> [u8; 32] {
    let mut pieces = Sha256::new();
    let receive = &mut |piece: &[u8]| pieces.update(piece);
    let mut out = Out::new(piece, receive);
    out.next(label.len()).copy_from_slice(label);
    write(&mut out);
    out.hash().unwrap_or_else(|| pieces.finalize().into())
}

impl Out<'_> {
    /// Appends P.
    fn public(&mut self, table: &Table) {
        self.table(table);
        self.melds_and_laid(table);
        self.rest(table);
    }

    fn melds_and_laid(&mut self, table: &Table) {
        self.melds(table);
        table.seats().for_each(|seat| self.set(table.laid(seat)));
    }

    /// Appends the bytes of P from the pile on.
    fn rest(&mut self, table: &Table) {
        self.pile(table.pile(), [table.round().start_len, table.stock_len()]);
        self.counts_and_rest(table);
    }

    /// Appends the pile, the length of its start and the number of cards in the stock.
    #[inline(always)]
    fn pile(&mut self, pile: &[Card], counts: [u16; 2]) {
        self.row(pile);
        self.u16s(2, counts.into_iter());
    }

    /// Appends the numbers of cards in hands and feet, and the facts of P after them.
    #[inline(always)]
    fn counts_and_rest(&mut self, table: &Table) {
        let seats = usize::from(table.set().seats);
        self.u16s(seats, table.seats().map(|seat| table.hand(seat).len()));
        let first = (0..seats).map(|seat| table.feet().get(seat).map_or(0, Cards::len));
        self.u16s(seats, first);
        for later in table.feet().chunks(seats).skip(1) {
            self.u16s(seats, later.iter().map(Cards::len));
        }
        self.u8(table.talons().len() as u8);
        for talon in table.talons() {
            self.u8(match talon.place {
                TalonPlace::Before(seat) => seat.0,
                TalonPlace::Centre => CENTRE,
                TalonPlace::Used => NONE,
            });
            self.u8(talon.cards.len() as u8);
        }
        self.question(table.turn().permission);
        match table.has_rulings() {
            true => self.rulings(table),
            false => self.put([0, 0]),
        }
        if table.set().ask_whom == AskWhom::All {
            self.u8(table.turn().answered.map_or(NONE, |answer| answer.by.0 | u8::from(answer.yes) << 7));
        }
        if table.set().undo_meld {
            self.tentative(table);
        }
        if table.set().side_choice == SideChoice::DrawnCards {
            table.seats().for_each(|seat| self.u8(table.player_on(seat)));
        }
        if table.set().pays_cuts() {
            self.u8(u8::from(table.round().cut.hands) | u8::from(table.round().cut.feet) << 1);
        }
        if table.set().last_three == LastThree::MeldNoDiscard {
            self.u8(table.turn().no_discard.into());
        }
        if table.set().courtesy != rules::Courtesy::Off {
            let (kind, seat) = match table.turn().courtesy {
                Courtesy::None => (0, NONE),
                Courtesy::Asked(to) => (1, to.0),
                Courtesy::Granted => (2, NONE),
                Courtesy::Refused(by) => (3, by.0),
            };
            self.put([kind, seat, table.round().courteous]);
        }
        self.last_discard(table);
    }

    /// Appends the facts that may still matter after the last discard (an offered talon, a call to reveal),
    /// and how the hand ended (a special hand, a last discard face down).
    fn last_discard(&mut self, table: &Table) {
        let (set, round) = (table.set(), &table.round());
        let seat = |seat: Option<Seat>| seat.map_or(NONE, |Seat(seat)| seat);
        if set.offers_talons() {
            self.u8(seat(round.offered));
        }
        if set.reveal {
            self.u8(seat(round.reveal));
        }
        if !set.special_hands.is_empty() {
            self.u8(round.special.map_or(NONE, |hand| hand as u8));
        }
        if set.final_face_down {
            self.u8(table.face_down().is_some().into());
        }
    }

    #[inline(always)]
    fn table(&mut self, table: &Table) {
        let round = table.round();
        // Before the first register the log does not say who deals.
        let is_open = table.phase() == Phase::Setup && round.over.is_none();
        let known = |seat: Seat| if is_open { 0 } else { seat.0 };
        self.u16s(2, [round.number, round.attempt].into_iter());
        self.put([
            known(round.dealer),
            table.phase() as u8,
            table.to_act().map_or(NONE, |Seat(seat)| seat),
            known(table.turn().seat),
            table.turn().source as u8,
            table.scores().len() as u8,
        ]);
        for &score in table.scores() {
            self.i32(score);
        }
        self.u8(table.set().seats);
        let sides = self.next(table.set().seats.into());
        sides.iter_mut().zip(table.seats()).for_each(|(place, seat)| *place = table.side_of(seat).0);
        self.u8(round.opened);
    }

    #[inline(always)]
    fn melds(&mut self, table: &Table) {
        self.u8(table.melds().len() as u8);
        for meld in table.melds() {
            let rank = meld.rank.map_or(NONE, |rank| rank as u8);
            self.put([meld.side.0, meld.id.0, meld.kind as u8, rank]);
            self.set(&meld.cards);
        }
    }

    /// Appends the loose cards (placed, not locked), the taken top and the restores of each side. All of them
    /// are public: everybody saw the cards laid and taken.
    fn tentative(&mut self, table: &Table) {
        self.u8(table.loose().len() as u8);
        for loose in table.loose() {
            self.u8(loose.meld.0);
            self.set(&loose.cards);
        }
        if table.set().pile_steps == PileSteps::Two {
            let top = table.taken_top();
            self.u8(top.map_or(NONE, |top| top.card.kind()));
            self.u8(u8::from(top.is_some_and(|top| top.meld.is_some())));
            self.u8(top.and_then(|top| top.meld).map_or(0, |id| id.0));
        }
        if table.set().pile_restore {
            for side in table.sides() {
                self.u16(table.restores(side));
            }
        }
    }

    fn question(&mut self, permission: Permission) {
        let (kind, about, seat) = match permission {
            Permission::None => (0, NONE, NONE),
            Permission::Pending { to } => (1, 0, to.0),
            Permission::Yes => (2, NONE, NONE),
            Permission::No { by } => (3, NONE, by.0),
        };
        self.put([kind, about, seat]);
    }

    /// Appends whether a dispute is open, and the penalties in force. If there was any ruling or signature,
    /// the last ruling's id, the signatures and the adjustments follow.
    fn rulings(&mut self, table: &Table) {
        let rulings = table.rulings();
        let ruled = rulings.last > 0 || rulings.signed > 0;
        self.u8(u8::from(rulings.dispute.is_some()) | u8::from(ruled) << 1);
        let stands = |kept: &&Kept| kept.standing != Standing::None;
        self.u8(rulings.kept.iter().filter(stands).count() as u8);
        for kept in rulings.kept.iter().filter(stands) {
            self.i32(kept.id as i32);
            match &kept.standing {
                Standing::None => {}
                Standing::Surcharge(by) => {
                    self.put([1, kept.side.0]);
                    self.i32(*by);
                }
                Standing::Penalty(seat, cards) => {
                    self.put([2, seat.0]);
                    self.set(cards);
                }
                Standing::Forfeit(seat, turns) => {
                    self.put([3, seat.0]);
                    self.u16(*turns);
                }
                Standing::Talon(seat, number) => self.put([5, seat.0, *number]),
                Standing::Lost(award) => {
                    self.put([4, kept.side.0]);
                    self.i32(*award);
                }
                Standing::Adjusted(points) => {
                    self.u8(6);
                    points.iter().for_each(|&points| self.i32(points));
                }
            }
        }
        if ruled {
            self.i32(rulings.last as i32);
            self.u8(rulings.signed);
            for &points in &rulings.adjustments {
                self.i32(points);
            }
        }
    }

    /// Appends the bytes of F that are not in P: the hidden zones, then the turn facts that are not needed to
    /// see the table. In a transcript, turn facts that depend on unknown cards are written as empty.
    fn hidden(&mut self, table: &Table, known: Option<&Known>) {
        match known {
            None => self.row(table.stock()),
            Some(_) => self.unknown(table.stock_len(), &Cards::EMPTY),
        }
        for seat in table.seats() {
            let hand = table.hand(seat);
            match known {
                None => self.set(hand),
                Some(known) => {
                    let mut shown = *hand;
                    shown.subtract(known.open(seat));
                    self.unknown(hand.len(), &shown);
                }
            }
        }
        self.u8(table.round().has_melded);
        self.u8(table.round().asked);
        for side in table.sides() {
            self.u8(table.round().next_id[side.index()]);
        }
        let turn = &table.turn();
        self.put([turn.melded_since_draw, turn.melded_before, turn.touched_old].map(u8::from));
        self.u8(turn.new_from);
        match table.round().over {
            None => self.put([NONE, NONE, 0]),
            Some(over) => {
                self.put([over.reason as u8, over.seat.map_or(NONE, |Seat(s)| s), u8::from(over.concealed)]);
            }
        }
        if table.set().marks_turns() {
            self.u8(table.round().played);
        }
        if table.set().marks_fresh_threes() {
            self.set(if known.is_none() { &turn.fresh } else { &Cards::EMPTY });
        }
        if table.set().discard_wilds == DiscardWilds::ForcedByDraw {
            self.u8((turn.all_wild_draw && known.is_none()).into());
        }
        for talon in table.talons() {
            match known {
                None => self.row(&talon.cards),
                Some(_) => self.unknown(talon.cards.len() as u16, &Cards::EMPTY),
            }
        }
        if table.set().final_face_down {
            self.u8(table.face_down().map_or(NONE, Card::kind));
        }
        for foot in table.feet() {
            match known {
                None => self.set(foot),
                Some(_) => self.unknown(foot.len(), &Cards::EMPTY),
            }
        }
    }

    /// Appends a set of `count` cards: those `shown`, then all others as unknown cards.
    fn unknown(&mut self, count: u16, shown: &Cards) {
        self.u16(count);
        self.kinds(shown);
        self.next(count.saturating_sub(shown.len()).into()).fill(UNKNOWN_CARD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_rules::card::Cards;

    use alloc::sync::Arc;
    use alloc::vec::Vec;
    use canasta_rules::rules::Rules;
    use canasta_rules::table::{Phase, Setup, Source};

    /// Checks the example of docs/LOG_FORMAT.md, whose bytes were written by hand.
    #[test]
    fn public_bytes_are_those_of_the_format() {
        let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
        let mut setup = Setup::new(rules, Seat(0));
        (setup.phase, setup.source) = (Phase::Play, Source::Stock);
        let king = Card::parse("Ks").expect("a card");
        setup.pile.push(king);
        setup.start_len = 1;
        let mut rest: Cards = setup.missing().into_iter().collect();
        for three in ["3h", "3h", "3d", "3d"].map(|t| Card::parse(t).expect("a card")) {
            rest.remove(three);
            setup.laid[1].insert(three);
        }
        let cards: Vec<Card> = rest.iter().collect();
        setup.hands[0] = cards[..12].iter().copied().collect();
        setup.stock = cards[12..].to_vec();
        let table = setup.into_table().expect("a position of 108 cards");
        let mut bytes = Vec::new();
        Out::collect(&mut |piece| bytes.extend_from_slice(piece), |out| out.public(&table));
        let mut expected =
            alloc::vec![0, 1, 0, 1, 3, 3, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 1, 0, 0];
        // Laid: none, four red threes (diamonds 13 + 2, hearts 26 + 2), none, none.
        expected.extend([0, 0, 0, 4, 15, 15, 28, 28, 0, 0, 0, 0]);
        // The pile (king of spades: 39 + 12), one card of it turned; 91 in the stock; hands 12 0 0 0; no feet.
        expected.extend([0, 1, 51, 0, 1, 0, 91, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        // No talon, no question, no dispute, no penalty.
        expected.extend([0, 0, NONE, NONE, 0, 0]);
        assert_eq!(bytes, expected);
    }
}
