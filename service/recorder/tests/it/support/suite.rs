//! The suite for every journal. Whatever happens to a journal, no acknowledged entry is lost, one rival wins at each
//! place, and everything is read in order and once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;
use canasta_recorder::entry::log_end;
use canasta_recorder::entry::{EncodedEntry, EntryKind, JournalEntry, RequestTag, Settings};
use canasta_recorder::journal::{At, ChangePosition, Journal, PlacedEntry, ReadError, StoreError, store};
use sha2::{Digest, Sha256};

use super::random::Random;

/// Time after which a store gives up; far longer than the faults last.
pub const LIMIT: Duration = Duration::from_secs(60);

/// An acknowledged entry: its game, n and head.
pub type Acknowledged = (GameId, u64, [u8; 32]);

/// Returns an entry after `before` whose content follows from its place and its writer. Its frames are the head before
/// it, so that a chain can be checked.
pub fn entry_after(before: Option<&JournalEntry>, writer: u64, random: &mut Random) -> JournalEntry {
    let head_before = before.map_or([0; 32], |before| before.head);
    let n = before.map_or(1, |before| before.n + 1 + random.below(3));
    let digest = Sha256::new().chain_update(head_before).chain_update(writer.to_be_bytes());
    let head = digest.chain_update(random.next().to_be_bytes()).finalize().into();
    let kind = match before {
        None => EntryKind::Created(Settings::default()),
        Some(_) => EntryKind::Acted,
    };
    JournalEntry {
        kind,
        ends_round: false,
        game_over: false,
        offer_open: false,
        offer_stays: false,
        actor: As::Table,
        time_ms: 0,
        uncharged_ms: 0,
        n,
        seq: 0,
        head,
        settings_n: before.map_or(n, |before| before.settings_n),
        tags: [RequestTag::default(); 4],
        frames: head_before.to_vec(),
        state: vec![7; 340],
        clocks: None,
    }
}

pub fn encoded(entry: &JournalEntry) -> EncodedEntry {
    entry.encode().expect("fields that fit")
}

/// Calls a read until it is answered.
pub async fn answered<T, F: Future<Output = Result<T, ReadError>>>(read: impl Fn() -> F) -> T {
    loop {
        match read().await {
            Ok(found) => return found,
            Err(ReadError::Unavailable(_)) => tokio::time::sleep(Duration::from_millis(1)).await,
            Err(damaged) => panic!("{damaged}"),
        }
    }
}

/// Returns all entries of a game.
pub async fn all<J: Journal>(journal: &J, game: GameId) -> Vec<PlacedEntry> {
    let mut entries: Vec<PlacedEntry> = Vec::new();
    loop {
        let from_n = entries.last().map_or(0, |last| last.entry.n + 1);
        let more = answered(|| journal.read(game, from_n, 100)).await;
        if more.is_empty() {
            return entries;
        }
        entries.extend(more);
    }
}

/// Plays rivals on games: `rivals` writers on each of `games` games, until each has won `wins` times.
pub async fn rivals<J: Journal>(journal: Arc<J>, seed: u64, games: u8, rivals: u64, wins: u32) {
    let mut writers = tokio::task::JoinSet::new();
    for game in 1..=games {
        for rival in 0..rivals {
            let journal = Arc::clone(&journal);
            let random = Random(seed ^ (u64::from(game) << 32) ^ rival);
            writers.spawn(async move { write(&*journal, GameId([game; 16]), rival, random, wins).await });
        }
    }
    let mut acknowledged = Vec::new();
    while let Some(written) = writers.join_next().await {
        acknowledged.extend(written.expect("no panic"));
    }
    assert_eq!(acknowledged.len() as u64, u64::from(games) * rivals * u64::from(wins));
    check(&*journal, &acknowledged, 0).await;
    follow(&*journal, &acknowledged).await;
    changed(&*journal, &acknowledged).await;
    let ids: Vec<_> = (1..=games).map(|game| GameId([game; 16])).collect();
    let (first, rest) = ids.split_at(2);
    assert_eq!(listed(&*journal, None, 2).await, first);
    assert_eq!(listed(&*journal, Some(first[1]), 100).await, rest);
}

/// Follows every shard from its begin, in pages, and finds what was acknowledged, in order and once.
async fn follow<J: Journal>(journal: &J, acknowledged: &[Acknowledged]) {
    let mut followed = Vec::new();
    for shard in 0..journal.shards() {
        let end = answered(|| journal.end(shard)).await;
        let mut after = At(0);
        while after < end {
            let page = answered(|| journal.follow(shard, after, 7)).await;
            for entry in &page.entries {
                assert!(after < entry.end.at, "in order, each once");
                assert_eq!(journal.shard_of(entry.game), shard);
                after = entry.end.at;
            }
            assert!(after <= page.upto && page.entries.len() <= 7);
            after = page.upto;
            followed.extend(page.entries.iter().map(|entry| (entry.game, entry.end.n, entry.end.head)));
        }
    }
    let mut expected = acknowledged.to_vec();
    for list in [&mut followed, &mut expected] {
        list.sort_unstable_by_key(|(game, n, head)| (game.0, *n, *head));
    }
    assert_eq!(followed, expected);
}

