//! Events, actions, score lines and ends of rounds in words: a sentence in each language, as a template over facts
//! (docs/play/MESSAGES.md). The templates are tables in `words/`.
//!
//! The caller gives a function that says a message: it knows the names of seats, sides and melds, and the language.

#[cfg(test)]
mod tests;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use canasta_log::record::Register;
use canasta_rules::action::choices::{ABOUTS, AUTHORITIES, EFFECTS, MELD_KINDS, word};
use canasta_rules::action::{Action, ActionKind, As, CardList, Group, MeldKind, Onto, Ruling, TakePile};
use canasta_rules::card::Rank;
use canasta_rules::event::FREEZE_CAUSES;
use canasta_rules::scoring::Item;
use canasta_rules::seat::{Seat, Side};
use canasta_rules::table::EndReason;
use canasta_rules::view::{EventView, Seen};
use canasta_rules::violations::template::{Filled, Language, Wording};
use canasta_rules::violations::{Fact, FactKind, FactRow};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A function that says a message with its facts.
pub type Say<'a> = &'a dyn Fn(&'static Wording, &[(&'static str, Fact)]) -> String;

/// Returns a function that says messages in a language, with numbers of seats, sides and melds.
pub fn plain(language: Language) -> impl Fn(&'static Wording, &[(&'static str, Fact)]) -> String {
    move |wording, facts| Filled { language, template: wording.template(language), facts }.to_string()
}

/// Facts in the order of a message's rows. Rows at the end may be missing.
pub type Facts = Vec<Option<Fact>>;

/// Returns an event in words, with the cards that were dealt and the points that a ruling gives.
pub fn event(event: &EventView, say: Say<'_>) -> String {
    let (name, facts) = match event {
        EventView::Drawn { picks, seating, dealer } => {
            let of_seat = |(seat, player): (u8, &Seat)| Some((Seat(seat), picks.get(player.index())?));
            ("drawn", vec![some(*dealer), hands((0..).zip(seating).filter_map(of_seat), say)])
        }
        EventView::Dealt { hands: dealt, .. } => {
            let seen = (0..).map(Seat).zip(dealt).filter_map(|(seat, hand)| match hand {
                Seen::Cards(cards) => Some((seat, cards)),
                Seen::Count(_) => None,
            });
            return detailed("dealt", vec![], hands(seen, say), say);
        }
        EventView::Upcard { card, covered } => ("upcard", vec![some(*card), flag(*covered)]),
        EventView::Drew { seat, cards } => ("drew", seen(*seat, cards)),
        EventView::ThreeLaid { seat, card } => ("three_laid", vec![some(*seat), some(*card)]),
        EventView::Replaced { seat, card } => ("replaced", vec![some(*seat), card.map(Fact::from)]),
        EventView::Melded { side, meld, cards, .. } => {
            ("melded", vec![some(*side), some(*meld), some(cards.clone())])
        }
        EventView::Canasta { side, meld, grade } => {
            ("canasta", vec![some(*side), some(*meld), coded("GRADE_", grade.name())])
        }
        EventView::Merged { side, a, b } => ("merged", vec![some(*side), some(*a), some(*b)]),
        EventView::Unmelded { side, meld, cards } => {
            ("unmelded", vec![some(*side), some(*meld), some(cards.clone())])
        }
        EventView::TookPile { seat, cards } => ("took_pile", seen(*seat, cards)),
        EventView::TookTop { seat, card } => ("took_top", vec![some(*seat), some(*card)]),
        EventView::RestoredPile { seat } => ("restored_pile", vec![some(*seat)]),
        EventView::Discarded { seat, card, face_down } => {
            ("discarded", vec![some(*seat), card.map(Fact::from), flag(*face_down)])
        }
        EventView::Froze { cause } => ("froze", vec![coded("FREEZE_CAUSE_", word(&FREEZE_CAUSES, *cause))]),
        EventView::Passed { seat } => ("passed", vec![some(*seat)]),
        EventView::TookFoot { seat } => ("took_foot", vec![some(*seat)]),
        EventView::TalonAwarded { seat, talon } => ("talon_awarded", vec![some(*seat), some(*talon)]),
        EventView::TookTalon { seat, cards } => ("took_talon", seen(*seat, cards)),
        EventView::Asked { seat, about, to } => {
            ("asked", vec![some(*seat), coded("ABOUT_", word(&ABOUTS, *about)), some(*to)])
        }
        EventView::Answered { seat, yes } => ("answered", vec![some(*seat), flag(*yes)]),
        EventView::Revealed { seat, cards } => ("revealed", vec![some(*seat), some(cards.clone())]),
        EventView::SidesFixed { lone } => ("sides_fixed", vec![some(*lone)]),
        EventView::WentOut { seat, concealed } => ("went_out", vec![some(*seat), flag(*concealed)]),
        EventView::SpecialHand { seat, hand, cards } => {
            ("special_hand", vec![some(*seat), coded("SPECIAL_HAND_", hand.name()), some(cards.clone())])
        }
        EventView::StockExhausted => ("stock_exhausted", vec![]),
        EventView::Ruled { id, points } => {
            return detailed("ruled", vec![some(i64::from(*id))], gains(points, say), say);
        }
        EventView::Disputed { open } => ("disputed", vec![flag(*open)]),
        EventView::Signed { side } => ("signed", vec![some(*side)]),
        EventView::Scored => ("scored", vec![]),
    };
    fill(named(EVENTS, name), facts, say)
}

