//! Presence: on behalf of which seats somebody watches a game, at this recorder or at another one of the same journal.
//!
//! Nothing of it is kept. Recorders tell each other what they have, at each change and every [`TELL`]; what has not been heard
//! for [`FORGET`] is forgotten.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_proto::v1::SeatPresence;
use canasta_serve::outside::{lock, timer_now};
use tokio::time::Instant;

/// Time for which somebody who watches no longer is still there: streams end and begin again.
pub const GRACE: Duration = Duration::from_secs(10);
/// Interval at which recorders tell each other who is there.
pub const TELL: Duration = Duration::from_secs(20);
/// Time after which what another recorder has told is forgotten.
const FORGET: Duration = Duration::from_secs(45);
/// Maximum number of games of which others are heard.
const HEARD_MAX: usize = 100_000;
/// Maximum number of recorders that are heard about a game.
const RECORDERS_MAX: usize = 16;

/// The times since when somebody has been there for each seat, in ms since 1970; 0: nobody is.
pub type Sinces = [i64; SEATS_MAX];

/// The watchers of all games.
#[derive(Clone, Default)]
pub struct Presence(Arc<Mutex<BTreeMap<[u8; 16], GamePresence>>>);

#[derive(Default)]
struct GamePresence {
    /// By seat: the number of streams here, since when there are some, and when the last one ended.
    here: [SeatStreams; SEATS_MAX],
    /// By recorder: what it has told, and when.
    others: BTreeMap<[u8; 8], (Sinces, Instant)>,
}

#[derive(Clone, Copy, Default)]
struct SeatStreams {
    count: u32,
    since_ms: i64,
    ended: Option<Instant>,
}

impl SeatStreams {
    fn is_there(&self, now: Instant) -> bool {
        self.count > 0 || self.ended.is_some_and(|ended| now.duration_since(ended) < GRACE)
    }
}

impl GamePresence {
    fn here(&self, now: Instant) -> Sinces {
        self.here.map(|streams| if streams.is_there(now) { streams.since_ms } else { 0 })
    }

    fn all(&self, now: Instant) -> Sinces {
        let mut all = self.here(now);
        for (told, _) in self.others.values().filter(|(_, heard)| now.duration_since(*heard) < FORGET) {
            for (since, told) in all.iter_mut().zip(told).filter(|(_, told)| **told > 0) {
                *since = if *since == 0 { *told } else { (*since).min(*told) };
            }
        }
        all
    }
}

impl Presence {
    /// Counts a stream on behalf of a seat. Returns whether nobody was there before.
    pub fn arrive(&self, game: GameId, seat: Seat, now_ms: i64) -> bool {
        let now = timer_now();
        let mut games = lock(&self.0);
        let Some(streams) = games.entry(game.0).or_default().here.get_mut(seat.index()) else { return false };
        let is_new = !streams.is_there(now);
        if is_new {
            streams.since_ms = now_ms.max(1);
        }
        (streams.count, streams.ended) = (streams.count + 1, None);
        is_new
    }

    /// Counts the end of a stream on behalf of a seat. Returns whether it was the last one.
    pub fn leave(&self, game: GameId, seat: Seat) -> bool {
        let mut games = lock(&self.0);
        let streams = games.get_mut(&game.0).and_then(|game| game.here.get_mut(seat.index()));
        let Some(streams) = streams else { return false };
        streams.count = streams.count.saturating_sub(1);
        streams.ended = Some(timer_now()).filter(|_| streams.count == 0);
        streams.count == 0
    }

    /// Returns who is there, in the order of the seats.
    pub fn of(&self, game: GameId) -> Vec<SeatPresence> {
        let games = lock(&self.0);
        let all = games.get(&game.0).map_or(Sinces::default(), |game| game.all(timer_now()));
        let there = (0..).zip(all).filter(|(_, since_ms)| *since_ms > 0);
        there.map(|(seat, since_ms)| SeatPresence { seat: Some(seat), since_ms }).collect()
    }

