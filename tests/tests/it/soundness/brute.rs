//! All legal actions, found by trying everything. This module shares with `legal` only the judge, `check`, and, if a
//! canasta that closes lets wilds overflow, the canonical form.

use canasta_engine::action::{About, Action, CardList, Group, Groups, MeldKind, Onto, SpecialHand, TakePile};
use canasta_engine::card::{Card, Class, Rank};
use canasta_engine::check::permits;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::{CanastaAccepts, MeldCheck, MeldsPerRank, TakeLayoff};
use canasta_engine::table::{Meld, Phase};
use canasta_tests::games::actor;
use canasta_tests::notation::line;
use std::collections::BTreeSet;

/// Returns an action's text with groups and cards in one order, so that equal actions have equal texts.
pub fn key(action: &Action) -> String {
    let sorted = |group: &Group| {
        let mut group = group.clone();
        group.cards.sort_by_key(|card| (card.is_wild(), *card));
        group
    };
    let tidy = |groups: &Groups| -> Groups {
        let mut groups: Vec<Group> = groups.iter().map(sorted).collect();
        groups.sort_by_key(|g| format!("{:?}", (g.onto, g.kind, g.top, &g.cards)));
        groups.into_iter().collect()
    };
    line(&match action {
        Action::Meld(groups) => Action::Meld(tidy(groups)),
        Action::TakePile(take) => {
            let mut with = take.with.clone();
            with.sort_by_key(|card| (card.is_wild(), *card));
            Action::TakePile(TakePile { with, onto: take.onto, also: tidy(&take.also) })
        }
        Action::UndoMeld { meld, cards } => {
            let mut cards = cards.clone();
            cards.sort_by_key(|card| (card.is_wild(), *card));
            Action::UndoMeld { meld: *meld, cards }
        }
        other => other.clone(),
    })
}

/// The place into which a card may be put.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Label {
    Hand,
    /// With the top card.
    Top,
    /// Index of a meld.
    Own(usize),
    /// A new meld, by number.
    New(usize),
}

struct Trial<'a> {
    state: &'a Game,
    /// The target of the top; `None` for a meld action.
    top: Option<Onto>,
    placed: Vec<(Card, Label)>,
    found: BTreeSet<String>,
    tried: u64,
}

/// Tries every way to put the cards of the hand anywhere, regardless of rules: kept, with the top, onto any own meld,
/// or in any number of new groups. Returns the texts of all legal actions; `None` if there are more than `limit`
/// ways.
pub fn exhaustive(state: &Game, limit: u64) -> Option<BTreeSet<String>> {
    run(state, limit, |trial, cards| anywhere(trial, cards, 0, limit))
}

/// Tries fewer ways than [`exhaustive`]: naturals go only where their rank is, or to the sequence of their suit,
/// threes go together, and at most two new melds are begun per kind and rank, or suit.
pub fn by_kind(state: &Game, limit: u64) -> Option<BTreeSet<String>> {
    // If groups may have any shape until they are tested, two melds per rank are too few.
    if state.table.set().meld_check == MeldCheck::AtDiscard && state.table.phase() != Phase::Start {
        return None;
    }
    run(state, limit, |trial, cards| {
        let labels: Vec<Vec<Label>> = cards.iter().map(|&card| homes(trial, cards, card)).collect();
        by_labels(trial, cards, &labels, limit)
    })
}