/// Returns an action in words, as a button names it.
pub fn action(action: &Action, say: Say<'_>) -> String {
    let facts = match action {
        Action::Deal(_)
        | Action::DrawCards(_)
        | Action::DrawStock
        | Action::TakeTop
        | Action::RestorePile
        | Action::TakeTalon
        | Action::Pass
        | Action::EndRound => vec![],
        Action::TakePile(TakePile { with, onto, also }) => {
            [cards(with), groups(also, say)].into_iter().chain(target(*onto)).collect()
        }
        Action::LayThrees(cards) => vec![some(cards.clone())],
        Action::Meld(of) => vec![groups(of, say)],
        Action::MergeMelds { a, b } => vec![some(*a), some(*b)],
        Action::UndoMeld { meld, cards } => vec![some(*meld), some(cards.clone())],
        Action::Ask { about, to, with } => {
            let (melds, discard) =
                with.as_deref().map_or((None, None), |way| (groups(&way.groups, say), way.discard));
            vec![coded("ABOUT_", word(&ABOUTS, *about)), to.map(Fact::from), melds, discard.map(Fact::from)]
        }
        Action::Answer { yes } => vec![flag(*yes)],
        Action::SpecialHand(hand) => vec![coded("SPECIAL_HAND_", hand.name())],
        Action::Discard(card) => vec![some(*card)],
        Action::CallReveal { of } => vec![some(*of)],
        Action::Ruling(of) => return ruling(of, say),
        Action::Dispute { open, reason } => {
            let reason = (!reason.is_empty()).then(|| reason.escape_debug().collect::<String>());
            vec![flag(*open), reason.map(Fact::from)]
        }
        Action::Sign { side } => vec![some(*side)],
    };
    fill(&ACTIONS[action.kind() as usize], facts, say)
}

/// Returns an action of which only the kind is known.
pub fn hidden(kind: ActionKind, say: Say<'_>) -> String {
    phrase("hidden", vec![some(kind.name())], say)
}

fn ruling(of: &Ruling, say: Say<'_>) -> String {
    let effect = &of.effect;
    let facts = vec![
        some(i64::from(of.id)),
        coded("AUTHORITY_", word(&AUTHORITIES, of.by)),
        some(of.rule.clone()),
        some(of.points),
        some(of.side),
        of.offender.map(Fact::from),
        of.reverses.map(|id| i64::from(id).into()),
        of.signature.map(|_| "signed".into()),
    ];
    let gained = gains(&effect.points, say);
    let ordered = vec![
        some(if effect.position.is_some() { "position" } else { word(&EFFECTS, effect.kind) }),
        some(effect.by.or(effect.award).unwrap_or(0)),
        some(effect.side.unwrap_or(of.side)),
        effect.seat.map(Fact::from),
        some(effect.cards.clone()),
        some(effect.until.unwrap_or(0)),
        some(effect.to_seq.unwrap_or(0).to_string()),
        effect.action.as_ref().map(|stands| action(stands, say).into()),
        gained,
    ];
    fill(named(ACTIONS, "ruling"), facts, say) + &phrase("effect", ordered, say)
}

/// Returns the heading of a score line.
pub fn score_line(item: Item, count: Option<u16>, say: Say<'_>) -> String {
    fill(&SCORE_LINES[item as usize], vec![count.map(Fact::from)], say)
}

/// Returns that a round is over, and how it ended.
pub fn round_over(end: String, say: Say<'_>) -> String {
    phrase("round_over", vec![some(end)], say)
}

/// Returns how a round ended, and by whom.
pub fn end(reason: EndReason, by: Option<Seat>, concealed: bool, say: Say<'_>) -> String {
    phrase("end", vec![some(reason.name()), by.map(Fact::from), flag(concealed)], say)
}

/// Returns the melds of a kind as people call them, without an article: `sevens`, `wild cards`.
pub fn meld_name(kind: MeldKind, rank: Option<Rank>, say: Say<'_>) -> String {
    let of = match (kind, rank) {
        (MeldKind::Set, Some(rank)) => some(String::from(rank.letter())),
        _ => some(word(&MELD_KINDS, kind)),
    };
    phrase("meld_name", vec![of], say)
}

