//! Actions that name one card hundreds of times: every list of a request or a log may have 324 cards of one kind.

use canasta_engine::action::{
    Action, As, Deal, Effect, EffectKind, Group, MeldId, MeldKind, Onto, Ruling, TakePile,
};
use canasta_engine::card::{CARDS_MAX, Card, Cards};
use canasta_engine::check::check;
use canasta_engine::explain;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::PRESETS;
use canasta_engine::table::Table;

/// Returns every kind of action that names cards, with each list full of `card`.
fn full_of(card: Card, ruling: &Ruling) -> Vec<Action> {
    let list = || (0..CARDS_MAX).map(|_| card).collect::<Vec<Card>>();
    let group = |kind, onto| Group { kind, onto, cards: list().into(), top: false };
    let effect = Effect {
        cards: list().into(),
        seat: Some(canasta_engine::seat::Seat(0)),
        ..Effect::of(EffectKind::PenaltyCards)
    };
    let hands = vec![list().into_iter().map(Some).collect(); 6];
    let upcards = list().into_iter().map(Some).collect();
    let mut actions = vec![
        Action::LayThrees(list().into()),
        Action::UndoMeld { meld: MeldId(0), cards: list().into() },
        Action::DrawCards(vec![list().into(); 6]),
        Action::Deal(Box::new(Deal { hands, upcards, ..Deal::default() })),
        Action::Ruling(Box::new(Ruling { effect, ..ruling.clone() })),
    ];
    for kind in [MeldKind::Set, MeldKind::Wild, MeldKind::Sequence, MeldKind::BlackThrees] {
        for onto in [Onto::Auto, Onto::New, Onto::Meld { side: None, id: MeldId(0) }] {
            let also = || (0..6).map(|_| group(kind, onto)).collect();
            actions.push(Action::Meld(also()));
            actions.push(Action::TakePile(TakePile { with: list().into(), onto, also: also() }));
        }
    }
    actions
}

#[test]
fn a_card_named_hundreds_of_times_is_refused() {
    let mut judged = 0;
    for preset in PRESETS {
        for turn in ["", "; drew"] {
            let text = format!("{preset}; to move 0{turn}");
            let position = Position::parse(&text).expect("a position");
            let table: Table =
                position.setup().into_table().unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
            let ruling =
                Proposal::parse("director: ruling IR-033 0 0", table.set()).expect("a ruling").action;
            let Action::Ruling(ruling) = ruling else { unreachable!("it is a ruling") };
            for card in Card::all().step_by(4) {
                for action in full_of(card, &ruling) {
                    for actor in [As::Seat(table.turn_seat()), As::Table, As::Director] {
                        let rejection =
                            check(&table, actor, &action).expect_err("no hand has 324 cards of one kind");
                        assert!(!rejection.to_string().is_empty());
                        judged += 1;
                    }
                    explain::initial_count(&table, As::Seat(table.turn_seat()), &action);
                    explain::going_out(&table, table.turn_seat(), &action);
                }
            }
        }
    }
    assert!(judged > 30_000, "{judged}");
}

/// Multisets stop counting where no deck goes, and stay consistent.
#[test]
fn multisets_of_absurd_lists_are_consistent() {
    for card in Card::all() {
        let mut cards: Cards = std::iter::repeat_n(card, 1_000).collect();
        cards.add(&cards.clone());
        assert_eq!(cards.len(), u16::from(cards.count(card)));
        assert_eq!(cards.iter().count(), usize::from(cards.len()));
        assert!(cards.rank_count(card.rank()) >= 12, "a deck has at most 12 copies of a card");
    }
    let all: Cards = Card::all().flat_map(|card| std::iter::repeat_n(card, 300)).collect();
    assert_eq!(all.rank_counts().map(u16::from).iter().sum::<u16>(), all.len());
    assert_eq!(all.len(), Card::all().map(|card| u16::from(all.count(card))).sum::<u16>());
}
