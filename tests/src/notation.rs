//! Actions as short lines of text, for digests and for failures.

use canasta_engine::action::{Action, Group, MeldKind, Onto};
use canasta_engine::card::Card;

/// One line an action: `draw`, `end`, `discard Kc`, `ask 2`, `yes`, `no`, `deal`, `meld GROUPS`,
/// `take ONTO CARDS GROUPS`. A group is `ONTO:CARDS`, ONTO the meld's number, `new` or `auto`; wild melds
/// have `w` and black threes `b` before it.
pub fn line(action: &Action) -> String {
    match action {
        Action::Deal(_) => "deal".into(),
        Action::DrawStock => "draw".into(),
        Action::EndRound => "end".into(),
        Action::Discard(card) => format!("discard {card}"),
        Action::Ask { to, .. } => format!("ask {}", to.map_or("-".into(), |to| to.to_string())),
        Action::Answer { yes } => if *yes { "yes" } else { "no" }.into(),
        Action::Meld(melds) => format!("meld{}", groups(melds)),
        Action::TakePile(take) => {
            format!("take {} {}{}", onto(take.onto), cards(&take.with), groups(&take.also))
        }
        other => format!("{other:?}"),
    }
}

fn groups(groups: &[Group]) -> String {
    groups.iter().map(group).collect()
}

fn group(group: &Group) -> String {
    let kind = match group.kind {
        MeldKind::Set => "",
        MeldKind::Wild => "w",
        MeldKind::BlackThrees => "b",
        MeldKind::Sequence => "s",
    };
    format!(" {kind}{}:{}", onto(group.onto), cards(&group.cards))
}

fn onto(onto: Onto) -> String {
    match onto {
        Onto::Auto => "auto".into(),
        Onto::New => "new".into(),
        Onto::Meld { side: None, id } => id.0.to_string(),
        Onto::Meld { side: Some(side), id } => format!("{side}:{}", id.0),
    }
}

fn cards(cards: &[Card]) -> String {
    if cards.is_empty() { "-".into() } else { cards.iter().map(Card::to_string).collect() }
}
