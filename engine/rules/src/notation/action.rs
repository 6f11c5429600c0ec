//! Actions in one line: `take Ks Kh also Qs Qh 2c`, `S: answer yes`.

use super::span::{Read, Span};
use super::words::{ROLES, quote, role_name, unquote};
use super::{Names, NotationError, write_cards};
use crate::action::{Action, As, CardList, Deal, Group, Groups, MeldKind, Onto, SpecialHand, TakePile};
use crate::card::{Card, Class};
use crate::hex::hex;
use crate::rules::RuleSet;
use crate::seat::Seat;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

mod ask;
mod ruling;
mod target;

/// An action and the actor that proposes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The actor; `None` stands for the seat or role that must act.
    pub actor: Option<As>,
    /// The proposed action.
    pub action: Action,
}

const KINDS: [(&str, MeldKind); 6] = [
    ("set", MeldKind::Set),
    ("wild", MeldKind::Wild),
    ("sequence", MeldKind::Sequence),
    ("black_threes", MeldKind::BlackThrees),
    ("black", MeldKind::BlackThrees),
    ("threes", MeldKind::BlackThrees),
];

/// Actions that are spelled as one word.
const WORDS: [(&str, Action); 6] = [
    ("draw", Action::DrawStock),
    ("take_top", Action::TakeTop),
    ("restore_pile", Action::RestorePile),
    ("take_talon", Action::TakeTalon),
    ("pass", Action::Pass),
    ("end_round", Action::EndRound),
];

impl Proposal {
    /// Parses one line. Whether the action is legal is checked by [`crate::check`] only.
    ///
    /// # Errors
    /// If `text` is no action; the error has the offset of the first fault.
    pub fn parse(text: &str, set: &RuleSet) -> Result<Self, NotationError> {
        Names::of(set).proposal(text)
    }

    /// Returns the strict text; `None` for a ruling whose effect lacks a field that its kind needs.
    pub fn to_text(&self, set: &RuleSet) -> Option<String> {
        let names = Names::of(set);
        let mut out = match self.actor {
            None => String::new(),
            Some(As::Seat(seat)) => names.seat_name(seat) + ": ",
            Some(role) => String::from(role_name(role)) + ": ",
        };
        write_action(&self.action, names, &mut out)?;
        Some(out)
    }
}

pub(super) fn actor(name: Span<'_>, names: Names<'_>) -> Read<As> {
    let role = ROLES.into_iter().find(|(role, _)| name.is(role)).map(|(_, actor)| actor);
    let actor = match role {
        Some(role) => Some(role),
        None => names.seat_or_none(name)?.map(As::Seat),
    };
    actor.ok_or_else(|| name.error("a seat, table, judge, director or spectator"))
}

/// Parses an action.
pub fn action(body: Span<'_>, names: Names<'_>) -> Read<Action> {
    let (verb, rest) = body.word();
    let plain = |action: Action| rest.finish("the end of the action").map(|()| action);
    if let Some((_, action)) = WORDS.iter().find(|(word, _)| verb.is(word)) {
        return plain(action.clone());
    }
    match verb.text.to_ascii_lowercase().as_str() {
        "end" => plain(Action::EndRound),
        "deal" => deal(rest, names),
        "draw_cards" => Ok(Action::DrawCards(rest.words().map(Span::card_list).collect::<Read<_>>()?)),
        "take" => take(rest, names),
        "meld" if rest.text == "-" => Ok(Action::Meld(Groups::new())),
        "meld" => Ok(Action::Meld(groups(rest, names)?)),
        "discard" => match rest.cards()?.as_slice() {
            [(card, _)] => Ok(Action::Discard(*card)),
            _ => Err(rest.error("one card")),
        },
        "lay_threes" => Ok(Action::LayThrees(rest.card_list()?)),
        "ask" => ask::read(rest, names),
        "answer" if rest.is("yes") => Ok(Action::Answer { yes: true }),
        "answer" if rest.is("no") => Ok(Action::Answer { yes: false }),
        "answer" => Err(rest.error("yes or no")),
        "merge_melds" => {
            let (a, b) = rest.word();
            Ok(Action::MergeMelds { a: a.meld()?, b: b.meld()? })
        }
        "undo_meld" => {
            let (meld, named) = rest.word();
            Ok(Action::UndoMeld { meld: meld.meld()?, cards: named.card_list()? })
        }
        "special_hand" => {
            let hands = [SpecialHand::Straight, SpecialHand::Pairs, SpecialHand::Garbage];
            let hand = hands.into_iter().find(|hand| rest.is(hand.name()));
            hand.map(Action::SpecialHand).ok_or_else(|| rest.error("straight, pairs or garbage"))
        }
        "call_reveal" => Ok(Action::CallReveal { of: names.seat(rest)? }),
        "dispute" => dispute(rest),
        "ruling" => ruling::read(rest, names),
        "sign" => Ok(Action::Sign { side: names.side(rest)? }),
        _ => Err(verb.error("an action such as draw, take, meld, discard, ask or answer")),
    }
}

