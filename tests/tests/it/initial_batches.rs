//! The list of initial batches against all legal batches: it has exactly those from which nothing can be left out.

use canasta_engine::action::{Action, CardList, Groups, MeldKind};
use canasta_engine::card::{Cards, Class, Rank};
use canasta_engine::check::check;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rules::Rules;
use canasta_engine::table::{Phase, Table};
use canasta_tests::games::Rng;
use canasta_tests::notation::show;
use canasta_tests::reference;
use canasta_tests::work::{large, with_hand};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of hands per rule set and phase.
const HANDS: usize = 60;
/// Maximum number of cards in a hand.
const CARDS: usize = 12;
/// Maximum number of legal actions with which a position is compared.
const ACTIONS: usize = 20_000;

/// A batch by ranks: suits are free, except those of sequences. The first group is that of the top, without the top; without
/// a top it is empty.
type BatchShape = (Vec<Rank>, Vec<(MeldKind, Vec<(Rank, Option<u8>)>)>);

fn shape(action: &Action) -> Option<BatchShape> {
    let ranks = |cards: &CardList| {
        let mut ranks: Vec<Rank> = cards.iter().map(|card| card.rank()).collect();
        ranks.sort_unstable();
        ranks
    };
    let groups = |groups: &Groups| {
        let group = groups.iter().map(|group| {
            let suit =
                |card: &canasta_engine::card::Card| card.suit().filter(|_| group.kind == MeldKind::Sequence);
            let mut cards: Vec<_> = group.cards.iter().map(|card| (card.rank(), suit(card))).collect();
            cards.sort_unstable();
            (group.kind, cards)
        });
        let mut groups: Vec<_> = group.collect();
        groups.sort_unstable();
        groups
    };
    match action {
        Action::Meld(all) => Some((Vec::new(), groups(all))),
        Action::TakePile(take) => Some((ranks(&take.with), groups(&take.also))),
        _ => None,
    }
}

/// Returns the shapes without one card, and without one group except the top's.
fn smaller((with, groups): &BatchShape) -> Vec<BatchShape> {
    let mut all = Vec::new();
    for at in 0..with.len() {
        let mut less = with.clone();
        less.remove(at);
        all.push((less, groups.clone()));
    }
    for at in 0..groups.len() {
        let mut without = groups.clone();
        let (kind, cards) = without.remove(at);
        for card in 0..cards.len() {
            let mut less = cards.clone();
            less.remove(card);
            let mut rest = without.clone();
            rest.push((kind, less));
            rest.sort_unstable();
            all.push((with.clone(), rest));
        }
        all.push((with.clone(), without));
    }
    all
}

/// Returns a hand that is rich in pairs and wilds.
fn hand(rules: &Rules, rng: &mut Rng) -> Cards {
    let (mut rest, mut hand) = (rules.census(), Cards::EMPTY);
    let ranks: Vec<Rank> = (0..4).map(|_| Rank::NATURAL[rng.below(Rank::NATURAL.len())]).collect();
    let size = 6 + rng.below(CARDS - 5);
    while usize::from(hand.len()) < size {
        let all: Vec<_> = rest.iter().collect();
        let card = all[rng.below(all.len())];
        let fits = ranks.contains(&card.rank()) || card.is_wild() || rng.below(12) == 0;
        if fits && card.class() != Class::RedThree && rest.remove(card) {
            hand.insert(card);
        }
    }
    hand
}

/// Compares the list of a table with the legal actions. Returns the number of batches.
fn compare(table: &Table) -> usize {
    let mut all = BTreeSet::new();
    for (count, action) in reference::all(table).enumerate() {
        if count == ACTIONS {
            return 0;
        }
        all.extend(shape(&action));
    }
    // Ways to go out are listed too, with or without a minimum.
    let held = usize::from(table.hand(table.turn_seat()).len());
    let stays = |(with, groups): &BatchShape| {
        let laid: usize = groups.iter().map(|(_, cards)| cards.len()).sum();
        held - with.len() - laid >= 2
    };
    let minimal = |shape: &&BatchShape| smaller(shape).iter().all(|less| !all.contains(less));
    let expected: BTreeSet<&BatchShape> = all.iter().filter(|shape| stays(shape)).filter(minimal).collect();
    let listed: Vec<BatchShape> = legal::steps(table).actions.iter().filter_map(shape).collect();
    let found: BTreeSet<&BatchShape> = listed.iter().filter(|shape| stays(shape)).collect();
    assert_eq!(found, expected, "{}", show(table));
    found.len()
}

#[test]
fn the_list_has_every_minimal_batch() {
    // Where laid cards may return, batches are judged at the end of the turn.
    let presets = ["classic-4p", "american-4p", "s3-4p", "gr-4p", "samba-4p", "bolivia-4p", "wahhi-4p"];
    let presets = presets.map(|preset| Arc::new(Rules::preset(preset).expect("a preset")));
    let mut rng = Rng(1);
    for rules in presets.into_iter().chain([large("classic-4p", &[("initial_bonus", "true")])]) {
        let mut batches = 0;
        for phase in [Phase::Play, Phase::Start] {
            for _ in 0..HANDS {
                let Some(setup) = with_hand(&rules, hand(&rules, &mut rng), phase) else { continue };
                let Ok(table) = setup.into_table() else { continue };
                batches += compare(&table);
            }
        }
        assert!(batches > 50, "{}: {batches} batches", rules.id());
    }
}

/// Checks that cards which are no meld without the top are not listed as a batch of their own where only melds from the hand
/// count and no points are due (MA-063, MA-102), whatever content the batch must have. With another meld from the hand they
/// are.
#[test]
fn a_bare_pair_needs_a_meld_from_the_hand() {
    let takes = |content: &str, hand: &str| {
        let position = format!(
            "s3-4p initial_count=hand_melds initial_content={content}; score 1325 -105; round 3; dealer W; to move E; hand E {hand}; \
             hand N Kc Jh; hand S Tc 6d; hand W Kd Kd; melds NS 8s8h8d8d2h; pile Qd 5h 6s"
        );
        let setup = Position::parse(&position).expect("a position").setup();
        let table = setup.into_table().expect("a position that can arise");
        let steps = legal::steps(&table).actions;
        for step in &steps {
            assert!(check(&table, legal::actor(&table), step).is_ok(), "{step:?}");
        }
        steps.iter().filter(|step| matches!(step, Action::TakePile(_))).count()
    };
    for content in ["none", "triple_or_wild", "clean_or_wild"] {
        assert_eq!(takes(content, "6s 6h Ad Ks 9h 7s"), 0, "the pair and the top are no meld from the hand");
        assert_eq!(takes(content, "6s 6h 4d 4s 4c 7s 9s"), 1, "with three fours they are");
    }
}
