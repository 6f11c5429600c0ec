//! Legal actions, in canonical form: a bounded list of [`steps()`], and [`all()`] of them.

use crate::action::{About, Action, As, CardList, Deal, Group, Groups, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards, Class, Rank};
use crate::check::{self, check};
use crate::rules::{BlackThreeMeld, MeldsPerRank};
use crate::seat::Seat;
use crate::state::{Permission, Phase, State};
use crate::way_out::{self, WayOut};
use alloc::vec::Vec;
use smallvec::SmallVec;

mod all;
mod canonical;
mod initial;

pub use all::{All, all, all_within};
pub use canonical::canonical;

/// The most steps that are ever listed.
pub const MAX_STEPS: usize = 4096;

/// What can be done now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    /// In canonical order, each accepted by `check`.
    pub actions: Vec<Action>,
    /// Whether some were left out: over [`MAX_STEPS`] in all, or over 512 initial batches.
    pub truncated: bool,
}

/// The bounded set of legal steps for whoever must act, in this order: answers; draw and end of round;
/// takes of the pile; the question; melds with one group (own melds by id, then new sets by rank, wilds,
/// black threes); minimal initial batches of several groups, smallest value first; batches that go out
/// now; discards by kind. Lowest suits are named where suits do not matter, naturals first.
///
/// Never empty while the game is on.
pub fn steps(state: &State) -> Steps {
    let mut steps = Steps::default();
    steps_into(state, &mut steps);
    steps
}

/// [`steps`] into a list that is cleared first, so that its memory is used again.
pub fn steps_into(state: &State, steps: &mut Steps) {
    steps.actions.clear();
    steps.truncated = false;
    match state.phase() {
        Phase::Deal => steps.actions.push(Action::Deal(Deal::default().into())),
        Phase::Asked => {
            steps.actions.extend([true, false].map(|yes| Action::Answer { yes }));
        }
        Phase::Start => Lister::new(state, steps).start(),
        Phase::Play => Lister::new(state, steps).play(),
        Phase::Setup | Phase::RoundOver | Phase::GameOver => {}
    }
    if steps.actions.len() > MAX_STEPS {
        steps.actions.truncate(MAX_STEPS);
        steps.truncated = true;
    }
}

/// On whose behalf the next action is proposed.
fn actor(state: &State) -> As {
    state.to_act().map_or(As::Table, As::Seat)
}

/// Cards of one rank or wilds chosen by count: naturals of a rank, twos, jokers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pick {
    naturals: u8,
    twos: u8,
    jokers: u8,
}

impl Pick {
    fn wilds(self) -> u8 {
        self.twos + self.jokers
    }

    fn len(self) -> u8 {
        self.naturals + self.wilds()
    }

    /// The cards: lowest suits, naturals first.
    fn cards(self, hand: &Cards, rank: Option<Rank>) -> CardList {
        let mut cards = CardList::new();
        if let Some(rank) = rank {
            push_lowest(&mut cards, hand, rank, self.naturals);
        }
        push_lowest(&mut cards, hand, Rank::Two, self.twos);
        push_lowest(&mut cards, hand, Rank::Joker, self.jokers);
        cards
    }
}

fn push_lowest(cards: &mut CardList, hand: &Cards, rank: Rank, mut count: u8) {
    if rank == Rank::Joker {
        cards.extend((0..count).map(|_| Card::JOKER));
        return;
    }
    for suit in 0..4 {
        let card = Card::suited(suit, rank);
        let here = hand.count(card).min(count);
        cards.extend((0..here).map(|_| card));
        count -= here;
    }
}

struct Lister<'a> {
    state: &'a State,
    steps: &'a mut Steps,
    seat: Seat,
    hand: &'a Cards,
    twos: u8,
    jokers: u8,
    /// Whether single steps must be asked of `check`: after "yes", and where wilds may be locked.
    ask_check: bool,
}

impl<'a> Lister<'a> {
    fn new(state: &'a State, steps: &'a mut Steps) -> Self {
        let seat = state.turn.seat;
        let hand = state.hand(seat);
        let ask_check = state.turn.permission == Permission::Yes || state.set().wild_lock;
        let (twos, jokers) = (hand.rank_count(Rank::Two), hand.rank_count(Rank::Joker));
        Self { state, steps, seat, hand, twos, jokers, ask_check }
    }

    fn start(&mut self) {
        if !self.state.stock.is_empty() {
            self.steps.actions.push(Action::DrawStock);
        } else if !check::must_take(self.state) {
            self.steps.actions.push(Action::EndRound);
        }
        let Some(&top) = self.state.pile.last() else { return };
        if top.class() != Class::Natural || check::one_card_forbidden(self.state, self.seat.index()) {
            return;
        }
        if self.state.opened(self.state.side_of(self.seat)) {
            self.takes(top);
        } else {
            initial::takes(self, top);
        }
    }

