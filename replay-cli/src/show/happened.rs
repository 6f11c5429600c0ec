//! The consequences of a record, as one viewer may know them.

use super::{genesis_lines, quoted};
use crate::text::{self, PlayerNames, by_side, card_or_unknown, hex, list, number, rules_of};
use canasta_engine::action::{Action, As, MeldId};
use canasta_engine::citation::{cite, cite_violation};
use canasta_engine::log::Record;
use canasta_engine::log::outcome::Outcome;
use canasta_engine::log::record::{ActionRecord, Attempt, Author, Genesis, Refusal, RoundEnd};
use canasta_engine::rejection::Rejection;
use canasta_engine::rulebook;
use canasta_engine::rulebook::penalties::HOUSE;
use canasta_engine::seat::{Seat, Side, Unit};
use canasta_engine::view::{self, EventView, Seen};
use canasta_engine::violations::Code;

/// Returns the action on the first line, and its events on the lines below.
pub(crate) fn lines(told: &Outcome, genesis: &Genesis, names: &PlayerNames, viewer: As) -> Vec<String> {
    match &*told.record {
        Record::Genesis(_) => genesis_lines(genesis, names),
        Record::Register(register) => {
            let dealer =
                register.dealer.map_or_else(String::new, |dealer| format!(", {} deals", names.seat(dealer)));
            let commitment = register.commitment.map(|c| format!("commitment to the wall {}", hex(&c)));
            let attempt =
                if register.attempt > 1 { format!(", attempt {}", register.attempt) } else { String::new() };
            let first = format!("round {}{attempt} is registered{dealer}", register.round);
            let signed = register.signatures.iter().flatten().count() as i64;
            let signed = (signed > 0).then(|| format!("{}, not verified", text::count(signed, "signature")));
            std::iter::once(first).chain(commitment).chain(signed).collect()
        }
        Record::Action(record) => acted(record, told, genesis, names, viewer),
        Record::Refusal(refusal) => refused(refusal, told, genesis, names, viewer),
        Record::RoundEnd(end) => round_end(end, told, names),
        Record::GameEnd(end) => match end.winner {
            Some(unit) => vec![format!("the game is over: {} wins", names.unit(Unit(unit)))],
            None => vec!["the game is over: a draw".into()],
        },
        Record::Note(note) => {
            let by = match note.by {
                Author::Seat(seat) => names.seat(seat),
                Author::Table => "the table".into(),
                Author::Director => "the director".into(),
            };
            vec![format!("note by {by}: {}", quoted(&note.text))]
        }
        Record::Checkpoint(note) => {
            let lines = note.lines().map(|line| format!("  {}", quoted(line)));
            std::iter::once("checkpoint".to_owned()).chain(lines).collect()
        }
    }
}

fn actor(seat: Option<Seat>, names: &PlayerNames) -> String {
    seat.map_or_else(|| "the table".into(), |seat| names.seat(seat))
}

fn acted(
    record: &ActionRecord,
    told: &Outcome,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
) -> Vec<String> {
    // In a transcript, events would show cards that only stand for unknown cards.
    let witness = if told.as_known && viewer != As::Table { As::Table } else { viewer };
    let events = view::events(told.events.as_deref().unwrap_or_default(), witness);
    let names = &names.of_events(record.actor, &events);
    let hidden = |event: &EventView| matches!(event, EventView::Discarded { card: None, .. });
    let done = match events.iter().any(hidden) {
        true => "discards a card face down".into(),
        false => text::action(&record.action, names),
    };
    let mut lines = vec![match (&record.action, record.actor) {
        (Action::Ruling(_), _) => done,
        (Action::Dispute { .. } | Action::Sign { .. }, None) => format!("the director {done}"),
        (_, seat) => format!("{} {done}", actor(seat, names)),
    }];
    if let Action::Ruling(ruling) = &record.action {
        lines.extend(law(&ruling.rule).map(|law| format!("  {law}")));
        lines.extend((!ruling.reason.is_empty()).then(|| format!("  reason: {}", quoted(&ruling.reason))));
    }
    if let Some(cards) = record.cards.as_ref().filter(|_| witness != viewer && viewer == As::Judge) {
        let cards = cards.iter().map(|card| card.map_or_else(|| "??".into(), |card| card.to_string()));
        lines.push(format!("  received {}", list(cards)));
    }
    if let Some(rejection) = &told.illegal {
        lines.push("ILLEGAL; the table is that before it".into());
        lines.extend(reasons(rejection, genesis, names));
    }
    let said = matches!(record.action, Action::Discard(_) | Action::Answer { .. } | Action::Ask { .. });
    for event in events {
        let repeats = said
            && matches!(
                event,
                EventView::Discarded { .. } | EventView::Answered { .. } | EventView::Asked { .. }
            );
        if !repeats {
            lines.extend(self::event(&event, names).map(|line| format!("  {line}")));
        }
    }
    lines
}

