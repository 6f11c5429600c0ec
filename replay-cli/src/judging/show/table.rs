//! A position as text.

use crate::shared::text::{PlayerNames, count, hand, list, number};
use canasta_engine::action::As;
use canasta_engine::card::Cards;
use canasta_engine::known::Known;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Courtesy, Permission, Phase, Source, Table, TalonPlace};
use canasta_engine::view::{Insight, MeldView, OpenTable, SeatView, SideView, View, view};
use std::io::{Result, Write};

/// The lines of a table by part; the terminal arranges the parts differently.
pub(crate) struct Lines {
    /// Round, dealer, and what is waited for.
    pub head: String,
    /// One line per seat.
    pub seats: Vec<String>,
    /// Stock and pile.
    pub middle: Vec<String>,
    /// The cards of the stock, if the viewer may see them.
    pub stock: Option<String>,
    /// The cards that lie apart from hands, stock and pile.
    pub aside: Vec<String>,
    /// The score of each side, and one line per meld.
    pub sides: Vec<(String, Vec<String>)>,
}

/// Returns the table as the viewer sees it; `known` says which cards of a transcript only stand for unknown
/// cards.
pub(crate) fn lines(state: &Table, known: Option<&Known>, viewer: As, names: &PlayerNames) -> Lines {
    let View { table, insight } = view(state, viewer);
    let insight = known.map_or_else(|| insight.clone(), |known| as_known(&insight, known));
    let mut lines = Lines {
        head: headline(&table, names),
        seats: Vec::new(),
        middle: Vec::new(),
        stock: None,
        aside: Vec::new(),
        sides: (0..)
            .map(Side)
            .zip(&table.sides)
            .filter_map(|(side, shown)| self::side(side, shown, &table, names))
            .collect(),
    };
    if !matches!(table.phase, Phase::Setup | Phase::Deal | Phase::GameOver) {
        lines.seats = seats(&table, &insight, known, names);
        lines.middle = middle(&table, &insight);
        lines.aside = asides(&table, &insight, names).iter().map(|line| format!("  {line}")).collect();
        if let (Insight::All(all), None) = (&insight, known) {
            lines.stock = Some(format!("  stock, next to be drawn first: {}", list(all.stock.iter().rev())));
        }
    }
    lines
}

/// Writes the table as the viewer sees it.
pub(crate) fn write(
    state: &Table,
    known: Option<&Known>,
    viewer: As,
    names: &PlayerNames,
    out: &mut dyn Write,
) -> Result<()> {
    let lines = lines(state, known, viewer, names);
    let sides = lines.sides.iter().flat_map(|(side, melds)| std::iter::once(side).chain(melds));
    let cards = lines.seats.iter().chain(&lines.middle).chain(&lines.stock).chain(&lines.aside);
    std::iter::once(&lines.head).chain(cards).chain(sides).try_for_each(|line| writeln!(out, "{line}"))
}

/// Removes the cards that only stand for unknown cards.
pub(super) fn as_known(insight: &Insight, known: &Known) -> Insight {
    let shown = |seat: Seat, cards: &Cards| {
        let mut shown = *cards;
        shown.subtract(known.open(seat));
        shown
    };
    match insight {
        Insight::Hand { seat, cards } => Insight::Hand { seat: *seat, cards: shown(*seat, cards) },
        Insight::All(all) => {
            let mut all = all.clone();
            for (seat, hand) in (0..).map(Seat).zip(&mut all.hands) {
                *hand = shown(seat, hand);
            }
            all.feet.iter_mut().for_each(|foot| *foot = Cards::EMPTY);
            all.talons.iter_mut().for_each(Vec::clear);
            all.stock.clear();
            Insight::All(all)
        }
        Insight::None => Insight::None,
    }
}

fn headline(table: &OpenTable, names: &PlayerNames) -> String {
    format!("round {}, {} deals; {}", table.round, names.seat(table.dealer), now(table, names))
}