    /// Whether somebody is there for a seat.
    pub fn has(&self, game: GameId, seat: Seat) -> bool {
        lock(&self.0).get(&game.0).is_some_and(|game| game.all(timer_now())[seat.index()] > 0)
    }

    /// Returns who is there at this recorder, for another one.
    pub fn told(&self, game: GameId) -> Vec<u8> {
        let here = lock(&self.0).get(&game.0).map_or(Sinces::default(), |game| game.here(timer_now()));
        here.iter().flat_map(|since_ms| since_ms.to_be_bytes()).collect()
    }

    /// Reads what another recorder has told. Returns whether it changes who is there.
    pub fn hear(&self, game: GameId, recorder: [u8; 8], told: &[u8]) -> bool {
        let Some(told) = read(told) else { return false };
        let now = timer_now();
        let mut games = lock(&self.0);
        if games.len() >= HEARD_MAX && !games.contains_key(&game.0) {
            return false;
        }
        let game = games.entry(game.0).or_default();
        let before = game.all(now);
        game.others.retain(|_, (_, heard)| now.duration_since(*heard) < FORGET);
        if game.others.len() < RECORDERS_MAX || game.others.contains_key(&recorder) {
            game.others.insert(recorder, (told, now));
        }
        game.all(now) != before
    }

    /// Forgets games for which nobody is there, and returns those that are watched at this recorder.
    pub fn here(&self) -> Vec<GameId> {
        let now = timer_now();
        let mut games = lock(&self.0);
        games.retain(|_, game| game.all(now) != Sinces::default());
        let here = games.iter().filter(|(_, game)| game.here(now) != Sinces::default());
        here.map(|(game, _)| GameId(*game)).collect()
    }
}

fn read(told: &[u8]) -> Option<Sinces> {
    let mut sinces = Sinces::default();
    let (chunks, rest) = told.as_chunks::<8>();
    if chunks.len() != SEATS_MAX || !rest.is_empty() {
        return None;
    }
    for (since, bytes) in sinces.iter_mut().zip(chunks) {
        *since = i64::from_be_bytes(*bytes).max(0);
    }
    Some(sinces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(presence: &Presence, game: GameId) -> Vec<(u32, i64)> {
        presence.of(game).into_iter().filter_map(|there| Some((there.seat?, there.since_ms))).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn somebody_is_there_while_a_stream_is_open_and_a_short_time_after() {
        let (presence, game) = (Presence::default(), GameId([1; 16]));
        assert!(presence.arrive(game, Seat(2), 1000));
        assert!(!presence.arrive(game, Seat(2), 2000));
        assert!(!presence.leave(game, Seat(2)));
        assert_eq!(seats(&presence, game), [(2, 1000)]);
        assert!(presence.leave(game, Seat(2)));
        tokio::time::advance(GRACE - Duration::from_millis(1)).await;
        assert_eq!(seats(&presence, game), [(2, 1000)]);
        assert!(!presence.arrive(game, Seat(2), 9000), "the stream began again");
        assert!(presence.leave(game, Seat(2)));
        tokio::time::advance(GRACE).await;
        assert_eq!(seats(&presence, game), []);
        assert_eq!(presence.here(), []);
        assert_eq!(lock(&presence.0).len(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn recorders_hear_of_each_other_and_forget() {
        let (ours, theirs, game) = (Presence::default(), Presence::default(), GameId([1; 16]));
        ours.arrive(game, Seat(0), 1000);
        theirs.arrive(game, Seat(1), 2000);
        theirs.arrive(game, Seat(0), 3000);
        assert!(ours.hear(game, [7; 8], &theirs.told(game)));
        assert!(!ours.hear(game, [7; 8], &theirs.told(game)));
        assert_eq!(seats(&ours, game), [(0, 1000), (1, 2000)]);
        assert!(!ours.hear(game, [7; 8], b"no presence"));
        tokio::time::advance(FORGET).await;
        assert_eq!(seats(&ours, game), [(0, 1000)]);
    }
}
