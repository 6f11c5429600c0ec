//! A position as text.

use crate::shared::text::{PlayerNames, flag, hand, list, some};
use canasta_engine::action::As;
use canasta_engine::card::Cards;
use canasta_engine::known::Known;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Courtesy, Permission, Phase, Source, Table, TalonPlace};
use canasta_engine::view::{Insight, MeldView, OpenTable, SeatView, SideView, View, view};
use canasta_engine::violations::Fact;
use std::io::{Result, Write};

/// The lines of a table by part; the terminal arranges the parts differently.
#[derive(Default)]
pub(crate) struct Lines {
    /// Round, dealer, and what is waited for.
    pub head: String,
    pub seats: Vec<String>,
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
    let insight = as_known(insight, known);
    let mut lines = Lines {
        head: headline(&table, names),
        sides: (0..)
            .map(Side)
            .zip(&table.sides)
            .filter_map(|(side, shown)| self::side(side, shown, &table, names))
            .collect(),
        ..Lines::default()
    };
    if !matches!(table.phase, Phase::Setup | Phase::Deal | Phase::GameOver) {
        lines.seats = seats(&table, &insight, known, names);
        lines.middle = middle(&table, &insight, names);
        lines.aside = asides(&table, &insight, names).iter().map(|line| format!("  {line}")).collect();
        if let (Insight::All(all), None) = (&insight, known) {
            let stock = list(all.stock.iter().rev());
            lines.stock = Some(format!("  {}", names.line("stock_whole", vec![some(stock)])));
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
pub(super) fn as_known(mut insight: Insight, known: Option<&Known>) -> Insight {
    let Some(known) = known else { return insight };
    match &mut insight {
        Insight::Hand { seat, cards } => cards.subtract(known.open(*seat)),
        Insight::All(all) => {
            let hands = (0..).map(Seat).zip(&mut all.hands);
            hands.for_each(|(seat, hand)| hand.subtract(known.open(seat)));
            all.feet.iter_mut().for_each(|foot| *foot = Cards::EMPTY);
            all.talons.iter_mut().for_each(Vec::clear);
            all.stock.clear();
        }
        Insight::None => {}
    }
    insight
}

fn headline(table: &OpenTable, names: &PlayerNames) -> String {
    let round = names.number(table.round);
    names.line("head", vec![some(round), some(table.dealer), some(now(table, names))])
}

/// Returns what the table waits for.
pub(crate) fn now(table: &OpenTable, names: &PlayerNames) -> String {
    let source = match table.source {
        Source::Stock => "stock",
        Source::Pile => "pile",
        Source::TopOnly => "top",
        Source::None => "none",
    };
    let permission = match table.permission {
        Permission::Yes => "yes",
        Permission::No { .. } => "no",
        _ => "none",
    };
    let courtesy = match table.courtesy {
        Courtesy::Asked(_) => "asked",
        Courtesy::Granted => "granted",
        Courtesy::Refused(_) => "refused",
        Courtesy::None => "none",
    };
    let facts = vec![
        some(table.phase.name()),
        table.to_act.map(Fact::from),
        some(source),
        table.taken_top.map(|top| top.card.into()),
        some(permission),
        some(courtesy),
        flag(table.dispute.is_some()),
    ];
    names.line("now", facts)
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
        let foot = foot(seat, shown, insight, names);
        let laid = parted("laid", &shown.laid, names);
        let ruled = ruled(shown, names);
        let (name, in_hand) = (names.seat(seat), names.line("in_hand", vec![]));
        let line = format!("{mark} {name:width$}  {:>2} {in_hand}{cards}{foot}{laid}{ruled}", shown.hand);
        line.trim_end().to_owned()
    };
    (0..).map(Seat).zip(&table.seats).map(line).collect()
}

/// Returns cards apart from a hand after their line, with a space before it; nothing if there are none.
fn parted(name: &str, cards: &Cards, names: &PlayerNames) -> String {
    if cards.is_empty() {
        return String::new();
    }
    format!("   {}", names.line(name, vec![some(hand(cards))]))
}

/// Joins texts with "and"; `None` if there are none.
fn joined(texts: impl Iterator<Item = String>, names: &PlayerNames) -> Option<String> {
    texts.reduce(|first, second| names.line("and", vec![some(first), some(second)]))
}

fn middle(table: &OpenTable, insight: &Insight, names: &PlayerNames) -> Vec<String> {
    let pile = &table.pile;
    let causes = pile.frozen.iter().map(|cause| names.line("cause", vec![some(cause.name())]));
    let causes = joined(causes, names).map(Fact::from);
    let stock = names.number(table.stock);
    let mut lines =
        vec![names.line("middle", vec![some(stock), some(pile.size), pile.top.map(Fact::from), causes])];
    if !pile.under.is_empty() {
        lines.push(names.line("pile_under", vec![some(list(&pile.under))]));
    }
    if let Insight::All(all) = insight {
        lines.push(names.line("pile_whole", vec![some(list(&all.pile))]));
    }
    lines.iter().map(|line| format!("  {line}")).collect()
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
            TalonPlace::Centre => None,
            TalonPlace::Before(seat) => some(seat),
            TalonPlace::Used => continue,
        };
        let cards = all.and_then(|all| all.talons.get(at)).map(list);
        let cards = cards.map_or_else(String::new, |cards| format!("  {cards}"));
        lines.push(names.line("talon", vec![place, some(talon.size)]) + &cards);
    }
    if table.face_down {
        let card = all.and_then(|all| all.face_down).map_or_else(String::new, |card| format!("  {card}"));
        lines.push(names.line("face_down", vec![]) + &card);
    }
    if let Some(special) = &table.special {
        let facts = vec![some(special.seat), some(special.hand.name()), some(hand(&special.cards))];
        lines.push(names.line("special", facts));
    }
    let courteous = (0..).map(Seat).zip(&table.seats).filter(|(_, shown)| shown.courteous);
    let rights = table.offered.map(|seat| ("offered", seat)).into_iter();
    let rights = rights.chain(courteous.map(|(seat, _)| ("courteous", seat)));
    let rights = rights.chain(table.reveal.map(|seat| ("reveal", seat)));
    lines.extend(rights.map(|(name, seat)| names.line(name, vec![some(seat)])));
    lines
}