/// Returns the id and the text of the law of a ruling; `None` for a rule that a house has made itself.
pub(crate) fn law(rule: &str) -> Option<String> {
    let rule = rulebook::rule(rule.strip_prefix(HOUSE).unwrap_or(rule))?;
    Some(format!("{}: {}", rule.id, rule.text))
}

/// Returns a refused action, which may show hand cards, only for a judge and for the seat that tried it.
fn refused(
    refusal: &Refusal,
    told: &Outcome,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
) -> Vec<String> {
    let allowed = match viewer {
        As::Judge | As::Director => true,
        As::Seat(seat) => refusal.actor == Some(seat),
        As::Table | As::Spectator => false,
    };
    let names = &names.of_events(refusal.actor, &[]);
    let who = actor(refusal.actor, names);
    let clear = match &refusal.attempt {
        Attempt::Clear(action) => Some(action),
        Attempt::Masked { .. } => told.refused.as_ref().map(|(action, _)| action).filter(|_| allowed),
    };
    let kind = match &refusal.attempt {
        Attempt::Clear(action) => action.kind(),
        Attempt::Masked { kind, .. } => *kind,
    };
    let tried = clear
        .map_or_else(|| format!("{kind} (hidden from this viewer)"), |action| text::action(action, names));
    let mut lines = vec![format!("{who} tried: {tried}"), "refused; the table is unchanged".into()];
    match told.refused.as_ref().and_then(|(_, rejection)| rejection.as_ref()).filter(|_| allowed) {
        Some(rejection) => lines.extend(reasons(rejection, genesis, names)),
        None => lines.extend(refusal.codes.iter().map(|code| code_line(code, genesis))),
    }
    lines
}

/// Returns every broken rule, with what was expected and found.
fn reasons(rejection: &Rejection, genesis: &Genesis, names: &PlayerNames) -> Vec<String> {
    let reason = |violation: &canasta_engine::rejection::Violation| {
        let ids = rules_of(genesis).map(|rules| cite_violation(violation, &rules.books()));
        let ids = ids.unwrap_or_else(|| violation.code.entry().rules().take(1).collect());
        format!("  {}\n    {} [{}]", names.violation(violation), violation.code.name(), list(ids))
    };
    rejection.violations.iter().map(reason).collect()
}

fn code_line(name: &str, genesis: &Genesis) -> String {
    match Code::from_name(name) {
        Some(code) => format!("  {}\n    {}", code.entry().summary, cited(code, genesis)),
        None => format!("  {name}"),
    }
}

fn cited(code: Code, genesis: &Genesis) -> String {
    let ids = match rules_of(genesis) {
        Some(rules) => list(cite(code, &rules.books())),
        None => list(code.entry().rules().take(1)),
    };
    format!("{} [{ids}]", code.name())
}

fn round_end(end: &RoundEnd, told: &Outcome, names: &PlayerNames) -> Vec<String> {
    let over = told.score.as_ref().map(|score| score.over);
    let by =
        over.and_then(|over| over.seat).map_or_else(String::new, |seat| format!(", {}", names.seat(seat)));
    let concealed = if over.is_some_and(|over| over.concealed) { ", concealed" } else { "" };
    let reason = end.reason.name().replace('_', " ");
    let mut lines = vec![format!("the round is over: {reason}{by}{concealed}")];
    for score in &end.scores {
        let line = |line: &canasta_engine::log::record::ScoreLine| {
            let count = line.count.map_or_else(String::new, |count| format!(" ({count})"));
            format!("{}{count} {}", line.item.name().replace('_', " "), number(line.points))
        };
        let items: Vec<String> = score.lines.iter().map(line).collect();
        let total = score.total();
        let account = told.score.as_ref().and_then(|round| round.accounts.get(usize::from(score.unit)));
        let after =
            account.map_or_else(String::new, |account| format!(", now {}", number(account.cumulative)));
        lines.push(format!(
            "  {}: {} = {}{after}",
            names.unit(Unit(score.unit)),
            items.join(", "),
            number(total)
        ));
    }
    lines
}