/// Returns what the table waits for.
pub(crate) fn now(table: &OpenTable, names: &PlayerNames) -> String {
    let now = match (table.phase, table.to_act) {
        (Phase::Setup, _) => "to be registered".into(),
        (Phase::Deal, _) => "to be dealt".into(),
        (Phase::RoundOver, _) => "over".into(),
        (Phase::GameOver, _) => "the game is over".into(),
        (Phase::Start, Some(seat)) => format!("{} to draw or to take the pile", names.seat(seat)),
        (Phase::Taking, Some(seat)) => {
            let top = table.taken_top.map_or_else(String::new, |top| format!(", {}", top.card));
            format!("{} to meld the top{top}, or to put it back", names.seat(seat))
        }
        (Phase::Asked, Some(seat)) => {
            let about =
                if let Courtesy::Asked(_) = table.courtesy { " about melding after the discard" } else { "" };
            format!("{} to answer{about}", names.seat(seat))
        }
        (_, Some(seat)) => {
            let source = match table.source {
                Source::Stock => " (drew from the stock)",
                Source::Pile => " (took the pile)",
                Source::TopOnly => " (took the top of the pile)",
                Source::None => "",
            };
            format!("{} to meld and discard{source}", names.seat(seat))
        }
        (_, None) => String::new(),
    };
    let dispute = if table.dispute.is_some() { "; play is suspended by a dispute" } else { "" };
    let permission = match table.permission {
        Permission::Yes => "; the partner said yes: must go out",
        Permission::No { .. } => "; the partner said no: must not go out",
        _ => "",
    };
    let courtesy = match table.courtesy {
        Courtesy::Granted => "; may meld after the discard",
        Courtesy::Refused(_) => "; may not meld after the discard",
        Courtesy::None | Courtesy::Asked(_) => "",
    };
    format!("{now}{permission}{courtesy}{dispute}")
}

/// Returns one mark per unknown card of a hand.
fn unknown(known: Option<&Known>, seat: Seat, shown: bool) -> String {
    let count = known.filter(|_| shown).map_or(0, |known| known.open(seat).len());
    " ??".repeat(count.into())
}

fn seats(table: &OpenTable, insight: &Insight, known: Option<&Known>, names: &PlayerNames) -> Vec<String> {
    let width = names.seats().map(|seat| names.seat(seat).chars().count()).max().unwrap_or(0);
    let line = |(seat, shown): (Seat, &SeatView)| {
        let mark = if table.to_act == Some(seat) { '>' } else { ' ' };
        let cards = match insight {
            Insight::Hand { seat: own, cards } if *own == seat => Some(hand(cards)),
            Insight::All(all) => all.hands.get(seat.index()).map(hand),
            _ => None,
        };
        let unknown = unknown(known, seat, cards.is_some());
        let cards = cards.map_or_else(String::new, |cards| format!("  {cards}{unknown}"));
        let foot = foot(seat, shown, insight);
        let laid =
            if shown.laid.is_empty() { String::new() } else { format!("   laid {}", hand(&shown.laid)) };
        let ruled = ruled(shown);
        let line = format!(
            "{mark} {:width$}  {:>2} in hand{cards}{foot}{laid}{ruled}",
            names.seat(seat),
            shown.hand
        );
        line.trim_end().to_owned()
    };
    (0..).map(Seat).zip(&table.seats).map(line).collect()
}

fn middle(table: &OpenTable, insight: &Insight) -> Vec<String> {
    let top = match table.pile.top {
        Some(top) => format!("{}, {top} on top", count(table.pile.size, "card")),
        None if table.pile.size > 0 => count(table.pile.size, "card"),
        None => "empty".into(),
    };
    let causes: Vec<&str> = table.pile.frozen.iter().map(|cause| cause.words()).collect();
    let frozen = if causes.is_empty() { String::new() } else { format!(", frozen {}", causes.join(" and ")) };
    let mut lines = vec![format!("  stock {} · pile {top}{frozen}", number(table.stock))];
    if !table.pile.under.is_empty() {
        lines.push(format!("  under the top, from there down: {}", list(&table.pile.under)));
    }
    if let Insight::All(all) = insight {
        lines.push(format!("  pile, bottom to top: {}", list(&all.pile)));
    }
    lines
}