/// Returns the foot of a seat, until the seat picks it up.
fn foot(seat: Seat, shown: &SeatView, insight: &Insight, names: &PlayerNames) -> String {
    if shown.foot == 0 {
        return String::new();
    }
    let cards = match insight {
        Insight::All(all) => all.feet.get(seat.index()).map(hand),
        _ => None,
    };
    let cards = cards.map_or_else(String::new, |cards| format!("  {cards}"));
    format!("   {}{cards}", names.line("in_foot", vec![some(shown.foot)]))
}

/// Returns what rulings require of a seat.
pub(crate) fn ruled(shown: &SeatView, names: &PlayerNames) -> String {
    let mut text = parted("penalty_cards", &shown.penalty_cards, names);
    if let Some(ruling) = shown.pile_forfeited {
        text += &format!("   {}", names.line("forfeited", vec![some(i64::from(ruling))]));
    }
    let booked = booked(shown.ruled, names).map_or_else(String::new, |points| format!(" · {points}"));
    text + &booked
}

/// Returns the points of rulings that the round will book; `None` for none.
fn booked(points: i32, names: &PlayerNames) -> Option<String> {
    (points != 0).then(|| names.line("booked", vec![some(names.number(points))]))
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
        Some(points) => Some(names.number(points)),
        None => joined(seats().filter_map(of).map(|points| names.number(points)), names),
    };
    let opened = shown.opened || matches!(table.phase, Phase::Setup | Phase::Deal | Phase::GameOver);
    let minimum = if opened { None } else { or_by_seat(shown.minimum, |seat| seat.minimum) };
    let facts = vec![
        some(side),
        some(or_by_seat(shown.score, |seat| seat.score).unwrap_or_default()),
        minimum.map(Fact::from),
        booked(shown.ruled, names).map(Fact::from),
        flag(shown.signed),
    ];
    let melds = match table.phase {
        Phase::GameOver => Vec::new(),
        _ => table.melds_of(side).map(|view| meld(view, names)).collect(),
    };
    Some((names.line("side", facts), melds))
}

fn meld(MeldView { meld, grade, loose }: &MeldView, names: &PlayerNames) -> String {
    let what = names.meld_name(meld.kind, meld.rank);
    let grade = grade.map(|grade| names.line("grade", vec![some(grade.name())]));
    let grade = grade.map_or_else(String::new, |grade| format!("   {grade}"));
    let loose = parted("loose", loose, names);
    format!("  {:>2} {what:<12} {}{grade}{loose}", meld.id.0, hand(&meld.cards))
}
