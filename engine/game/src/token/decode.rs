//! The decoder: from any bytes to a game or an error.

use super::{
    BEACON, BYTES_BITS, COMMITTED, Catalogue, DIRECTOR, KEYED, MAGIC, PENALTIES, RECORDS_BITS, RULED,
    VERSION, house,
};
use crate::game::{Game, Link};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::Length;
use canasta_log::deal::{Commitment, GameId, GameSecret, RoundSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, Entries, Registration};
use canasta_rules::pack::bits::BitReader;
use canasta_rules::pack::{self, TokenError, TokenErrorKind};
use canasta_rules::rules::{PresetId, Rules};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};

/// Decodes a token. The rules of a preset come from `catalogue`; the rules of a house rule are prepared here.
///
/// Every decoded game is valid, and encodes to `bytes` again. Memory is allocated only for bytes that are
/// known to be there; for a preset at most a few KiB in all.
///
/// # Errors
/// The first fault, in the order in which fields are read.
pub fn decode(bytes: &[u8], catalogue: &Catalogue) -> Result<Game, TokenError> {
    let mut reader = BitReader::new(bytes);
    let read = read_bytes(&mut reader, catalogue)?;
    // The table is large, so it is read in its place.
    let mut game = Game {
        table: Table::blank((*read.rules).clone(), read.phase),
        dealing: Dealing { game_id: GameId([0; 16]), source: DealSource::Unknown, entries: None },
        registration: read.registration,
        expires_at: None,
        link: Link { n: 0, head: [0; 32] },
        keys: Vec::new(),
        director: None,
        penalties: None,
        length: Length::default(),
    };
    let ruled = read.ruled;
    read.put_into(&mut game);
    read_bits(&mut game, ruled, reader)?;
    Ok(game)
}

/// Decodes a token as [`decode`] does, into a game whose memory is used again: no memory is allocated if its lists
/// are long enough.
///
/// # Errors
/// As [`decode`]. The game is then the one that it was before, or a new game whose first register is due.
pub fn decode_into(game: &mut Game, bytes: &[u8], catalogue: &Catalogue) -> Result<(), TokenError> {
    let mut reader = BitReader::new(bytes);
    let read = read_bytes(&mut reader, catalogue)?;
    pack::reset(&mut game.table, &read.rules, read.phase);
    game.length = Length::default();
    let ruled = read.ruled;
    read.put_into(game);
    read_bits(game, ruled, reader)
        .inspect_err(|_| game.table = Table::new(game.table.rules().clone(), Seat(0)))
}

/// Reads the fields after the whole bytes.
#[inline(always)]
fn read_bits(game: &mut Game, ruled: bool, mut reader: BitReader<'_>) -> Result<(), TokenError> {
    if let DealSource::Wall { wall, .. } = &mut game.dealing.source {
        *wall = pack::read_wall(&mut reader)?;
    }
    game.link.n = reader.number(64, "n")?;
    let length = &mut game.length;
    let read_length = |reader: &mut BitReader<'_>| {
        length.records = reader.number(RECORDS_BITS, "records")? as u16;
        length.bytes = reader.number(BYTES_BITS, "bytes")? as u32;
        Ok(())
    };
    let end = pack::read(&mut game.table, ruled, read_length, reader)?;
    if !length.is_allowed() {
        return Err(TokenErrorKind::Invariant("a round is no longer than the log allows").at(end));
    }
    Ok(())
}

/// The fields that stand in whole bytes. Long ones stay where they are until [`Bytes::put_into`] copies them: a processor
/// waits if it copies what it has just stored in other portions.
struct Bytes<'c, 'b> {
    rules: Cow<'c, Arc<Rules>>,
    game_id: &'b [u8; 16],
    head: &'b [u8; 32],
    source: SourceBytes<'b>,
    entries: Option<Box<Entries>>,
    registration: Registration,
    expires_at: Option<i64>,
    phase: Phase,
    ruled: bool,
    keys: Option<Keys>,
}