/// Parses `open` or `close`, and an optional reason in quotes.
fn dispute(rest: Span<'_>) -> Read<Action> {
    let (word, after) = rest.word();
    let open = word.is("open");
    if !open && !word.is("close") {
        return Err(word.error("open or close"));
    }
    if after.is_empty() {
        return Ok(Action::Dispute { open, reason: String::new() });
    }
    let (reason, after) = unquote(after)?;
    after.finish("the end of the action").map(|()| Action::Dispute { open, reason })
}

/// Parses `[cards] [onto meld] [also group / group ...]`.
fn take(rest: Span<'_>, names: Names<'_>) -> Read<Action> {
    let (own, also) = match rest.words().find(|word| word.is("also")) {
        Some(word) => {
            let from = word.at - rest.at;
            let after = Span { text: &rest.text[from + 4..], at: word.at + 4, ..word };
            (Span { text: &rest.text[..from], ..rest }.trim(), Some(after.trim()))
        }
        None => (rest, None),
    };
    let parts = parts(own, names)?;
    if let Some(word) = parts.kind.map(|(_, word)| word).or(parts.top) {
        return Err(word.error("onto, also, or the end of the action"));
    }
    let also = also.map_or_else(|| Ok(Groups::new()), |also| groups(also, names))?;
    Ok(Action::TakePile(TakePile { with: parts.cards, onto: parts.onto, also }))
}

/// Parses groups between `/` or semicolons.
fn groups(rest: Span<'_>, names: Names<'_>) -> Read<Groups> {
    rest.split(&['/', ';']).map(|span| group(span, names)).collect()
}

fn group(span: Span<'_>, names: Names<'_>) -> Read<Group> {
    if span.is_empty() {
        return Err(span.error("a group of cards, or - for one without cards"));
    }
    let Parts { cards, onto, kind, top } = parts(span, names)?;
    let kind = kind.map_or_else(|| usual_kind(&cards, onto, top.is_some()), |(kind, _)| kind);
    Ok(Group { kind, onto, top: top.is_some(), cards })
}

/// Returns the kind of a group without a written kind: all black threes; all wild and no meld named; else a set.
fn usual_kind(cards: &[Card], onto: Onto, top: bool) -> MeldKind {
    let all = |class| !top && !cards.is_empty() && cards.iter().all(|card| card.class() == class);
    if all(Class::BlackThree) {
        MeldKind::BlackThrees
    } else if all(Class::Wild) && !matches!(onto, Onto::Meld { .. }) {
        MeldKind::Wild
    } else {
        MeldKind::Set
    }
}

struct Parts<'a> {
    cards: CardList,
    onto: Onto,
    kind: Option<(MeldKind, Span<'a>)>,
    /// The word `top`, if the group contains the pending top.
    top: Option<Span<'a>>,
}

/// Parses cards, `top`, `onto X` or `>X`, and the kind: `as KIND`, or KIND at the beginning.
fn parts<'a>(span: Span<'a>, names: Names<'_>) -> Read<Parts<'a>> {
    let mut parts = Parts { cards: CardList::new(), onto: Onto::Auto, kind: None, top: None };
    let mut onto = None;
    let mut words = span.words().peekable();
    let kind_of = |word: Span<'_>| KINDS.iter().find(|(name, _)| word.is(name)).map(|&(_, kind)| kind);
    if let Some(kind) = words.peek().and_then(|&word| Some((kind_of(word)?, word))) {
        parts.kind = Some(kind);
        words.next();
    }
    while let Some(word) = words.next() {
        let target = if word.is("onto") {
            Some(words.next().ok_or_else(|| word.error("onto and a meld"))?)
        } else {
            word.text.strip_prefix('>').map(|text| Span { text, at: word.at + 1, ..word })
        };
        if let Some(target) = target {
            if onto.is_some() {
                return Err(target.error("one meld to go onto"));
            }
            onto = Some(self::onto(target, names)?);
        } else if let Some(kind) = words.peek().and_then(|&next| kind_of(next)).filter(|_| word.text == "as")
        {
            // Without a kind after it, `as` is the ace of spades.
            let name = words.next().unwrap_or(word);
            if parts.kind.is_some() {
                return Err(name.error("one kind of meld"));
            }
            parts.kind = Some((kind, name));
        } else if word.is("top") && parts.top.is_none() {
            parts.top = Some(word);
        } else {
            parts.cards.extend(word.card_list::<CardList>()?);
        }
    }
    parts.onto = onto.unwrap_or_default();
    Ok(parts)
}

