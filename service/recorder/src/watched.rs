//! The memory of who watches a game: its bots play by it, and the hints that its players ask for.

use canasta_engine::action::As;
use canasta_engine::bot::{Level, RoundMemory};
use canasta_engine::deal::GameId;
use canasta_engine::log::Record;
use canasta_engine::table::Table;
use canasta_engine::view::events;
use canasta_messages::audit::record::taken_back_to;
use canasta_messages::fault::RequestFault;
use canasta_serve::OrFault;

use crate::context::RecorderContext;
use crate::entry::JournalEntry;
use crate::journal::{PAGE, PlacedEntry};
use crate::records::PlayedRecord;

/// Returns what all have seen of the round up to an entry, after which the table stands so. Of a game whose earlier entries cannot
/// be read it is the pile alone, and for a level that forgets nothing is read.
pub async fn remembered(
    ctx: &RecorderContext,
    game: GameId,
    last: &JournalEntry,
    table: &Table,
    level: Level,
) -> RoundMemory {
    if level.forgets() {
        return RoundMemory::default();
    }
    // Who has watched knows the pile, even where the game began in the middle of a round.
    let pile = RoundMemory::of_pile(table);
    match read_on(ctx, game, last).await {
        Ok(memory) => pile.holding(memory.recall().held),
        Err(_) => pile,
    }
}

/// Reads on from where the memory of a game ends.
async fn read_on(ctx: &RecorderContext, game: GameId, last: &JournalEntry) -> OrFault<RoundMemory> {
    let known = ctx.memories.get(game).filter(|(n, _)| *n <= last.n);
    let (mut next_n, mut memory) = known.unwrap_or_default();
    // The entry up to which the round is remembered is read again, since the next follows from it.
    let mut is_seen = next_n > 0;
    let mut before: Option<PlacedEntry> = None;
    while before.as_ref().is_none_or(|before| before.entry.n < last.n) {
        let entries = ctx.journal.read(game, next_n, PAGE).await?;
        if entries.is_empty() {
            return Err(RequestFault::Internal);
        }
        for placed in entries.into_iter().filter(|placed| placed.entry.n <= last.n) {
            next_n = placed.entry.n + 1;
            if !std::mem::take(&mut is_seen) {
                let after = ctx.open(game, &placed.entry).await?;
                let played = ctx.play(game, before.as_ref(), &placed.entry, &after).await?;
                played.iter().for_each(|one| see(&mut memory, one));
            }
            before = Some(placed);
        }
    }
    ctx.memories.put(game, (last.n, memory.clone()));
    Ok(memory)
}

fn see(memory: &mut RoundMemory, one: &PlayedRecord) {
    let (Record::Action(record), Some(acted)) = (&one.record.record, &one.acted) else { return };
    // A ruling that goes back changes what lies where; who held what is not told again.
    match taken_back_to(&one.record.record) {
        Some(_) => *memory = RoundMemory::of_pile(&one.game.table),
        None => memory.see(record.actor.map_or(As::Table, As::Seat), &events(&acted.events, As::Spectator)),
    }
}
