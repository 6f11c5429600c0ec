//! Questions in one line: `ask S with 6c 6d 6h / 9h onto 0 discard 5c`.

use super::{groups, write_groups, write_list, write_word};
use crate::action::{About, Action, Groups, NamedWay};
use crate::notation::Names;
use crate::notation::span::{Read, Span};
use crate::seat::Seat;
use alloc::boxed::Box;
use alloc::string::String;

/// Parses `[seat] [courtesy] [with group / group ...] [discard card]`.
pub fn read(rest: Span<'_>, names: Names<'_>) -> Read<Action> {
    let (head, with) = match rest.words().find(|word| word.is("with") || word.is("discard")) {
        Some(word) => {
            let at = word.at - rest.at;
            let way = named_way(rest.part(at, rest.text.len()), names)?;
            (rest.part(0, at).trim(), Some((word, Box::new(way))))
        }
        None => (rest, None),
    };
    let (first, last) = names.word(head);
    let (to, last) = match first.is_empty() || first.is("courtesy") {
        true => (None, head),
        false => (Some(first), last),
    };
    let courtesy = last.is("courtesy");
    let about = if courtesy { About::Courtesy } else { About::GoOut };
    if let Some((word, _)) = with.as_ref().filter(|_| courtesy) {
        return Err(word.error("the end of the action"));
    }
    if !courtesy && !last.is_empty() {
        return Err(head.error("one seat"));
    }
    let to = to.map(|to| names.seat(to)).transpose()?;
    Ok(Action::Ask { about, to, with: with.map(|(_, way)| way) })
}

/// Parses `[with group / group ...] [discard card]`.
fn named_way(rest: Span<'_>, names: Names<'_>) -> Read<NamedWay> {
    let last = rest.words().find(|word| word.is("discard"));
    let (laid, discard) = match last {
        Some(word) => {
            let at = word.at - rest.at;
            let card = rest.part(at + word.text.len(), rest.text.len()).trim();
            match card.cards()?.as_slice() {
                [(one, _)] => (rest.part(0, at).trim(), Some(*one)),
                _ => return Err(card.error("one card")),
            }
        }
        None => (rest, None),
    };
    if laid.is_empty() {
        return Ok(NamedWay { groups: Groups::new(), discard });
    }
    let (_, laid) = laid.word();
    let groups = if laid.text == "-" { Groups::new() } else { groups(laid, names)? };
    Ok(NamedWay { groups, discard })
}

/// Appends everything after the verb.
pub fn write(about: About, to: Option<Seat>, with: Option<&NamedWay>, names: Names<'_>, out: &mut String) {
    if let Some(to) = to {
        write_word(&names.seat_name(to), out);
    }
    if about == About::Courtesy {
        out.push_str(" courtesy");
    }
    if let Some(way) = with {
        write_way(way, names, out);
    }
}

fn write_way(way: &NamedWay, names: Names<'_>, out: &mut String) {
    if !way.groups.is_empty() || way.discard.is_none() {
        out.push_str(" with");
    }
    if way.groups.is_empty() && way.discard.is_none() {
        out.push_str(" -");
    }
    write_groups(&way.groups, names, out);
    if let Some(card) = way.discard {
        out.push_str(" discard");
        write_list(&[card], out);
    }
}
