//! Actions as short lines of text, for digests and for failures.

use canasta_engine::action::{Action, Group, MeldKind, Onto};
use canasta_engine::card::Card;
use canasta_engine::table::Table;

/// Returns an action as one line: `draw`, `end`, `discard Kc`, `ask 2`, `yes`, `no`, `deal`, `meld GROUPS`,
/// `take ONTO CARDS GROUPS`.
///
/// A group is `ONTO:CARDS`, where ONTO is the number of a meld, `new` or `auto`. Before ONTO stands `w` for wild
/// melds, `b` for black threes and `s` for sequences. Before CARDS stands `top+` if the group receives the pending
/// top.
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

/// Returns the part of a position that matters to the seat in turn, in a few lines.
pub fn show(state: &Table) -> String {
    let seat = state.turn_seat();
    let side = state.side_of(seat);
    let melds: String = state
        .melds_of(side)
        .map(|m| format!(" {}:{}", m.id.0, cards(&m.cards.iter().collect::<Vec<_>>())))
        .collect();
    let loose = match state.loose() {
        [] => String::new(),
        loose => format!("\nloose {loose:?}, top {:?}", state.taken_top()),
    };
    format!(
        "{} {} seat {seat}, opened {}, minimum {}, ask {:?}\nhand {}\nmelds{melds}\npile {}, stock of {}{loose}",
        state.rules().id(),
        state.phase().name(),
        state.opened(side),
        state.minimum(seat),
        state.to_act(),
        cards(&state.hand(seat).iter().collect::<Vec<_>>()),
        cards(state.pile()),
        state.stock_len(),
    )
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
    let top = if group.top { "top+" } else { "" };
    format!(" {kind}{}:{top}{}", onto(group.onto), cards(&group.cards))
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
