//! Public and full digest of a state (docs/LOG_FORMAT.md lists the bytes).
//!
//! Neither holds game id, rule set, n, seq, head, secrets, expiry or times; the public one holds
//! nothing that a hidden card decided.

use super::known::Known;
use super::wire::UNKNOWN_CARD;
use crate::card::{Card, Cards};
use crate::rules::{self, AskWhom, DiscardWilds, LastThree, PileSteps, SideChoice};
use crate::seat::Seat;
use crate::state::{Courtesy, Kept, Permission, Phase, Standing, State, TalonPlace};
use alloc::vec::Vec;
use sha2::{Digest, Sha256};
use smallvec::SmallVec;

/// Stands for "none" where a seat, side or rank is expected.
const NONE: u8 = 0xff;
/// Stands for a seat where a talon lies in the centre.
const CENTRE: u8 = 0xfe;

type Bytes = SmallVec<[u8; 512]>;

/// First 8 bytes of the digest over what TABLE sees: after an action, before a round end is booked.
pub fn public(state: &State) -> [u8; 8] {
    let mut out = Out(Bytes::new());
    out.public(state);
    let digest = Sha256::new().chain_update(b"canasta-public/1\0").chain_update(&out.0).finalize();
    digest[..8].try_into().expect("eight bytes are eight bytes")
}

/// The digest over everything, at the same moment.
pub fn full(state: &State) -> [u8; 32] {
    let mut out = Out(Bytes::new());
    out.public(state);
    out.hidden(state, None);
    Sha256::new().chain_update(b"canasta-state/1\0").chain_update(&out.0).finalize().into()
}

/// The digest over everything that a transcript knows: unknown cards count, as a kind of their own.
pub fn full_as_known(state: &State, known: &Known) -> [u8; 32] {
    let mut out = Out(Bytes::new());
    out.public(state);
    out.hidden(state, Some(known));
    Sha256::new().chain_update(b"canasta-state/1\0").chain_update(&out.0).finalize().into()
}

/// P, the bytes that the public digest is over.
pub fn public_bytes(state: &State) -> Vec<u8> {
    let mut out = Out(Bytes::new());
    out.public(state);
    out.0.into_vec()
}

struct Out(Bytes);

impl Out {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    fn row(&mut self, cards: &[Card]) {
        self.u16(cards.len() as u16);
        self.0.extend(cards.iter().map(|card| card.kind()));
    }

    fn set(&mut self, cards: &Cards) {
        self.u16(cards.len());
        for (card, count) in cards.kinds() {
            self.0.resize(self.0.len() + usize::from(count), card.kind());
        }
    }

    /// P.
    fn public(&mut self, state: &State) {
        self.table(state);
        self.melds(state);
        for seat in state.seats() {
            self.set(state.laid(seat));
        }
        self.row(&state.pile);
        self.u16(state.round.start_len);
        self.u16(state.stock_len());
        for seat in state.seats() {
            self.u16(state.hand(seat).len());
        }
        for seat in state.seats() {
            self.u16(state.foot(seat).len());
        }
        self.u8(state.talons.len() as u8);
        for talon in &state.talons {
            self.u8(match talon.place {
                TalonPlace::Before(seat) => seat.0,
                TalonPlace::Centre => CENTRE,
                TalonPlace::Used => NONE,
            });
            self.u8(talon.cards.len() as u8);
        }
        self.question(state.turn.permission);
        self.rulings(state);
        if state.set().ask_whom == AskWhom::All {
            self.u8(state.turn.answered.map_or(NONE, |answer| answer.by.0 | u8::from(answer.yes) << 7));
        }
        if state.set().undo_meld {
            self.tentative(state);
        }
        if state.set().side_choice == SideChoice::DrawnCards {
            state.seats().for_each(|seat| self.u8(state.player_on(seat)));
        }
        if state.set().pays_cuts() {
            self.u8(u8::from(state.round.cut.hands) | u8::from(state.round.cut.feet) << 1);
        }
        if state.set().last_three == LastThree::MeldNoDiscard {
            self.u8(state.turn.no_discard.into());
        }
        if state.set().courtesy != rules::Courtesy::Off {
            let (kind, seat) = match state.turn.courtesy {
                Courtesy::None => (0, NONE),
                Courtesy::Asked(to) => (1, to.0),
                Courtesy::Granted => (2, NONE),
                Courtesy::Refused(by) => (3, by.0),
            };
            self.0.extend([kind, seat, state.round.courteous]);
        }
        self.last_discard(state);
    }