/// Parses `auto`, `new`, a meld of the own side, or `SIDE:meld`.
fn onto(word: Span<'_>, names: Names<'_>) -> Read<Onto> {
    if word.is("new") {
        return Ok(Onto::New);
    }
    if word.is("auto") {
        return Ok(Onto::Auto);
    }
    match word.cut(':') {
        None => Ok(Onto::Meld { side: None, id: word.meld()? }),
        Some((side, id)) => Ok(Onto::Meld { side: Some(names.side(side)?), id: id.meld()? }),
    }
}

/// Parses cuts, contributions, the beacon's signature, and what a transcript knows: the hands by seat (cards, or a
/// number of cards) and the upcards.
fn deal(rest: Span<'_>, names: Names<'_>) -> Read<Action> {
    let mut deal = Deal::default();
    let mut words = names.words(rest).peekable();
    while let Some(word) = words.next() {
        if word.is("hands") && deal.hands.is_empty() {
            while let Some((seat, cards)) = words.peek().and_then(|word| word.cut('=')) {
                let at = names.seat_or_none(seat)?.map(Seat::index);
                if at != Some(deal.hands.len()) {
                    return Err(seat.error("the hands of all seats, in order"));
                }
                deal.hands.push(known_cards(cards)?);
                words.next();
            }
            continue;
        }
        if word.is("upcards") && deal.upcards.is_empty() {
            while let Some(card) = words.next_if(|word| !DEAL_WORDS.iter().any(|name| word.is(name))) {
                deal.upcards.extend(known_cards(card)?);
            }
            continue;
        }
        if word.is("contributions") && deal.contributions.is_empty() {
            while let Some(word) = words.next_if(|word| word.text.len() == 64 || word.text == "-") {
                deal.contributions.push(if word.text == "-" { None } else { Some(word.hex()?) });
            }
            continue;
        }
        if word.is("signature") && deal.signature.is_none() {
            let signature = words.next().ok_or_else(|| word.error("a signature after it"))?;
            deal.signature = Some(signature.hex_bytes()?);
            continue;
        }
        let cut = if word.is("lifted") { &mut deal.lifted } else { &mut deal.foot_lifted };
        if !(word.is("lifted") || word.is("feet")) || cut.is_some() {
            return Err(word
                .error("lifted, feet, contributions, signature, hands, upcards, or the end of the action"));
        }
        let count = words.next().ok_or_else(|| word.error("a number of cards after it"))?;
        *cut = Some(count.number("a number of cards")?);
    }
    Ok(Action::Deal(Box::new(deal)))
}

/// Words that begin a part of a deal.
const DEAL_WORDS: [&str; 6] = ["lifted", "feet", "contributions", "signature", "hands", "upcards"];

/// Parses cards side by side, with `??` for an unknown card; or the number of cards, if all are unknown.
pub fn known_cards(text: Span<'_>) -> Read<Vec<Option<Card>>> {
    if let Some(count) = super::number(text.text) {
        let bounded = usize::from(count) <= crate::card::CARDS_MAX;
        return if bounded {
            Ok(alloc::vec![None; count.into()])
        } else {
            Err(text.error("no more cards than there are"))
        };
    }
    text.some_cards(Span::card_list)
}

fn write_deal(deal: &Deal, names: Names<'_>, out: &mut String) {
    let Deal { lifted, foot_lifted, .. } = *deal;
    for (name, count) in [(" lifted ", lifted), (" feet ", foot_lifted)] {
        if let Some(count) = count {
            out.push_str(name);
            out.push_str(&alloc::format!("{count}"));
        }
    }
    for (i, contribution) in deal.contributions.iter().enumerate() {
        out.push_str(if i == 0 { " contributions " } else { " " });
        out.push_str(&contribution.map_or_else(|| String::from("-"), |bytes| hex(&bytes)));
    }
    if let Some(signature) = &deal.signature {
        out.push_str(&alloc::format!(" signature {}", hex(signature)));
    }
    for (seat, hand) in deal.hands.iter().enumerate() {
        out.push_str(if seat == 0 { " hands " } else { " " });
        out.push_str(&names.seat_name(Seat(seat as u8)));
        out.push('=');
        write_known(hand, out);
    }
    if !deal.upcards.is_empty() {
        out.push_str(" upcards ");
        write_known(&deal.upcards, out);
    }
}