/// Returns the cards that lie apart from hands, stock and pile, and what may be done about the last discard.
pub(crate) fn asides(table: &OpenTable, insight: &Insight, names: &PlayerNames) -> Vec<String> {
    let all = match insight {
        Insight::All(all) => Some(all),
        _ => None,
    };
    let mut lines = Vec::new();
    for (at, talon) in table.talons.iter().enumerate() {
        let place = match talon.place {
            TalonPlace::Centre => "in the centre".into(),
            TalonPlace::Before(seat) => format!("before {}", names.seat(seat)),
            TalonPlace::Used => continue,
        };
        let cards = all.and_then(|all| all.talons.get(at)).map(list);
        let cards = cards.map_or_else(String::new, |cards| format!("  {cards}"));
        lines.push(format!("talon {place}: {}{cards}", count(talon.size, "card")));
    }
    if table.face_down {
        let card = all.and_then(|all| all.face_down).map_or_else(String::new, |card| format!("  {card}"));
        lines.push(format!("the discard that went out lies face down{card}"));
    }
    if let Some(special) = &table.special {
        let (seat, cards) = (names.seat(special.seat), hand(&special.cards));
        lines.push(format!("{seat} has shown the special hand {}: {cards}", special.hand.name()));
    }
    if let Some(seat) = table.offered {
        lines.push(format!("{} may take the talon it has earned", names.seat(seat)));
    }
    for (seat, _) in (0..).map(Seat).zip(&table.seats).filter(|(_, shown)| shown.courteous) {
        lines.push(format!("{} may still meld what it held at its discard", names.seat(seat)));
    }
    if let Some(seat) = table.reveal {
        lines.push(format!("{} must show its hand if an opponent calls for it", names.seat(seat)));
    }
    lines
}

/// Returns the foot of a seat, until the seat picks it up.
fn foot(seat: Seat, shown: &SeatView, insight: &Insight) -> String {
    if shown.foot == 0 {
        return String::new();
    }
    let cards = match insight {
        Insight::All(all) => all.feet.get(seat.index()).map(hand),
        _ => None,
    };
    let cards = cards.map_or_else(String::new, |cards| format!("  {cards}"));
    format!("   {} in the foot{cards}", shown.foot)
}

/// Returns what rulings require of a seat.
pub(crate) fn ruled(shown: &SeatView) -> String {
    let mut text = String::new();
    if !shown.penalty_cards.is_empty() {
        text += &format!("   penalty cards {}", hand(&shown.penalty_cards));
    }
    if let Some(ruling) = shown.pile_forfeited {
        text += &format!("   may not take the pile (ruling {ruling})");
    }
    text + &booked(shown.ruled)
}

/// Returns the points of rulings that the round will book.
fn booked(points: i32) -> String {
    if points == 0 { String::new() } else { format!(" · rulings {}", number(points)) }
}

/// Returns the line of a side and those of its melds; `None` for the side number that is unused since a pair
/// formed among three players.
fn side(
    side: Side,
    shown: &SideView,
    table: &OpenTable,
    names: &PlayerNames,
) -> Option<(String, Vec<String>)> {
    let seats = || table.seats.iter().filter(|seat| seat.side == side);
    seats().next()?;
    let or_by_seat = |side: Option<i32>, of: fn(&SeatView) -> Option<i32>| match side {
        Some(points) => number(points),
        None => seats().filter_map(of).map(number).collect::<Vec<_>>().join(" and "),
    };
    let opened = match table.phase {
        Phase::Setup | Phase::Deal | Phase::GameOver => String::new(),
        _ if shown.opened => String::new(),
        _ => format!(" · not opened, needs {}", or_by_seat(shown.minimum, |seat| seat.minimum)),
    };
    let ruled = booked(shown.ruled);
    let signed = if shown.signed { " · signed" } else { "" };
    let score = or_by_seat(shown.score, |seat| seat.score);
    let line = format!("{}: {score} points{opened}{ruled}{signed}", names.side(side));
    let melds = match table.phase {
        Phase::GameOver => Vec::new(),
        _ => table.melds_of(side).map(|view| meld(view, names)).collect(),
    };
    Some((line, melds))
}

fn meld(MeldView { meld, grade, loose }: &MeldView, names: &PlayerNames) -> String {
    let what = names.meld_name(meld.kind, meld.rank);
    let grade = grade.map_or_else(String::new, |grade| format!("   {} canasta", grade.name()));
    let loose = if loose.is_empty() { String::new() } else { format!("   may return: {}", hand(loose)) };
    format!("  {:>2} {what:<12} {}{grade}{loose}", meld.id.0, hand(&meld.cards))
}
