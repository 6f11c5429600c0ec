//! Numbers, cards, seats and actions in words.

mod melds;
mod ruling;

use crate::io::in_words;
use anyhow::bail;
use canasta_engine::action::{About, Action, As, Group, MeldKind, NamedWay, Onto, TakePile};
use canasta_engine::card::{Card, Cards, Rank};
pub use canasta_engine::hex::hex;
use canasta_engine::log::record::Genesis;
use canasta_engine::notation::span::Span;
use canasta_engine::notation::{Names, Position};
use canasta_engine::rules::{PresetId, RuleSet, Rules, ScoreUnit};
use canasta_engine::seat::{Seat, Side, Unit};
use canasta_engine::table::SetupFault;
use canasta_tournament::note::NoteVerifier;
pub use melds::{NamedMeld, melds_of};
use std::fmt::Display;
use std::fs::File;
use std::io::Read;

/// Returns the number with commas between groups of three digits.
pub fn number(value: impl Into<i128>) -> String {
    let value = value.into();
    let digits = value.unsigned_abs().to_string();
    let mut text = String::from(if value < 0 { "-" } else { "" });
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a count with its noun: `1 game`, `2 games`.
pub fn count(value: impl Into<i128> + Copy, singular: &str) -> String {
    let plural = if value.into() == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", number(value))
}

/// Returns a count of entries: `1 entry`, `2 entries`.
pub fn entries(value: u64) -> String {
    if value == 1 { "1 entry".into() } else { format!("{} entries", number(value)) }
}

/// Joins things with blanks.
pub fn list<T: Display>(things: impl IntoIterator<Item = T>) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns a hand sorted for people: naturals from the ace down, threes, twos, jokers.
pub fn hand(cards: &Cards) -> String {
    const ORDER: [Rank; 14] = [
        Rank::Ace,
        Rank::King,
        Rank::Queen,
        Rank::Jack,
        Rank::Ten,
        Rank::Nine,
        Rank::Eight,
        Rank::Seven,
        Rank::Six,
        Rank::Five,
        Rank::Four,
        Rank::Three,
        Rank::Two,
        Rank::Joker,
    ];
    let of_rank = |rank: Rank| cards.iter().filter(move |card| card.rank() == rank);
    list(ORDER.into_iter().flat_map(of_rank))
}

/// Quotes a path for the shell.
pub fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%=:,".contains(c);
    let dashed = path.starts_with('-');
    if !path.is_empty() && !dashed && path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}{}'", if dashed { "./" } else { "" }, path.replace('\'', r"'\''"))
}

/// Maximum size of a file with a public key, in bytes.
const KEY_MAX: u64 = 4096;

/// Parses a public key among the arguments of a command, or the file of one after `@`.
pub fn parse_key(text: &str) -> Result<NoteVerifier, String> {
    let mut read = String::new();
    let key = match text.strip_prefix('@') {
        Some(file) => {
            let opened = File::open(file).map_err(|error| format!("{file}: {}", in_words(&error)))?;
            let done = opened.take(KEY_MAX).read_to_string(&mut read);
            done.map_err(|error| format!("{file}: {}", in_words(&error)))?;
            read.trim()
        }
        None => text,
    };
    NoteVerifier::parse(key).map_err(|error| format!("{error:#}"))
}

/// The names of the seats and sides of one game.
#[derive(Clone)]
pub struct PlayerNames {
    seats: Vec<String>,
    set: Option<RuleSet>,
    /// The seat that plays alone, if two of three players have formed a side.
    lone: Option<Seat>,
    /// The melds that can be named in words, with the side that speaks of them as its own.
    melds: Vec<NamedMeld>,
    own: Option<Side>,
}

impl PlayerNames {
    /// Returns the names in a genesis record.
    pub fn of(genesis: &Genesis) -> Self {
        let seats: Vec<String> = genesis.players.iter().map(|player| player.name.clone()).collect();
        let set = RuleSet::from_canonical(&genesis.rule_set).ok().filter(|set| set.side_count > 0);
        Self { seats, set, lone: None, melds: Vec::new(), own: None }
    }

    /// Returns the names by seat: `seating` has the player of each seat, by index in the genesis record.
    /// `lone` plays alone if two of three players have formed a side.
    pub fn seated(self, seating: &[Seat], lone: Option<Seat>) -> Self {
        let seats = seating.iter().filter_map(|player| self.seats.get(player.index()).cloned()).collect();
        Self { seats, lone, ..self }
    }

    /// Returns placeholders: `{4}` for the name of seat 4.
    pub fn placeholders(set: &RuleSet, lone: Option<Seat>) -> Self {
        let seats = (0..set.seats).map(|seat| format!("{{{seat}}}")).collect();
        let set = Some(set.clone()).filter(|set| set.side_count > 0);
        Self { seats, set, lone, melds: Vec::new(), own: None }
    }