    /// What may still be done about the last discard, and how a hand has ended.
    fn last_discard(&mut self, state: &State) {
        let (set, round) = (state.set(), &state.round);
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
            self.u8(state.face_down.is_some().into());
        }
    }

    fn table(&mut self, state: &State) {
        self.u16(state.round.number);
        self.u16(state.round.attempt);
        // Before the first register the log does not say who deals.
        let is_open = state.phase == Phase::Setup && state.round.over.is_none();
        let known = |seat: Seat| if is_open { 0 } else { seat.0 };
        self.u8(known(state.round.dealer));
        self.u8(state.phase as u8);
        self.u8(state.to_act().map_or(NONE, |Seat(seat)| seat));
        self.u8(known(state.turn.seat));
        self.u8(state.turn.source as u8);
        self.u8(state.scores().len() as u8);
        for &score in state.scores() {
            self.i32(score);
        }
        self.u8(state.set().seats);
        for seat in state.seats() {
            self.u8(state.side_of(seat).0);
        }
        self.u8(state.round.opened);
    }

    fn melds(&mut self, state: &State) {
        self.u8(state.melds.len() as u8);
        for meld in &state.melds {
            self.u8(meld.side.0);
            self.u8(meld.id.0);
            self.u8(meld.kind as u8);
            self.u8(meld.rank.map_or(NONE, |rank| rank as u8));
            self.set(&meld.cards);
        }
    }

    /// What is loose, the taken top and the restores of each side: they were laid and taken before all eyes.
    fn tentative(&mut self, state: &State) {
        self.u8(state.loose().len() as u8);
        for loose in state.loose() {
            self.u8(loose.meld.0);
            self.set(&loose.cards);
        }
        if state.set().pile_steps == PileSteps::Two {
            let top = state.taken_top();
            self.u8(top.map_or(NONE, |top| top.card.kind()));
            self.u8(u8::from(top.is_some_and(|top| top.meld.is_some())));
            self.u8(top.and_then(|top| top.meld).map_or(0, |id| id.0));
        }
        if state.set().pile_restore {
            for side in state.sides() {
                self.u16(state.restores(side));
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
        self.0.extend([kind, about, seat]);
    }

    /// The dispute and the penalties that stand, then totals of what was ruled, where anything was.
    fn rulings(&mut self, state: &State) {
        let rulings = state.rulings();
        let ruled = rulings.last > 0 || rulings.signed > 0;
        self.u8(u8::from(rulings.dispute.is_some()) | u8::from(ruled) << 1);
        let stands = |kept: &&Kept| kept.standing != Standing::None;
        self.u8(rulings.kept.iter().filter(stands).count() as u8);
        for kept in rulings.kept.iter().filter(stands) {
            self.i32(kept.id as i32);
            match &kept.standing {
                Standing::None => {}
                Standing::Surcharge(by) => {
                    self.0.extend([1, kept.side.0]);
                    self.i32(*by);
                }
                Standing::Penalty(seat, cards) => {
                    self.0.extend([2, seat.0]);
                    self.set(cards);
                }
                Standing::Forfeit(seat, turns) => {
                    self.0.extend([3, seat.0]);
                    self.u16(*turns);
                }
                Standing::Talon(seat, number) => self.0.extend([5, seat.0, *number]),
                Standing::Lost(award) => {
                    self.0.extend([4, kept.side.0]);
                    self.i32(*award);
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

    /// What F has beyond P: hidden zones, then the turn facts that no one needs to see the table.
    /// In a transcript nothing is said of turn facts that hang on unknown cards.
    fn hidden(&mut self, state: &State, known: Option<&Known>) {
        match known {
            None => self.row(&state.stock),
            Some(_) => self.unknown(state.stock_len(), &Cards::EMPTY),
        }
        for seat in state.seats() {
            let hand = state.hand(seat);
            match known {
                None => self.set(hand),
                Some(known) => {
                    let mut shown = *hand;
                    shown.subtract(known.open(seat));
                    self.unknown(hand.len(), &shown);
                }
            }
        }
        self.u8(state.round.has_melded);
        self.u8(state.round.asked);
        for side in state.sides() {
            self.u8(state.round.next_id[side.index()]);
        }
        let turn = &state.turn;
        self.0.extend([turn.melded_since_draw, turn.melded_before, turn.touched_old].map(u8::from));
        self.u8(turn.new_from);
        match state.round.over {
            None => self.0.extend([NONE, NONE, 0]),
            Some(over) => {
                self.0.extend([
                    over.reason as u8,
                    over.seat.map_or(NONE, |Seat(s)| s),
                    u8::from(over.concealed),
                ]);
            }
        }
        if state.set().marks_turns() {
            self.u8(state.round.played);
        }
        if state.set().marks_fresh_threes() {
            self.set(if known.is_none() { &turn.fresh } else { &Cards::EMPTY });
        }
        if state.set().discard_wilds == DiscardWilds::ForcedByDraw {
            self.u8((turn.all_wild_draw && known.is_none()).into());
        }
        for talon in &state.talons {
            match known {
                None => self.row(&talon.cards),
                Some(_) => self.unknown(talon.cards.len() as u16, &Cards::EMPTY),
            }
        }
        if state.set().final_face_down {
            self.u8(state.face_down.map_or(NONE, Card::kind));
        }
        for foot in &state.feet {
            match known {
                None => self.set(foot),
                Some(_) => self.unknown(foot.len(), &Cards::EMPTY),
            }
        }
    }

    /// Cards of which only these are known.
    fn unknown(&mut self, count: u16, shown: &Cards) {
        self.u16(count);
        for (card, copies) in shown.kinds() {
            self.0.resize(self.0.len() + usize::from(copies), card.kind());
        }
        let unknown = usize::from(count.saturating_sub(shown.len()));
        self.0.resize(self.0.len() + unknown, UNKNOWN_CARD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Cards;
    use crate::deal::{GameId, GameSecret};
    use crate::rules::Rules;
    use crate::state::{DealSource, Origin, Phase, Registration, Setup, Source};
    use alloc::sync::Arc;

    /// The example of docs/LOG_FORMAT.md, its bytes written by hand.
    #[test]
    fn public_bytes_are_those_of_the_format() {
        let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
        let origin = Origin {
            game_id: GameId([0; 16]),
            registration: Registration::Auto,
            source: DealSource::Seeded(GameSecret([0; 64])),
            expires_at: None,
        };
        let mut setup = Setup::new(rules, origin, Seat(0));
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
        let bytes = public_bytes(&setup.into_state().expect("a position of 108 cards"));
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
