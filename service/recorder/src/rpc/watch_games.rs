//! Method WatchGames: the present of all games of a caller on one stream.
//!
//! The stream has a position in the journal's own order of changes, and no queue. When the transport asks for a message, the
//! games that have changed behind the position are read from the journal, and each is told once as it is now. So a stream
//! costs the same for one game and for a hundred thousand, a slow reader costs no memory, and a token with the position is
//! good at every recorder of the journal.
//!
//! A snapshot lists the games by id. Its position is taken before its first game is read, so whatever changes while it is
//! told is told again behind it. A snapshot begins wherever a gap could be: without a token, at a position that the journal
//! does not know any more, and when the caller's rights have changed, since games that are new to the caller need not change.
//!
//! Hints only wake the stream. They may be lost, and no entry tells of verdicts and drops, so the journal is looked at every
//! [`LOOK`] anyway.

use std::collections::BTreeSet;
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::{identity, score};
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1::{GameNews, GameStatus, GameSummary, WatchGamesRequest, WatchGamesResponse};
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;
use canasta_serve::streams::StreamEnd;
use tokio::time::sleep;

use super::Call;
use super::list_games::{self, id};
use crate::changes::Subscription;
use crate::context::RecorderContext;
use crate::entry::{actor_number, log_end};
use crate::journal::ChangePosition;
use crate::keys::RecorderKey;
use crate::metrics::CountedWatcher;
use crate::steps::{MessageSteps, steps};
use crate::timing;
use crate::verdict::ArchivedVerdict;

/// Maximum number of games of a part of a snapshot, and number of games after which no more changes are read.
const GAMES: usize = 100;
/// Maximum number of changes that one read returns. With [`GAMES`] it bounds the games of a message.
const CHANGES: usize = 128;
/// Maximum number of reads for one message: what changes again and again is told once.
const READS: usize = 16;
/// Time after a hint for which further changes are awaited.
const GATHER: Duration = Duration::from_millis(50);
/// Interval at which the journal is looked at although nothing was heard.
const LOOK: Duration = Duration::from_secs(2);
/// Time without news after which a message without games is sent.
const SILENCE: Duration = Duration::from_secs(15);
/// The version of resume tokens: other than that of page tokens, which the same key binds.
const VERSION: u8 = 2;

pub type GamesMessages = MessageSteps<WatchGamesResponse>;

/// The place up to which a watcher has been told.
struct GamesCursor {
    call: Call,
    who: As,
    label: String,
    end: StreamEnd,
    hints: Subscription,
    told: ToldPlace,
    _counted: CountedWatcher,
}

/// The part of all changes that a watcher has been told, which its token holds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ToldPlace {
    games: ToldGames,
    /// All changes up to here are told, or will be told by the rest of the snapshot.
    upto: ChangePosition,
    /// The caller's rights for which the snapshot was made ([`rights`]).
    rights: [u8; 8],
}

/// The part of all games that a watcher knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ToldGames {
    /// No game: a snapshot begins.
    None,
    /// The snapshot up to this game.
    UpTo(GameId),
    All,
}

/// The outcome of a look at the journal.
enum GamesLook {
    Message(Box<WatchGamesResponse>),
    /// Nothing that the caller wants, but there is more to read.
    More,
    Nothing,
}

/// The reason for which a watcher's wait has ended.
enum GamesWait {
    Look,
    Silence,
    End(RequestFault),
}

pub async fn answer(call: &Call, request: WatchGamesRequest, end: StreamEnd) -> OrFault<GamesMessages> {
    let ctx = &call.ctx;
    let WatchGamesRequest { actor, label, resume_token } = request;
    let (who, label) = all((identity::read(actor), list_games::label(label)))?;
    // Of no game: whoever may not act for `who` at all learns that first.
    ctx.service.entitle(&call.caller, who, GameScope::None)?;
    let told = if resume_token.is_empty() {
        ToldPlace { games: ToldGames::None, upto: ChangePosition::default(), rights: [0; 8] }
    } else {
        ToldPlace::from_token(ctx.folder.key(), (who, &label), &resume_token)?
    };
    let (hints, _counted) = (ctx.changes.subscribe_all(), ctx.metrics.watcher());
    let cursor = GamesCursor { call: call.clone(), who, label, end, hints, told, _counted };
    Ok(steps(cursor, |cursor| Box::pin(next(cursor)), |message| message.last))
}