/// The source of cards, with its bytes in the token.
enum SourceBytes<'b> {
    Seeded(&'b [u8; 64]),
    Round(&'b [u8; 64]),
    Wall(&'b [u8; 32]),
    Unknown,
}

/// The fields after the byte of keys.
struct Keys {
    players: Vec<Option<[u8; 32]>>,
    director: Option<[u8; 32]>,
    penalties: Option<u16>,
}

impl Bytes<'_, '_> {
    /// Sets all facts of `game` that are not on its table.
    #[inline(always)]
    fn put_into(self, game: &mut Game) {
        let dealing = &mut game.dealing;
        (dealing.game_id, dealing.entries) = (GameId(*self.game_id), self.entries);
        match self.source {
            SourceBytes::Seeded(secret) => dealing.source = DealSource::Seeded(GameSecret(*secret)),
            SourceBytes::Round(secret) => dealing.source = DealSource::Round(RoundSecret(*secret)),
            SourceBytes::Wall(salt) => {
                dealing.source = DealSource::Wall { wall: Vec::new(), salt: WallSalt(*salt) }
            }
            SourceBytes::Unknown => dealing.source = DealSource::Unknown,
        }
        (game.registration, game.expires_at) = (self.registration, self.expires_at);
        game.link = Link { n: 0, head: *self.head };
        (game.keys, game.director, game.penalties) = match self.keys {
            Some(keys) => (keys.players, keys.director, keys.penalties),
            None => (Vec::new(), None, None),
        };
    }
}

#[inline(always)]
fn read_bytes<'c, 'b>(
    reader: &mut BitReader<'b>,
    catalogue: &'c Catalogue,
) -> Result<Bytes<'c, 'b>, TokenError> {
    let &[magic, version, base, flags] = reader.bytes()?;
    let error = |byte: usize, kind: TokenErrorKind| Err(kind.at(byte * 8));
    if magic != MAGIC {
        return error(0, TokenErrorKind::Magic);
    }
    if version != VERSION {
        return error(1, TokenErrorKind::Version { found: version });
    }
    let (ruled, keyed, committed) = (base & RULED != 0, base & KEYED != 0, base & COMMITTED != 0);
    let base = base & !(RULED | KEYED | COMMITTED);
    let Some(base) = PresetId::from_number(base) else {
        return error(2, TokenErrorKind::Preset { number: base });
    };
    let Some(&phase) = Phase::ALL.get(usize::from(flags >> 5)) else {
        let kind = TokenErrorKind::Field { field: "phase", found: u64::from(flags >> 5) };
        return error(3, kind);
    };
    let game_id = reader.bytes()?;
    let head = reader.bytes()?;
    let source = match flags >> 2 & 3 {
        0 => SourceBytes::Seeded(reader.bytes()?),
        1 => SourceBytes::Round(reader.bytes()?),
        2 => SourceBytes::Wall(reader.bytes()?),
        _ => SourceBytes::Unknown,
    };
    let registration = if flags & 2 == 0 { Registration::Auto } else { Registration::ByTable };
    let expires_at = if flags & 16 == 0 { None } else { Some(i64::from_le_bytes(*reader.bytes()?)) };
    let rules = match (flags & 1, catalogue.get(base)) {
        (0, Some(rules)) => Cow::Borrowed(rules),
        (0, None) => return error(2, TokenErrorKind::Preset { number: base.number() }),
        _ => Cow::Owned(house::read(reader, base)?),
    };
    let keys = if keyed { Some(read_keys(reader, rules.set().seats)?) } else { None };
    if committed && matches!(source, SourceBytes::Wall(_)) {
        return error(3, TokenErrorKind::Field { field: "source", found: 2 });
    }
    let entries = match (committed, phase) {
        (false, _) => None,
        (true, Phase::Deal) => Some(Box::new(read_entries(reader, rules.set().seats)?)),
        _ => Some(Box::default()),
    };
    Ok(Bytes { rules, game_id, head, source, entries, registration, expires_at, phase, ruled, keys })
}

#[cold]
fn read_keys(reader: &mut BitReader<'_>, seats: u8) -> Result<Keys, TokenError> {
    let start = reader.at();
    let &[who] = reader.bytes()?;
    let named = who & !(DIRECTOR | PENALTIES);
    if who == 0 || named >> seats != 0 {
        return Err(TokenErrorKind::Field { field: "keys", found: who.into() }.at(start));
    }
    let players = if named == 0 { 0..0 } else { 0..seats };
    let mut key = |has: bool| if has { reader.bytes().copied().map(Some) } else { Ok(None) };
    let players = players.map(|seat| key(who >> seat & 1 == 1)).collect::<Result<_, _>>()?;
    let director = key(who & DIRECTOR != 0)?;
    let at = reader.at();
    let penalties = if who & PENALTIES == 0 { None } else { Some(u16::from_le_bytes(*reader.bytes()?)) };
    if penalties == Some(0) {
        return Err(TokenErrorKind::Field { field: "penalties", found: 0 }.at(at));
    }
    Ok(Keys { players, director, penalties })
}

#[cold]
fn read_entries(reader: &mut BitReader<'_>, seats: u8) -> Result<Entries, TokenError> {
    let start = reader.at();
    let &[who] = reader.bytes()?;
    let mut entries = Entries { beacon: who & BEACON != 0, ..Entries::default() };
    let who = who & !BEACON;
    if who >> seats != 0 {
        return Err(TokenErrorKind::Field { field: "registered seats", found: who.into() }.at(start));
    }
    for (seat, entry) in entries.seats.iter_mut().enumerate() {
        if who >> seat & 1 == 1 {
            *entry = Some(Commitment(*reader.bytes()?));
        }
    }
    Ok(entries)
}
