//! Actions as they are typed, which are read again once their cards have suits.

use alloc::vec::Vec;
use canasta_rules::action::Action;
use canasta_rules::card::Card;
use canasta_rules::notation::Names;
use canasta_rules::notation::action::{action, known_cards};
use canasta_rules::notation::span::{Read, Span};

/// Reads an action, and the cards that it brought out.
pub(in super::super) fn typed_action(
    body: Span<'_>,
    gets: Option<Span<'_>>,
    names: Names<'_>,
) -> Read<(Action, Option<Vec<Option<Card>>>)> {
    let known = |span: Span<'_>| known_cards(names.suited(span));
    let received = gets.map(known).transpose()?;
    let (verb, rest) = body.word();
    if !verb.is("draw") || rest.is_empty() {
        return Ok((action(names.suited(body), names)?, received));
    }
    match received {
        Some(_) => Err(rest.error("drawn cards once")),
        None => Ok((Action::DrawStock, Some(known(rest)?))),
    }
}