    /// Takes by a side that has opened: one group, and where little is picked up, those that go out.
    fn takes(&mut self, top: Card) {
        let (state, rank) = (self.state, top.rank());
        let side = state.side_of(self.seat);
        let (_, receives) = check::receivers(state, side, rank);
        let held = self.hand.rank_count(rank);
        if held < 2 && !check::entitled(state, side, receives, held, self.twos + self.jokers) {
            return;
        }
        let small = self.hand.len() + state.pile.len() as u16 <= 24 && state.pile.len() <= 3;
        let targets = self.top_targets(rank);
        for pick in self.picks(held) {
            if !check::entitled(state, side, receives, pick.naturals, pick.wilds()) {
                continue;
            }
            for &onto in &targets {
                let with = pick.cards(self.hand, Some(rank));
                let take = TakePile { with, onto, also: Default::default() };
                if small {
                    self.take_and_go_out(&take, top);
                }
                self.offer_checked(Action::TakePile(take));
            }
        }
    }

    /// The targets of a top of this rank.
    fn top_targets(&self, rank: Rank) -> SmallVec<[Onto; 3]> {
        let own = self.state.melds_of(self.state.side_of(self.seat)).filter(|m| m.rank == Some(rank));
        let mut targets: SmallVec<[Onto; 3]> = own.map(|m| Onto::Meld { side: None, id: m.id }).collect();
        if targets.is_empty() || self.state.set().melds_per_rank != MeldsPerRank::One {
            targets.push(Onto::New);
        }
        targets
    }

    fn take_and_go_out(&mut self, take: &TakePile, top: Card) {
        let Some(way) = way_out::with_take(self.state, take, top) else { return };
        let also = self.groups(&way);
        self.offer_canonical(&Action::TakePile(TakePile { also, ..take.clone() }));
    }

    fn groups(&self, way: &WayOut) -> Groups {
        let group = |(target, kind, cards): &(Option<u8>, MeldKind, CardList)| {
            let onto = target
                .map_or(Onto::New, |at| Onto::Meld { side: None, id: self.state.melds[usize::from(at)].id });
            Group { kind: *kind, onto, top: false, cards: cards.clone() }
        };
        let mut groups = way.groups.iter().map(group).collect();
        canonical::sort(&mut groups);
        groups
    }

    fn play(&mut self) {
        if check::may_ask(self.state) {
            let about = About::GoOut;
            for to in self.state.mates(self.seat) {
                self.steps.actions.push(Action::Ask { about, to: Some(to) });
            }
        }
        if self.state.opened(self.state.side_of(self.seat)) {
            self.single_melds();
        } else {
            initial::melds(self);
        }
        self.ways_out();
        self.discards();
    }

    /// Every pick of up to `held` naturals with any wilds, smallest first; the empty pick included.
    fn picks(&self, held: u8) -> impl Iterator<Item = Pick> + use<> {
        let (twos, jokers) = (self.twos, self.jokers);
        (0..=held).flat_map(move |naturals| {
            (0..=twos).flat_map(move |t| (0..=jokers).map(move |j| Pick { naturals, twos: t, jokers: j }))
        })
    }

    fn single_melds(&mut self) {
        let state = self.state;
        let (set, side) = (state.set(), state.side_of(self.seat));
        for meld in state.melds_of(side) {
            let onto = Onto::Meld { side: None, id: meld.id };
            let wilds = meld.wilds();
            let old = (meld.len() as u8 - wilds, wilds);
            match (meld.kind, meld.rank) {
                (MeldKind::Set, Some(rank)) => {
                    for pick in self.picks(self.hand.rank_count(rank)).filter(|p| p.len() > 0) {
                        if check::may_grow(set, old, (pick.naturals, pick.wilds())) {
                            self.offer_set(Some(meld.grade(set).is_some()), old, pick, rank, onto);
                        }
                    }
                }
                (MeldKind::Wild, _) => self.wild_groups(onto),
                _ => {}
            }
        }
        for rank in Rank::NATURAL {
            let held = self.hand.rank_count(rank);
            if held < set.min_naturals || !self.may_begin(rank) {
                continue;
            }
            for pick in self.picks(held).filter(|p| check::is_set(set, p.naturals, p.wilds())) {
                self.offer_set(None, (0, 0), pick, rank, Onto::New);
            }
        }
        if set.wild_melds && !state.melds_of(side).any(|m| m.kind == MeldKind::Wild && m.grade(set).is_none())
        {
            self.wild_groups(Onto::New);
        }
        self.black_threes();
    }