/// Reads what has changed from the begin on, in small pages: every game is told up to its end, and nothing after that. A
/// position that the journal has not reached is not its own.
async fn changed<J: Journal>(journal: &J, acknowledged: &[Acknowledged]) {
    let end = answered(|| journal.changes_end()).await;
    let mut at = ChangePosition(vec![0; end.0.len()]);
    let mut told = BTreeSet::new();
    loop {
        let page = answered(|| journal.changed(&at, 7)).await.expect("the begin is known");
        if page.upto == at {
            break;
        }
        assert!(page.games.len() <= 7.max(end.0.len()));
        told.extend(page.games.iter().map(|game| game.0));
        at = page.upto;
    }
    assert_eq!(told, acknowledged.iter().map(|(game, ..)| game.0).collect());
    assert_eq!(at, answered(|| journal.changes_end()).await);
    for place in [0, at.0.len()] {
        let mut beyond = at.clone();
        match beyond.0.get_mut(place) {
            Some(number) => *number += 1,
            None => beyond.0.push(0),
        }
        assert_eq!(answered(|| journal.changed(&beyond, 7)).await, None);
    }
}

/// Returns the ids of the games that a list has, whose ends are those of the entries.
async fn listed<J: Journal>(journal: &J, after: Option<GameId>, max: usize) -> Vec<GameId> {
    let mut ids = Vec::new();
    for summary in answered(|| journal.games(after, max)).await {
        let id = GameId(summary.game_id.clone().try_into().expect("16 bytes"));
        let last = answered(|| journal.last(id)).await.expect("it has entries").entry;
        assert_eq!(summary.log_end, Some(log_end(&last)));
        assert_eq!(summary.status(), GameStatus::Live);
        assert_eq!(answered(|| journal.game(id)).await, Some(summary));
        ids.push(id);
    }
    ids
}

async fn write<J: Journal>(
    journal: &J,
    game: GameId,
    writer: u64,
    mut random: Random,
    wins: u32,
) -> Vec<Acknowledged> {
    let mut acknowledged = Vec::new();
    while acknowledged.len() < wins as usize {
        let last = answered(|| journal.last(game)).await;
        let entry = entry_after(last.as_ref().map(|last| &last.entry), writer, &mut random);
        let stored = store(journal, game, last.as_ref(), &encoded(&entry), LIMIT, &mut 0).await;
        match stored {
            Ok(_) => acknowledged.push((game, entry.n, entry.head)),
            Err(StoreError::Conflict) => {}
            Err(error) => panic!("{error}"),
        }
    }
    acknowledged
}

/// Checks that every acknowledged entry is stored, once and in a chain; at most `more` entries per game were stored without
/// an acknowledgement.
pub async fn check<J: Journal>(journal: &J, acknowledged: &[Acknowledged], more: usize) {
    let mut games: Vec<GameId> = acknowledged.iter().map(|(game, ..)| *game).collect();
    games.sort_unstable_by_key(|game| game.0);
    games.dedup();
    for game in games {
        let entries = all(journal, game).await;
        let mut head = [0; 32].to_vec();
        for pair in entries.windows(2) {
            assert!(pair[0].at < pair[1].at && pair[0].entry.n < pair[1].entry.n, "in order, each once");
        }
        for placed in &entries {
            assert_eq!(placed.entry.frames, head, "entry {} follows the one before it", placed.entry.n);
            head = placed.entry.head.to_vec();
        }
        let of_game = acknowledged.iter().filter(|(other, ..)| *other == game);
        let mut acknowledged_here = 0;
        for (_, n, head) in of_game {
            let stored = entries.iter().filter(|placed| placed.entry.n == *n);
            let heads: Vec<_> = stored.map(|placed| placed.entry.head).collect();
            assert_eq!(heads, [*head], "the one winner at {n}");
            acknowledged_here += 1;
        }
        assert!(entries.len() - acknowledged_here <= more, "nothing else won");
        let last = answered(|| journal.last(game)).await;
        assert_eq!(last.as_ref(), entries.last());
        let middle = entries.len() / 2;
        for (to_n, end) in [(entries[middle].entry.n, middle + 1), (u64::MAX, entries.len())] {
            let back = answered(|| journal.read_back(game, to_n, 5)).await;
            let expected: Vec<_> = entries[end.saturating_sub(5)..end].iter().rev().cloned().collect();
            assert_eq!(back, expected);
        }
    }
}