/// Makes the next message, once there is one. What reads the journal has a box of its own, so that a watcher that waits is
/// small.
async fn next(cursor: &mut GamesCursor) -> OrFault<WatchGamesResponse> {
    let silence = sleep(SILENCE);
    tokio::pin!(silence);
    loop {
        let turn = cursor.hints.turn().await;
        let looked = Box::pin(look(cursor)).await?;
        drop(turn);
        let awaited = match looked {
            GamesLook::Message(message) => {
                cursor.end.touch();
                return Ok(*message);
            }
            GamesLook::More => cursor.end.reached().map_or(GamesWait::Look, GamesWait::End),
            GamesLook::Nothing => tokio::select! {
                biased;
                why = cursor.end.wait() => GamesWait::End(why),
                () = &mut silence => GamesWait::Silence,
                () = async { cursor.hints.changed().await; sleep(GATHER).await } => GamesWait::Look,
                () = sleep(LOOK) => GamesWait::Look,
            },
        };
        let last = match awaited {
            GamesWait::Look => continue,
            GamesWait::Silence => false,
            GamesWait::End(RequestFault::Draining) => true,
            GamesWait::End(why) => return Err(why),
        };
        cursor.call.entitle_now(cursor.who, GameScope::None).await?;
        return Ok(WatchGamesResponse { last, ..told(cursor, Vec::new()) });
    }
}

/// Looks for something to tell the watcher.
async fn look(cursor: &mut GamesCursor) -> OrFault<GamesLook> {
    cursor.call.entitle_now(cursor.who, GameScope::None).await?;
    let rights = rights(cursor.call.ctx.folder.key(), &cursor.call.caller);
    if cursor.told.rights != rights {
        (cursor.told.games, cursor.told.rights) = (ToldGames::None, rights);
    }
    match cursor.told.games {
        ToldGames::None => {
            cursor.told.upto = cursor.call.ctx.journal.changes_end().await?;
            let first = part(cursor, None).await?;
            Ok(GamesLook::Message(Box::new(WatchGamesResponse { snapshot_begins: true, ..first })))
        }
        ToldGames::UpTo(game) => {
            let message = part(cursor, Some(game)).await?;
            // A caller of few games among many is not sent each empty part.
            let is_empty = message.games.is_empty() && !message.snapshot_ends;
            Ok(if is_empty { GamesLook::More } else { GamesLook::Message(Box::new(message)) })
        }
        ToldGames::All => changes(cursor).await,
    }
}

/// Makes the part of a snapshot behind a game.
async fn part(cursor: &mut GamesCursor, after: Option<GameId>) -> OrFault<WatchGamesResponse> {
    let ctx = &cursor.call.ctx;
    let found = list_games::after(ctx, &cursor.call.caller, after, GAMES).await?;
    let mut games = Vec::new();
    for summary in &found {
        let game = id(summary)?;
        if is_wanted(cursor, game) && summary.status() != GameStatus::Archived {
            games.extend(news(cursor, summary.clone()).await?);
        }
    }
    cursor.told.games = match found.last() {
        Some(last) => ToldGames::UpTo(id(last)?),
        None => ToldGames::All,
    };
    let snapshot_ends = cursor.told.games == ToldGames::All;
    Ok(WatchGamesResponse { snapshot: true, snapshot_ends, ..told(cursor, games) })
}

/// Looks for games that have changed. Their number is below [`GAMES`] and [`CHANGES`] together.
async fn changes(cursor: &mut GamesCursor) -> OrFault<GamesLook> {
    let (mut changed, mut is_end) = (BTreeSet::new(), false);
    for _ in 0..READS {
        let page = cursor.call.ctx.journal.changed(&cursor.told.upto, CHANGES).await?;
        let Some(page) = page else {
            cursor.told.games = ToldGames::None;
            return Ok(GamesLook::More);
        };
        is_end = page.upto == cursor.told.upto;
        // What is read here is told below, or the stream ends with a fault and its reader resumes from an earlier token.
        cursor.told.upto = page.upto;
        changed.extend(page.games.into_iter().filter(|game| is_wanted(cursor, *game)).map(|game| game.0));
        if is_end || changed.len() >= GAMES {
            break;
        }
    }
    let mut games = Vec::new();
    for game in changed.into_iter().map(GameId) {
        match cursor.call.ctx.journal.game(game).await? {
            Some(summary) => games.extend(news(cursor, summary).await?),
            None => {
                let summary = GameSummary { game_id: game.0.into(), ..GameSummary::default() };
                games.push(GameNews { summary: Some(summary), gone: true, ..GameNews::default() });
            }
        }
    }
    Ok(match (games.is_empty(), is_end) {
        (false, _) => GamesLook::Message(Box::new(told(cursor, games))),
        (true, true) => GamesLook::Nothing,
        (true, false) => GamesLook::More,
    })
}

/// Whether the caller may be told of a game.
fn is_wanted(cursor: &GamesCursor, game: GameId) -> bool {
    cursor.call.ctx.service.is_entitled(&cursor.call.caller, cursor.who, GameScope::Of(game))
}