    /// Returns the names that notation gives the seats, for a table without players.
    pub fn seats_of(set: &RuleSet) -> Self {
        const COMPASS: [&str; 4] = ["North", "East", "South", "West"];
        let name = |seat: u8| match COMPASS.get(usize::from(seat)) {
            Some(name) if set.seats == 4 => (*name).to_owned(),
            _ => format!("seat {seat}"),
        };
        Self { seats: (0..set.seats).map(name).collect(), ..Self::placeholders(set, None) }
    }

    /// Returns the names of a position that was typed: the players' if it gives them, else those of notation.
    pub fn of_position(position: &Position) -> Self {
        let names = Self::seats_of(position.rules().set());
        match position.players() {
            [] => names,
            players => Self { seats: players.to_vec(), ..names },
        }
    }

    /// Replaces the placeholder at the beginning of a text by its name.
    pub fn fill(&self, text: &str) -> String {
        let named = |seat: Seat| text.strip_prefix(&format!("{{{seat}}}")).map(|rest| self.seat(seat) + rest);
        self.seats().find_map(named).unwrap_or_else(|| text.to_owned())
    }

    /// Returns the name of a seat; `seat 4` for a seat without a name.
    pub fn seat(&self, seat: Seat) -> String {
        self.seats.get(seat.index()).cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    /// Parses the seat of an argument.
    ///
    /// # Errors
    /// If the text names no seat, or two.
    pub fn parse_seat(&self, text: &str) -> anyhow::Result<Seat> {
        let seats =
            || self.seats().map(|seat| format!("{seat} {}", self.seat(seat))).collect::<Vec<_>>().join(", ");
        match self.spelling().map(|names| names.seat_or_none(Span::of(text))) {
            Some(Ok(Some(found))) => Ok(found),
            Some(Err(error)) => {
                bail!("seat {text:?}: expected {}; the seats are: {}", error.expected, seats())
            }
            _ => bail!("no seat {text:?}; the seats are: {}", seats()),
        }
    }

    /// Returns the name of an actor.
    pub fn actor(&self, actor: As) -> String {
        match actor {
            As::Seat(seat) => self.seat(seat),
            As::Table => "the table".into(),
            As::Judge => "a judge".into(),
            As::Director => "the director".into(),
            As::Spectator => "a spectator".into(),
        }
    }

    fn side_of(&self, seat: Seat) -> Side {
        self.set.as_ref().map_or(Side(seat.0), |set| set.formed_side_of(seat, self.lone))
    }

    /// Returns the names of the players of a side.
    pub fn side(&self, side: Side) -> String {
        let seats = (0..).zip(&self.seats).filter(|(seat, _)| self.side_of(Seat(*seat)) == side);
        let mates: Vec<&str> = seats.map(|(_, name)| name.as_str()).collect();
        if mates.is_empty() { format!("side {side}") } else { mates.join("-") }
    }

    /// Returns the name of the side or seat that keeps a total.
    pub fn unit(&self, unit: Unit) -> String {
        match self.set.as_ref().map(|set| set.score_unit) {
            Some(ScoreUnit::Seat) => self.seat(Seat(unit.0)),
            _ => self.side(Side(unit.0)),
        }
    }

    /// Returns how notation spells these seats and sides, with the names of the players; `None` without a rule set.
    pub fn spelling(&self) -> Option<Names<'_>> {
        Some(Names::of(self.set.as_ref()?).with_players(&self.seats))
    }

    /// Returns all seats in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats.len() as u8).map(Seat)
    }
}

/// Returns the rules that a genesis record names, if this version plays them.
pub fn rules_of(genesis: &Genesis) -> Option<Rules> {
    let base = PresetId::from_name(&genesis.base)?;
    let set = RuleSet::from_canonical(&genesis.rule_set).ok()?;
    let name = genesis.rule_set_id.split_once('+').map(|(_, name)| name);
    Rules::house(base, set, name).ok()
}