/// Returns a meld by its name. `nth` counts the melds of that name from 1; it is 0 if there is only one.
pub fn meld(name: String, nth: u8, say: Say<'_>) -> String {
    phrase("meld", vec![some(name), some(nth)], say)
}

/// Returns what stands for a meld of which nothing is known.
pub fn unknown_meld(say: Say<'_>) -> String {
    phrase("unknown_meld", vec![], say)
}

/// Returns the name of an actor who is no seat.
pub fn official(actor: As, say: Say<'_>) -> String {
    let actor = match actor {
        As::Table => "table",
        As::Judge => "judge",
        As::Director => "director",
        As::Seat(_) | As::Spectator => "spectator",
    };
    phrase("actor", vec![some(actor)], say)
}

/// Returns what an actor tried to do.
pub fn tried(actor: String, action: String, say: Say<'_>) -> String {
    phrase("tried", vec![some(actor), some(action)], say)
}

/// Returns the record before a deal in words.
pub fn registered(of: &Register, say: Say<'_>) -> String {
    let [round, attempt] = [of.round, of.attempt].map(|number| some(i64::from(number)));
    phrase("registered", vec![round, attempt, of.dealer.map(Fact::from)], say)
}

/// Returns that the game is over, and the name of who has won.
pub fn game_over(winner: Option<String>, say: Say<'_>) -> String {
    phrase("game_over", vec![winner.map(Fact::from)], say)
}

/// Returns a line about a table or a record: a message of `table.txt` with its facts, in order.
///
/// # Panics
/// If the table has no message of this name.
pub fn line(name: &str, facts: Facts, say: Say<'_>) -> String {
    fill(named(TABLE, name), facts, say)
}

fn named(wordings: &'static [Wording], name: &str) -> &'static Wording {
    wordings.iter().find(|wording| wording.name == name).expect("the tables are complete")
}

fn fill(wording: &'static Wording, facts: Facts, say: Say<'_>) -> String {
    let rows = wording.facts.iter().zip(facts);
    say(wording, &rows.filter_map(|(row, fact)| Some((row.name, fact?))).collect::<Vec<_>>())
}

fn phrase(name: &str, facts: Facts, say: Say<'_>) -> String {
    fill(named(PHRASES, name), facts, say)
}

fn detailed(name: &str, facts: Facts, detail: Option<Fact>, say: Say<'_>) -> String {
    let detail = detail.map_or_else(String::new, |detail| format!(": {detail}"));
    fill(named(EVENTS, name), facts, say) + &detail
}

/// Returns a fact that is there.
pub fn some(of: impl Into<Fact>) -> Option<Fact> {
    Some(of.into())
}

/// Returns the fact of something that is so or not.
pub fn flag(of: bool) -> Option<Fact> {
    some(if of { "true" } else { "false" })
}

/// Returns the name of a choice in the interface, by which templates know it: `GRADE_WILD`.
fn coded(prefix: &str, word: &str) -> Option<Fact> {
    some(format!("{prefix}{}", word.to_ascii_uppercase()))
}

fn cards(of: &CardList) -> Option<Fact> {
    (!of.is_empty()).then(|| of.clone().into())
}

fn seen(seat: Seat, of: &Seen) -> Facts {
    let shown = if let Seen::Cards(of) = of { cards(of) } else { None };
    vec![some(seat), shown, some(of.len())]
}

/// Returns phrases with a sign between two; `None` for none.
fn joined(phrases: impl Iterator<Item = String>, sign: &str) -> Option<Fact> {
    let phrases: Vec<String> = phrases.collect();
    (!phrases.is_empty()).then(|| phrases.join(sign).into())
}

fn hands<'a>(of: impl Iterator<Item = (Seat, &'a CardList)>, say: Say<'_>) -> Option<Fact> {
    let hand = |(seat, cards): (Seat, &CardList)| phrase("hand", vec![some(seat), some(cards.clone())], say);
    joined(of.map(hand), " · ")
}

fn gains(points: &[i32], say: Say<'_>) -> Option<Fact> {
    let gain = |(side, points): (u8, &i32)| phrase("gain", vec![some(*points), some(Side(side))], say);
    joined((0..).zip(points).filter(|(_, points)| **points != 0).map(gain), ", ")
}

fn groups(of: &[Group], say: Say<'_>) -> Option<Fact> {
    let group = |group: &Group| {
        let facts = [some(word(&MELD_KINDS, group.kind)), flag(group.top), some(group.cards.clone())];
        phrase("group", facts.into_iter().chain(target(group.onto)).collect(), say)
    };
    joined(of.iter().map(group), " · ")
}

/// Returns where cards are laid: the meld, whether it is a new one, the side that is named.
fn target(of: Onto) -> [Option<Fact>; 3] {
    match of {
        Onto::Auto => [None, None, None],
        Onto::New => [None, some("PLACE_NEW"), None],
        Onto::Meld { side, id } => [some(id), None, side.map(Fact::from)],
    }
}