/// Appends cards as [`known_cards`] parses them.
pub fn write_known(cards: &[Option<Card>], out: &mut String) {
    if cards.iter().all(Option::is_none) {
        return out.push_str(&alloc::format!("{}", cards.len()));
    }
    cards.iter().for_each(|card| match card {
        Some(card) => out.push_str(&alloc::format!("{card}")),
        None => out.push_str("??"),
    });
}

/// Appends an action. Returns `None` if the action has no notation.
pub fn write_action(action: &Action, names: Names<'_>, out: &mut String) -> Option<()> {
    if let Some((word, _)) = WORDS.iter().find(|(_, plain)| plain == action) {
        out.push_str(word);
        return Some(());
    }
    out.push_str(match action {
        Action::TakePile(_) => "take",
        Action::Dispute { open: true, .. } => "dispute open",
        Action::Dispute { open: false, .. } => "dispute close",
        _ => action.kind().name(),
    });
    match action {
        Action::Deal(deal) => write_deal(deal, names, out),
        Action::DrawCards(picks) => {
            for picks in picks {
                out.push_str(if picks.is_empty() { " -" } else { " " });
                write_cards(out, picks.iter().copied(), "");
            }
        }
        Action::TakePile(take) => {
            if !take.with.is_empty() {
                write_list(&take.with, out);
            }
            write_onto(take.onto, names, out);
            if !take.also.is_empty() {
                out.push_str(" also");
                write_groups(&take.also, names, out);
            }
        }
        Action::Meld(groups) if groups.is_empty() => out.push_str(" -"),
        Action::Meld(groups) => write_groups(groups, names, out),
        Action::Discard(card) => write_list(&[*card], out),
        Action::LayThrees(cards) => write_list(cards, out),
        Action::Ask { about, to, with } => ask::write(*about, *to, with.as_deref(), names, out),
        Action::Answer { yes } => out.push_str(if *yes { " yes" } else { " no" }),
        Action::MergeMelds { a, b } => write!(out, " {} {}", a.0, b.0).ok()?,
        Action::UndoMeld { meld, cards } => {
            write!(out, " {}", meld.0).ok()?;
            write_list(cards, out);
        }
        Action::SpecialHand(hand) => write_word(hand.name(), out),
        Action::CallReveal { of } => write_word(&names.seat_name(*of), out),
        Action::Sign { side } => write_word(&names.side_name(*side), out),
        Action::Dispute { reason, .. } if !reason.is_empty() => {
            out.push(' ');
            quote(reason, out);
        }
        Action::Ruling(ruling) => ruling::write(ruling, names, out)?,
        _ => {}
    }
    Some(())
}

fn write_word(word: &str, out: &mut String) {
    out.push(' ');
    out.push_str(word);
}

/// Appends cards in the given order, `-` if there are none.
fn write_list(cards: &[Card], out: &mut String) {
    out.push(' ');
    write_cards(out, cards.iter().copied(), " ");
    if cards.is_empty() {
        out.push('-');
    }
}

fn write_groups(groups: &[Group], names: Names<'_>, out: &mut String) {
    for (i, group) in groups.iter().enumerate() {
        out.push_str(if i > 0 { " /" } else { "" });
        if group.top {
            out.push_str(" top");
        }
        if !(group.top && group.cards.is_empty()) {
            write_list(&group.cards, out);
        }
        write_onto(group.onto, names, out);
        // `-` alone would mean that there is no group at all.
        let bare = group.cards.is_empty() && !group.top;
        if bare || group.kind != usual_kind(&group.cards, group.onto, group.top) {
            out.push_str(" as ");
            out.push_str(group.kind.name());
        }
    }
}

fn write_onto(onto: Onto, names: Names<'_>, out: &mut String) {
    match onto {
        Onto::Auto => {}
        Onto::New => out.push_str(" onto new"),
        Onto::Meld { side: None, id } => write_word(&alloc::format!("onto {}", id.0), out),
        Onto::Meld { side: Some(side), id } => {
            write_word(&alloc::format!("onto {}:{}", names.side_name(side), id.0), out);
        }
    }
}