fn seen(cards: &Seen) -> String {
    match cards {
        Seen::Cards(cards) => list(cards),
        Seen::Count(count) => text::count(*count, "card"),
    }
}

/// Returns an event in words; `None` if the action says it already.
pub(crate) fn event(event: &EventView, names: &PlayerNames) -> Option<String> {
    let meld = |side: &Side, id: &MeldId| names.meld(Some(*side), *id);
    Some(match event {
        EventView::Dealt { hands, .. } => {
            let hand = |(seat, hand): (u8, &Seen)| format!("{} {}", names.seat(Seat(seat)), seen(hand));
            format!("dealt: {}", (0..).zip(hands).map(hand).collect::<Vec<_>>().join(" · "))
        }
        EventView::Drawn { picks, seating, dealer } => {
            let drew = |(seat, player): (u8, &Seat)| {
                let cards = picks.get(player.index()).map_or_else(String::new, list);
                format!("{} {cards}", names.seat(Seat(seat)))
            };
            let drawn: Vec<String> = (0..).zip(seating).map(drew).collect();
            format!("drawn: {}; {} deals first", drawn.join(" · "), names.seat(*dealer))
        }
        EventView::Upcard { card, covered } => {
            format!("turned {card}{}", if *covered { ", covered" } else { "" })
        }
        EventView::Drew { cards, .. } => format!("drew {}", seen(cards)),
        EventView::ThreeLaid { seat, card } => format!("{} laid {card}", names.seat(*seat)),
        EventView::Replaced { seat, card } => {
            format!("{} replaced it with {}", names.seat(*seat), card_or_unknown(*card))
        }
        EventView::Melded { side, meld: id, cards, .. } => {
            format!("{} laid {} ({})", names.side(*side), list(cards), meld(side, id))
        }
        EventView::Canasta { side, meld: id, grade } => {
            format!("{} made a {} canasta of {}", names.side(*side), grade.name(), meld(side, id))
        }
        EventView::Merged { side, a, b } => {
            format!("{} merged {} into {}", names.side(*side), meld(side, b), meld(side, a))
        }
        EventView::Unmelded { side, meld: id, cards } => {
            format!("{} took {} back from {}", names.side(*side), list(cards), meld(side, id))
        }
        EventView::TookPile { seat, cards } => {
            format!("{} took {} of the pile in hand", names.seat(*seat), seen(cards))
        }
        EventView::TookTop { seat, card } => format!("{} took {card}", names.seat(*seat)),
        EventView::RestoredPile { seat } => format!("{} put the top card back", names.seat(*seat)),
        EventView::Discarded { seat, card, .. } => {
            format!("{} discarded {}", names.seat(*seat), card_or_unknown(*card))
        }
        EventView::Froze { cause } => format!("the pile is frozen now {}", cause.words()),
        EventView::Passed { seat } => format!("{} passed", names.seat(*seat)),
        EventView::TookFoot { seat } => format!("{} took up the foot", names.seat(*seat)),
        EventView::TalonAwarded { seat, talon } => format!("{} was given talon {talon}", names.seat(*seat)),
        EventView::TookTalon { seat, cards } => {
            format!("{} took the talon: {}", names.seat(*seat), seen(cards))
        }
        EventView::Asked { seat, to, .. } => format!("{} asked {}", names.seat(*seat), names.seat(*to)),
        EventView::Answered { seat, yes } => {
            format!("{} said {}", names.seat(*seat), if *yes { "yes" } else { "no" })
        }
        EventView::Revealed { seat, cards } => format!("{} showed {}", names.seat(*seat), list(cards)),
        EventView::SidesFixed { lone } => format!("{} plays alone", names.seat(*lone)),
        EventView::WentOut { seat, concealed } => {
            format!("{} went out{}", names.seat(*seat), if *concealed { ", concealed" } else { "" })
        }
        EventView::SpecialHand { seat, hand, cards } => {
            format!("{} laid {}: {}", names.seat(*seat), hand.name(), list(cards))
        }
        EventView::StockExhausted => "the stock is exhausted".into(),
        EventView::Ruled { id, points } if points.is_empty() => format!("ruling {id} holds"),
        EventView::Ruled { id, points } => format!("ruling {id} holds: {}", by_side(points, names)),
        EventView::Disputed { open } => format!("play is {}", if *open { "suspended" } else { "resumed" }),
        EventView::Signed { side } => format!("{} signed", names.side(*side)),
        EventView::Scored => return None,
    })
}