fn run(
    state: &Game,
    limit: u64,
    search: impl Fn(&mut Trial<'_>, &[Card]) -> Option<()>,
) -> Option<BTreeSet<String>> {
    let seat = state.table.turn_seat();
    let mut trial = Trial { state, top: None, placed: Vec::new(), found: BTreeSet::new(), tried: 0 };
    let answers = [true, false].map(|yes| Action::Answer { yes });
    let plain = [
        Action::DrawStock,
        Action::EndRound,
        Action::Pass,
        Action::TakeTop,
        Action::RestorePile,
        Action::TakeTalon,
    ];
    let special = [SpecialHand::Straight, SpecialHand::Pairs, SpecialHand::Garbage].map(Action::SpecialHand);
    let reveals = state.table.seats().map(|of| Action::CallReveal { of });
    for action in plain.into_iter().chain(answers).chain(special).chain(reveals) {
        trial.attempt(action);
    }
    take_back(&mut trial);
    lay_threes(&mut trial);
    for to in state.table.seats() {
        let ask = Action::Ask { about: About::GoOut, to: Some(to), with: None };
        // If all mates are asked, or any of them, naming either mate is the same question.
        if legal::canonical(&state.table, &ask) == ask {
            trial.attempt(ask);
        }
    }
    trial.attempt(Action::Ask { about: About::Courtesy, to: None, with: None });
    Card::all().for_each(|card| trial.attempt(Action::Discard(card)));
    let ids: Vec<_> = own_melds(state).map(|(_, m)| m.id).collect();
    let pairs = ids.iter().flat_map(|&a| ids.iter().map(move |&b| (a, b)));
    for (a, b) in pairs.filter(|(a, b)| a < b) {
        trial.attempt(Action::MergeMelds { a, b });
    }
    let cards: Vec<Card> = state.table.hand(seat).iter().collect();
    match state.table.phase() {
        Phase::Play => search(&mut trial, &cards)?,
        Phase::Taking => {
            search(&mut trial, &cards)?;
            let own = own_melds(state).map(|(_, m)| Onto::Meld { side: None, id: m.id });
            let targets: Vec<Onto> = own.chain([Onto::New]).collect();
            for onto in targets {
                trial.top = Some(onto);
                search(&mut trial, &cards)?;
            }
        }
        Phase::Start => {
            let own = own_melds(state).map(|(_, m)| Onto::Meld { side: None, id: m.id });
            let targets: Vec<Onto> = own.chain([Onto::New]).collect();
            for onto in targets {
                trial.top = Some(onto);
                search(&mut trial, &cards)?;
            }
        }
        _ => {}
    }
    (trial.tried <= limit).then_some(trial.found)
}

/// Tries to take back every part of every own meld.
fn take_back(trial: &mut Trial<'_>) {
    if trial.state.table.set().undo_meld {
        let melds: Vec<_> = own_melds(trial.state).map(|(_, m)| (m.id, m.cards)).collect();
        for (meld, all) in melds {
            let parts = parts(all.kinds());
            parts.into_iter().for_each(|cards| trial.attempt(Action::UndoMeld { meld, cards }));
        }
    }
}

/// Tries to lay every part of the threes that are held.
fn lay_threes(trial: &mut Trial<'_>) {
    let hand = trial.state.table.hand(trial.state.table.turn_seat());
    let parts = parts(hand.kinds().filter(|(card, _)| card.rank() == Rank::Three));
    for part in parts {
        // Threes behind one that ends the round are not laid: to name them says nothing more.
        let (named, action) = (part.len(), Action::LayThrees(part));
        let canonical = legal::canonical(&trial.state.table, &action);
        if matches!(canonical, Action::LayThrees(laid) if laid.len() == named) {
            trial.attempt(action);
        }
    }
}

/// Returns every part, except the empty one, of these cards, given by kind and number.
fn parts(cards: impl Iterator<Item = (Card, u8)>) -> Vec<CardList> {
    let mut parts: Vec<CardList> = vec![CardList::new()];
    for (card, count) in cards {
        let with = |part: &CardList| -> Vec<CardList> {
            (0..=usize::from(count))
                .map(|n| part.iter().copied().chain(std::iter::repeat_n(card, n)).collect())
                .collect()
        };
        parts = parts.iter().flat_map(with).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn own_melds(state: &Game) -> impl Iterator<Item = (usize, &Meld)> {
    let side = state.table.side_of(state.table.turn_seat());
    state.table.melds().iter().enumerate().filter(move |(_, m)| m.side == side)
}

impl Trial<'_> {
    fn attempt(&mut self, action: Action) {
        self.tried += 1;
        if permits(&self.state.table, actor(self.state), &action).is_some() {
            // Wilds that overflow into a new meld, and cards that follow a top, may be named in many ways: only the
            // judge's placement counts.
            if self.overflows() || self.follows() {
                self.found.insert(key(&legal::canonical(&self.state.table, &action)));
                return;
            }
            assert!(self.found.insert(key(&action)) || self.placed.len() > 1, "tried twice: {action:?}");
        }
    }

    fn overflows(&self) -> bool {
        let set = self.state.table.set();
        set.wild_melds && set.wild_meld_max == 0 && set.canasta_accepts == CanastaAccepts::Naturals
    }

    /// Whether cards that are named with the top can differ from cards that follow the top onto its meld
    /// (clarification 29).
    fn follows(&self) -> bool {
        let set = self.state.table.set();
        let closes =
            set.canasta_accepts == CanastaAccepts::Naturals || set.take_result_max + set.meld_max > 0;
        closes && set.take_layoff != TakeLayoff::Never && self.top.is_some()
    }

    /// Whether the top goes to this meld, so that cards for the meld are named in `with`. Not for a sequence, and not
    /// if cards may follow the top onto any meld.
    fn is_tops(&self, meld: &Meld) -> bool {
        meld.kind != MeldKind::Sequence
            && !self.follows()
            && self.top == Some(Onto::Meld { side: None, id: meld.id })
    }

    /// Builds the action from the labels and tries it.
    fn finish(&mut self) {
        let mut groups: Vec<(Label, Group)> = Vec::new();
        let mut with = Vec::new();
        for &(card, label) in &self.placed {
            let (kind, onto) = match label {
                Label::Hand => continue,
                Label::Top => {
                    with.push(card);
                    continue;
                }
                Label::Own(at) => {
                    let meld = &self.state.table.melds()[at];
                    (meld.kind, Onto::Meld { side: None, id: meld.id })
                }
                Label::New(_) => (MeldKind::Wild, Onto::New),
            };
            match groups.iter_mut().find(|(l, _)| *l == label) {
                Some((_, group)) => group.cards.push(card),
                None => {
                    let cards = std::iter::once(card).collect();
                    groups.push((label, Group { kind, onto, top: false, cards }));
                }
            }
        }
        let groups: Groups = groups.into_iter().map(|(_, group)| named(group)).collect();
        match self.top {
            Some(onto) if self.state.table.phase() == Phase::Taking => {
                let kind = MeldKind::Set;
                let group = Group { kind, onto, top: true, cards: with.into_iter().collect() };
                self.attempt(Action::Meld([group].into_iter().chain(groups).collect()));
            }
            Some(onto) => {
                let with = with.into_iter().collect();
                self.attempt(Action::TakePile(TakePile { with, onto, also: groups }));
            }
            None if groups.is_empty() => {}
            None => self.attempt(Action::Meld(groups)),
        }
    }
}

/// Returns the group; a new group gets the kind that its cards have.
fn named(mut group: Group) -> Group {
    if group.onto == Onto::New {
        let has = |class| group.cards.iter().any(|card| card.class() == class);
        let ranks: BTreeSet<_> =
            group.cards.iter().filter(|c| c.class() == Class::Natural).map(|c| c.rank()).collect();
        group.kind = if ranks.len() > 1 && !has(Class::Wild) {
            MeldKind::Sequence
        } else if has(Class::Natural) {
            MeldKind::Set
        } else if has(Class::BlackThree) {
            MeldKind::BlackThrees
        } else {
            MeldKind::Wild
        };
    }
    group
}

/// Tries all labels for the remaining cards. Equal cards take labels in ascending order, and new groups are numbered
/// as they appear. Returns `None` beyond the limit.
fn anywhere(trial: &mut Trial<'_>, cards: &[Card], used: usize, limit: u64) -> Option<()> {
    if trial.tried > limit {
        return None;
    }
    let at = trial.placed.len();
    let Some(&card) = cards.get(at) else {
        trial.finish();
        return Some(());
    };
    let mut labels = vec![Label::Hand];
    labels.extend(trial.top.map(|_| Label::Top));
    labels.extend(own_melds(trial.state).filter(|(_, m)| !trial.is_tops(m)).map(|(at, _)| Label::Own(at)));
    labels.extend((0..=used).map(Label::New));
    let from = match trial.placed.last() {
        Some(&(last, label)) if last == card => labels.iter().position(|&l| l == label).unwrap_or(0),
        _ => 0,
    };
    for &label in &labels[from..] {
        trial.placed.push((card, label));
        let used = used + usize::from(label == Label::New(used));
        anywhere(trial, cards, used, limit)?;
        trial.placed.pop();
    }
    Some(())
}

/// Returns the labels for one card if naturals keep to their rank. New melds have two numbers per rank.
fn homes(trial: &Trial<'_>, cards: &[Card], card: Card) -> Vec<Label> {
    let state = trial.state;
    let several = state.table.set().melds_per_rank != MeldsPerRank::One;
    let fresh = |number: usize| {
        let second = several.then_some(Label::New(2 * number + 1));
        [Some(Label::New(2 * number)), second].into_iter().flatten()
    };
    let mut labels = vec![Label::Hand];
    let wild = card.is_wild();
    let pending = state.table.taken_top().map(|top| top.card);
    let top = pending.or(state.table.pile().last().copied()).filter(|_| trial.top.is_some());
    if top.is_some_and(|top| wild || top.rank() == card.rank()) {
        labels.push(Label::Top);
    }
    let takes = |m: &Meld| match m.kind {
        MeldKind::Set => wild || m.rank == Some(card.rank()),
        MeldKind::Wild => wild,
        MeldKind::Sequence => {
            card.class() == Class::Natural && m.cards.iter().all(|c| c.suit() == card.suit())
        }
        MeldKind::BlackThrees => card.class() == Class::BlackThree,
    };
    let own = own_melds(state).filter(|(_, m)| takes(m) && !trial.is_tops(m));
    labels.extend(own.map(|(at, _)| Label::Own(at)));
    if wild {
        let mut ranks: Vec<usize> =
            cards.iter().filter(|c| c.class() == Class::Natural).map(|c| c.rank().index()).collect();
        ranks.dedup();
        ranks.sort_unstable();
        ranks.dedup();
        labels.extend(ranks.into_iter().flat_map(fresh));
        labels.extend(fresh(20));
    } else {
        labels.extend(fresh(card.rank().index()));
        let suit = card.suit().filter(|_| card.class() == Class::Natural && state.table.set().sequences);
        for suit in suit.into_iter().map(usize::from) {
            labels.extend([2 * (30 + suit), 2 * (30 + suit) + 1].map(Label::New));
        }
    }
    labels
}

fn by_labels(trial: &mut Trial<'_>, cards: &[Card], labels: &[Vec<Label>], limit: u64) -> Option<()> {
    // The number of assignments: equal cards count as combinations.
    let mut ways = 1.0;
    let mut copies = 1.0;
    for (i, homes) in labels.iter().enumerate() {
        copies = if i > 0 && cards[i] == cards[i - 1] { copies + 1.0 } else { 1.0 };
        ways *= (homes.len() as f64 + copies - 1.0) / copies;
    }
    if ways > limit as f64 {
        return None;
    }
    step(trial, cards, labels)
}

fn step(trial: &mut Trial<'_>, cards: &[Card], labels: &[Vec<Label>]) -> Option<()> {
    let at = trial.placed.len();
    let Some(&card) = cards.get(at) else {
        trial.finish();
        return Some(());
    };
    let from = match trial.placed.last() {
        Some(&(last, label)) if last == card => labels[at].iter().position(|&l| l == label).unwrap_or(0),
        _ => 0,
    };
    for &label in &labels[at][from..] {
        trial.placed.push((card, label));
        step(trial, cards, labels)?;
        trial.placed.pop();
    }
    Some(())
}
