//! The encoder: from a game to its token.

use super::{
    BEACON, BYTES_BITS, COMMITTED, DIRECTOR, KEYED, MAGIC, PENALTIES, RECORDS_BITS, RULED, VERSION, house,
};
use crate::game::Game;
use alloc::vec::Vec;
use canasta_log::dealing::{DealSource, Entries, Registration};
use canasta_rules::pack::bits::{BitWriter, ROOM};
use canasta_rules::pack::{self, COUNT_BITS, KIND_BITS};
use canasta_rules::table::Phase;

/// The number of whole bytes of the token of a preset's game with a secret, without keys.
const BYTES: usize = 4 + 16 + 32 + 64 + 8;

/// Returns the token of `game`, nearly always with one allocation if the rules are those of a preset.
pub fn encode(game: &Game) -> Vec<u8> {
    let mut out = Vec::new();
    encode_into(game, &mut out);
    out
}

/// Appends the token of `game` to `out`.
///
/// # Panics
/// If an explicit wall has more than 324 cards: no pack has so many cards.
pub fn encode_into(game: &Game, out: &mut Vec<u8>) {
    out.reserve_exact(BYTES + ROOM);
    write_bytes(game, out);
    let mut writer = BitWriter::new(out);
    if let DealSource::Wall { wall, .. } = &game.dealing.source {
        pack::write_wall(wall, &mut writer);
    }
    writer.number(game.link.n, 64);
    let write_length = |writer: &mut BitWriter<'_>| {
        writer.number(game.length.records.into(), RECORDS_BITS);
        writer.number(game.length.bytes.into(), BYTES_BITS);
    };
    pack::write(&game.table, write_length, &mut writer);
    writer.finish();
}

/// Returns an upper bound for the number of bytes of the game's token. The bound depends only on facts that
/// anyone can read in the log: the rules, the kind of source (and the number of cards of a given wall, but
/// not the secret or the cards), the number of keys, the number of registered seats, and whether there are
/// rulings.
pub fn max_len(game: &Game) -> usize {
    let rules = &**game.table.rules();
    let source = match &game.dealing.source {
        DealSource::Seeded(_) | DealSource::Round(_) => 64,
        DealSource::Wall { wall, .. } => {
            32 + (COUNT_BITS as usize + wall.len() * KIND_BITS as usize).div_ceil(8)
        }
        DealSource::Unknown => 0,
    };
    let house = if rules.is_house() { 2 + rules.canonical().len() * 2 + rules.id().len() } else { 0 };
    let keys = 1 + 32 * game.keys.iter().flatten().chain(&game.director).count() + 2;
    let registered = |entries: &Entries| 1 + 32 * entries.seats.iter().flatten().count();
    let entries = game.dealing.entries.as_deref().map_or(0, registered);
    4 + 16 + 32 + source + 8 + house + keys + entries + pack::max_bits(&game.table).div_ceil(8) as usize
}

/// Whether the token has the byte of keys.
fn is_keyed(game: &Game) -> bool {
    !game.keys.is_empty() || game.director.is_some() || game.penalties.is_some()
}

/// Appends the fields that stand in whole bytes.
fn write_bytes(game: &Game, out: &mut Vec<u8>) {
    let (dealing, table) = (&game.dealing, &game.table);
    let rules = &**table.rules();
    let source = match dealing.source {
        DealSource::Seeded(_) => 0,
        DealSource::Round(_) => 1,
        DealSource::Wall { .. } => 2,
        DealSource::Unknown => 3,
    };
    let flags = u8::from(rules.is_house())
        | u8::from(game.registration == Registration::ByTable) << 1
        | source << 2
        | u8::from(game.expires_at.is_some()) << 4
        | (table.phase() as u8) << 5;
    let ruled = if table.has_rulings() { RULED } else { 0 };
    let keyed = if is_keyed(game) { KEYED } else { 0 };
    let committed = if dealing.entries.is_some() { COMMITTED } else { 0 };
    out.extend_from_slice(&[MAGIC, VERSION, rules.base().number() | ruled | keyed | committed, flags]);
    out.extend_from_slice(&dealing.game_id.0);
    out.extend_from_slice(&game.link.head);
    match &dealing.source {
        DealSource::Seeded(secret) => out.extend_from_slice(&secret.0),
        DealSource::Round(secret) => out.extend_from_slice(&secret.0),
        DealSource::Wall { salt, .. } => out.extend_from_slice(&salt.0),
        DealSource::Unknown => {}
    }
    if let Some(expires_at) = game.expires_at {
        out.extend_from_slice(&expires_at.to_le_bytes());
    }
    if rules.is_house() {
        house::write(rules, out);
    }
    if is_keyed(game) {
        let players = game.keys.iter().rev().fold(0, |bits, key| bits << 1 | u8::from(key.is_some()));
        let director = if game.director.is_some() { DIRECTOR } else { 0 };
        let penalties = if game.penalties.is_some() { PENALTIES } else { 0 };
        out.push(players | director | penalties);
        game.keys.iter().flatten().chain(&game.director).for_each(|key| out.extend_from_slice(key));
        out.extend(game.penalties.iter().flat_map(|version| version.to_le_bytes()));
    }
    if let Some(entries) = dealing.entries.as_ref().filter(|_| table.phase() == Phase::Deal) {
        let seats = entries.seats.iter().rev().fold(0, |bits, seat| bits << 1 | u8::from(seat.is_some()));
        out.push(seats | if entries.beacon { BEACON } else { 0 });
        entries.seats.iter().flatten().for_each(|seat| out.extend_from_slice(&seat.0));
    }
}