/// Returns the present of a game; `None` if the caller wants games of another label.
async fn news(cursor: &GamesCursor, summary: GameSummary) -> OrFault<Option<GameNews>> {
    if !cursor.label.is_empty() && summary.label != cursor.label {
        return Ok(None);
    }
    let mut news = GameNews { summary: Some(summary), ..GameNews::default() };
    match fill(&cursor.call.ctx, &mut news).await {
        // Archived or deleted since its summary was read: a later message says so.
        Ok(()) | Err(RequestFault::GameArchived | RequestFault::NotFound(_)) => Ok(Some(news)),
        // One game must not hold up the others, unless the journal tells of none.
        Err(RequestFault::JournalUnavailable) => Err(RequestFault::JournalUnavailable),
        Err(_) => Ok(Some(GameNews { unreadable: true, ..news })),
    }
}

/// Adds to the summary of a game what its last entry and its verdict tell.
async fn fill(ctx: &RecorderContext, news: &mut GameNews) -> OrFault<()> {
    let Some(summary) = &mut news.summary else { return Ok(()) };
    let game = id(summary)?;
    if summary.status() != GameStatus::Archived {
        let (last, state) = ctx.latest(game).await?;
        let settings = ctx.settings(game, &last.entry).await?;
        // The game may have gone on since its summary was read.
        summary.log_end = Some(log_end(&last.entry));
        if last.entry.game_over {
            news.game_end = Some(score::standing(&state.table));
            if summary.status() == GameStatus::Live {
                summary.set_status(GameStatus::Finished);
            }
        } else {
            news.to_act = state.table.to_act().map(|seat| seat.0.into());
        }
        news.clock = timing::write(&settings.clock, &last.entry, ctx.moment(&last.entry));
    }
    let head = summary.log_end.as_ref().and_then(|end| end.head[..].try_into().ok());
    if summary.status() != GameStatus::Live
        && let Some(kept) = ctx.journal.verdict(game, head).await?
    {
        let verdict = ArchivedVerdict::read(&kept).ok_or(RequestFault::Internal)?.verdict;
        news.verdict = verdict.report.map_or(0, |report| report.verdict);
        // A journal may keep the verdict before the game has left the queue, of which nothing tells.
        if summary.status() == GameStatus::Finished {
            summary.set_status(GameStatus::Judged);
        }
    }
    Ok(())
}

/// Returns a message with these games, and the token of what has then been told.
fn told(cursor: &GamesCursor, games: Vec<GameNews>) -> WatchGamesResponse {
    let resume_token = cursor.told.to_token(cursor.call.ctx.folder.key(), (cursor.who, &cursor.label));
    WatchGamesResponse { games, resume_token, ..WatchGamesResponse::default() }
}

/// Returns a digest of the caller's rights.
fn rights(key: &RecorderKey, caller: &Caller) -> [u8; 8] {
    let rights = match caller {
        Caller::Trusted => Vec::new(),
        Caller::Guest => vec![0],
        Caller::Known(identity) => identity.grant.to_bytes(),
    };
    let digest = key.page(&[&[VERSION, 0][..], &rights].concat());
    *digest.first_chunk().expect("a digest has 16 bytes")
}

impl ToldPlace {
    fn to_token(&self, key: &RecorderKey, of: (As, &str)) -> String {
        let (kind, game) = match self.games {
            ToldGames::None => (0, [0; 16]),
            ToldGames::UpTo(game) => (1, game.0),
            ToldGames::All => (2, [0; 16]),
        };
        let mut bytes = [&[VERSION, kind][..], &game, &self.rights].concat();
        bytes.extend(self.upto.0.iter().flat_map(|number| number.to_be_bytes()));
        let binding = bind(key, of, &bytes);
        Base64UrlUnpadded::encode_string(&[&bytes[..], &binding].concat())
    }

    fn from_token(key: &RecorderKey, of: (As, &str), token: &str) -> Read<Self> {
        let decoded = Base64UrlUnpadded::decode_vec(token).ok();
        let told = decoded.as_deref().and_then(|bytes| {
            let (bytes, binding) = bytes.split_last_chunk::<16>()?;
            let ([_, kind], rest) = bytes.split_first_chunk()?;
            let (game, rest) = rest.split_first_chunk()?;
            let (rights, rest) = rest.split_first_chunk()?;
            let games = match kind {
                0 => ToldGames::None,
                1 => ToldGames::UpTo(GameId(*game)),
                _ => ToldGames::All,
            };
            let numbers = rest.as_chunks().0.iter().map(|number| u64::from_be_bytes(*number));
            let told = Self { games, upto: ChangePosition(numbers.collect()), rights: *rights };
            (bind(key, of, bytes) == *binding).then_some(told)
        });
        told.ok_or_else(|| within("resume_token")(fault("is not a token of this actor and label")))
    }
}

/// Derives what binds a token to its actor and label.
fn bind(key: &RecorderKey, (who, label): (As, &str), bytes: &[u8]) -> [u8; 16] {
    key.page(
        &[&[VERSION, 1, actor_number(who)][..], &(label.len() as u32).to_be_bytes(), label.as_bytes(), bytes]
            .concat(),
    )
}