/// Returns an action in words, to follow the name of the actor: `discards 7h`.
pub fn action(action: &Action, names: &PlayerNames) -> String {
    match action {
        Action::Deal(_) => "deals".into(),
        Action::DrawCards(_) => "draws cards for seats and dealer".into(),
        Action::DrawStock => "draws from the stock".into(),
        Action::TakePile(take) => take_pile(take, names),
        Action::TakeTop => "takes the top card".into(),
        Action::RestorePile => "puts the top card back".into(),
        Action::LayThrees(cards) => format!("lays {}", list(cards)),
        Action::TakeTalon => "takes a talon".into(),
        Action::Meld(of) => format!("melds {}", groups(of, names)),
        Action::MergeMelds { a, b } => {
            format!("merges {} into {}", names.meld(None, *b), names.meld(None, *a))
        }
        Action::UndoMeld { meld, cards } => {
            format!("takes {} back from {}", list(cards), names.meld(None, *meld))
        }
        Action::Ask { about, to, with } => {
            let whom = to.map_or_else(|| "the partner".into(), |to| names.seat(to));
            let what = match about {
                About::GoOut => "may I go out?",
                About::Courtesy => "may I meld after my discard?",
            };
            format!(
                "asks {whom}: {what}{}",
                with.as_deref().map(|way| named_way(way, names)).unwrap_or_default()
            )
        }
        Action::Answer { yes } => format!("answers {}", if *yes { "yes" } else { "no" }),
        Action::SpecialHand(hand) => format!("lays the special hand {}", hand.name()),
        Action::Discard(card) => format!("discards {card}"),
        Action::Pass => "passes".into(),
        Action::EndRound => "ends the round".into(),
        Action::CallReveal { of } => format!("calls on {} to show the hand", names.seat(*of)),
        Action::Ruling(of) => ruling::ruling(of, names),
        Action::Dispute { open: true, reason } => format!("opens a dispute: {}", reason.escape_debug()),
        Action::Dispute { open: false, .. } => "closes the dispute".into(),
        Action::Sign { side } => format!("signs for {}", names.side(*side)),
    }
}

/// Returns points by side: `+100 to North-South, -100 to East-West`.
pub fn by_side(points: &[i32], names: &PlayerNames) -> String {
    let change = |(side, &points): (u8, &i32)| {
        let sign = if points > 0 { "+" } else { "" };
        format!("{sign}{} to {}", number(points), names.side(Side(side)))
    };
    (0..).zip(points).filter(|(_, points)| **points != 0).map(change).collect::<Vec<_>>().join(", ")
}

fn named_way(way: &NamedWay, names: &PlayerNames) -> String {
    let melds = (!way.groups.is_empty()).then(|| format!("melding {}", groups(&way.groups, names)));
    let discard = way.discard.map(|card| format!("discarding {card}"));
    let parts: Vec<String> = melds.into_iter().chain(discard).collect();
    if parts.is_empty() { String::new() } else { format!(" by {}", parts.join(" and ")) }
}

fn take_pile(take: &TakePile, names: &PlayerNames) -> String {
    let mut text = String::from("takes the pile");
    if !take.with.is_empty() {
        text += &format!(" with {}", list(&take.with));
    }
    text += &onto(take.onto, &take.with, names);
    if !take.also.is_empty() {
        text += &format!(", and melds {}", groups(&take.also, names));
    }
    text
}

fn groups(groups: &[Group], names: &PlayerNames) -> String {
    let group = |group: &Group| {
        let top = if group.top { "the top card " } else { "" };
        let kind = match group.kind {
            MeldKind::Set => "",
            MeldKind::Wild => " as wild cards",
            MeldKind::Sequence => " as a sequence",
            MeldKind::BlackThrees => " as black threes",
        };
        format!("{top}{}{kind}{}", list(&group.cards), onto(group.onto, &group.cards, names))
    };
    groups.iter().map(group).collect::<Vec<_>>().join(" · ")
}

fn onto(onto: Onto, cards: &[Card], names: &PlayerNames) -> String {
    match onto {
        Onto::Auto => String::new(),
        Onto::New => " as a new meld".into(),
        Onto::Meld { side, id } => {
            let whose = side.filter(|side| Some(*side) != names.own);
            let whose = whose.map_or_else(String::new, |side| format!(" of {}", names.side(side)));
            format!(" onto {}{whose}", names.meld_of(side, id, cards))
        }
    }
}

/// Returns the plural name of a rank, for melds.
pub fn rank(rank: Rank) -> &'static str {
    const NAMES: [&str; 14] = [
        "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
        "queens", "kings", "jokers",
    ];
    NAMES[rank.index()]
}

/// Returns a meld as people call it: `sevens`, `wild cards`.
pub fn meld_name(kind: MeldKind, of: Option<Rank>) -> &'static str {
    match (kind, of) {
        (MeldKind::Set, Some(of)) => rank(of),
        (MeldKind::Wild, _) => "wild cards",
        (MeldKind::Sequence, _) => "sequence",
        (MeldKind::BlackThrees, _) => "black threes",
        (MeldKind::Set, None) => "set",
    }
}

/// Returns a card, or two question marks for an unknown card.
pub fn card_or_unknown(card: Option<Card>) -> String {
    card.map_or_else(|| "??".into(), |card| card.to_string())
}

/// Returns the text of why a position cannot arise, with every fault.
pub fn cannot_arise(faults: &[SetupFault]) -> String {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    format!("the position cannot arise: {}", faults.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let numbers = [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (-12, "-12")];
        for (value, text) in numbers {
            assert_eq!(number(value), text);
        }
        assert_eq!([count(1, "game"), count(2, "game")], ["1 game", "2 games"]);
    }
}