    fn may_begin(&self, rank: Rank) -> bool {
        let (state, set) = (self.state, self.state.set());
        let mut own = state.melds_of(state.side_of(self.seat)).filter(|m| m.rank == Some(rank));
        match set.melds_per_rank {
            MeldsPerRank::One => own.next().is_none(),
            MeldsPerRank::OneOpen => own.all(|m| m.grade(set).is_some()),
            MeldsPerRank::Many => true,
        }
    }

    /// Offers a well-formed set if the hand that stays is legal. `grown` tells whether the target was
    /// complete before; `None` for a new meld.
    fn offer_set(&mut self, grown: Option<bool>, old: (u8, u8), pick: Pick, rank: Rank, onto: Onto) {
        let set = self.state.set();
        let stays = self.hand.len() - u16::from(pick.len());
        let plain =
            stays >= 2 && !self.ask_check && set.opp_canasta_rank == crate::rules::OppCanastaRank::Allow;
        let small = stays < 2 && self.may_end_with(grown, old, pick);
        if !plain && !small && !(stays >= 2) {
            return;
        }
        let cards = pick.cards(self.hand, Some(rank));
        let group = Group { kind: MeldKind::Set, onto, top: false, cards };
        let action = Action::Meld(core::iter::once(group).collect());
        if plain { self.steps.actions.push(action) } else { self.offer_checked(action) }
    }

    /// A quick bound for going out with this group: the canastas could suffice.
    fn may_end_with(&self, grown: Option<bool>, old: (u8, u8), pick: Pick) -> bool {
        let set = self.state.set();
        let mut canastas = self.state.canastas(self.state.side_of(self.seat));
        let size = old.0 + old.1 + pick.len();
        if grown != Some(true) && size >= set.canasta_size {
            canastas.total += 1;
        }
        canastas.total >= set.go_out_total
    }

    fn wild_groups(&mut self, onto: Onto) {
        for pick in self.picks(0).filter(|p| p.len() > 0) {
            let group = Group { kind: MeldKind::Wild, onto, top: false, cards: pick.cards(self.hand, None) };
            self.offer_checked(Action::Meld(core::iter::once(group).collect()));
        }
    }

    /// Black threes go only with the last cards.
    fn black_threes(&mut self) {
        let held = self.hand.black_threes();
        let stays = self.hand.len() - u16::from(held);
        if self.state.set().black_three_meld != BlackThreeMeld::GoingOut || stays > 1 {
            return;
        }
        let side = self.state.side_of(self.seat);
        let own = self.state.melds_of(side).find(|m| m.kind == MeldKind::BlackThrees);
        let onto = own.map_or(Onto::New, |m| Onto::Meld { side: None, id: m.id });
        for count in 1..=held {
            let mut cards = CardList::new();
            push_lowest_black(&mut cards, self.hand, count);
            let group = Group { kind: MeldKind::BlackThrees, onto, top: false, cards };
            self.offer_checked(Action::Meld(core::iter::once(group).collect()));
        }
    }

    /// Batches of several groups that empty the hand, one for every final discard that allows one.
    fn ways_out(&mut self) {
        let table = way_out::Table::of(self.state);
        let opened = self.state.opened(self.state.side_of(self.seat));
        for way in way_out::ways(&table) {
            if way.groups.len() >= 2 || (way.groups.len() == 1 && !opened) {
                self.offer_checked(Action::Meld(self.groups(&way)));
            }
        }
    }

    fn discards(&mut self) {
        if self.hand.len() == 1 {
            let canastas = self.state.canastas(self.state.side_of(self.seat));
            if !check::may_go_out(self.state, canastas) {
                return;
            }
        } else if self.state.turn.permission == Permission::Yes {
            return;
        }
        self.steps.actions.extend(self.hand.kinds().map(|(card, _)| Action::Discard(card)));
    }

    fn offer_checked(&mut self, action: Action) {
        if check(self.state, As::Seat(self.seat), &action).is_ok() && !self.steps.actions.contains(&action) {
            self.steps.actions.push(action);
        }
    }

    /// For an action whose groups may have to be merged.
    fn offer_canonical(&mut self, action: &Action) {
        if let Ok(legal) = check(self.state, As::Seat(self.seat), action) {
            let action = canonical::form(self.state, action, legal);
            if !self.steps.actions.contains(&action) {
                self.steps.actions.push(action);
            }
        }
    }
}

fn push_lowest_black(cards: &mut CardList, hand: &Cards, mut count: u8) {
    for suit in [0, 3] {
        let card = Card::suited(suit, Rank::Three);
        let here = hand.count(card).min(count);
        cards.extend((0..here).map(|_| card));
        count -= here;
    }
}
