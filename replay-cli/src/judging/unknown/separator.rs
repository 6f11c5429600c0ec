//! The property of unknown cards on which a judgement depends.

use super::ways::CardWay;
use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Rank};
use canasta_engine::text::words;
use canasta_engine::violations::template::Language;
use std::collections::BTreeSet;

/// One way to fill in the unknown cards, and whether the action is legal with it.
pub type Judged = (CardWay, bool);

/// The unknown cards of one zone.
type CardsOf = fn(&CardWay) -> &[Card];

/// Returns the one property that separates the legal ways from the others, if there is one.
pub fn separator(cases: &[Judged]) -> Option<String> {
    let is_mixed = cases.iter().any(|case| case.1) && cases.iter().any(|case| !case.1);
    let (first, _) = cases.first().filter(|_| is_mixed)?;
    let traits = traits(cases);
    let zones: [(&str, CardsOf); 2] = [("hand", |way| &way.hand), ("pile", |way| &way.pile)];
    for (place, cards) in zones {
        let most = cards(first).len();
        for (&of, least) in traits.iter().flat_map(|of| (1..=most).map(move |least| (of, least))) {
            let holds = |way: &CardWay| cards(way).iter().filter(|&&card| of.is(card)).count() >= least;
            let word = match cases.iter().filter(|(way, is_legal)| holds(way) == *is_legal).count() {
                agreeing if agreeing == cases.len() => "legal",
                0 => "not legal",
                _ => continue,
            };
            let number = if least == 1 { String::new() } else { format!("{least} or more ") };
            let name = of.name();
            return Some(format!(
                "the unknown cards: {word} if and only if the {place} holds {number}{name} among them"
            ));
        }
    }
    None
}

/// A property of a card.
#[derive(Clone, Copy)]
enum Trait {
    Wild,
    Of(Rank),
    Kind(Card),
}

impl Trait {
    fn is(self, card: Card) -> bool {
        match self {
            Self::Wild => card.is_wild(),
            Self::Of(rank) => card.rank() == rank,
            Self::Kind(kind) => card == kind,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Wild => "wild cards".into(),
            Self::Of(of) => words::meld_name(MeldKind::Set, Some(of), &words::plain(Language::English)),
            Self::Kind(kind) => kind.to_string(),
        }
    }
}

/// Returns the properties that separate the cards of these ways, the widest first.
fn traits(cases: &[Judged]) -> Vec<Trait> {
    let cards = cases.iter().flat_map(|(way, _)| way.hand.iter().chain(&way.pile));
    let kinds: BTreeSet<Card> = cards.copied().collect();
    let ranks: BTreeSet<Rank> = kinds.iter().map(|card| card.rank()).collect();
    let ranks = ranks.into_iter().map(Trait::Of);
    std::iter::once(Trait::Wild).chain(ranks).chain(kinds.into_iter().map(Trait::Kind)).collect()
}
