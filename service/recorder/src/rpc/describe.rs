//! Method Describe: the records of a game as AuditService describes those of a log, and those of the open round besides.

use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::log::outcome::{Outcome, PassedRecords, ReachedPosition};
use canasta_engine::log::record::Genesis;
use canasta_engine::log::replay::Place;
use canasta_engine::log::{Record, derive};
use canasta_engine::table::Table;
use canasta_messages::answers::check_actor;
use canasta_messages::audit::describe;
use canasta_messages::audit::open_audit::RecordFacts;
use canasta_messages::convert::field::{Read, all, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::limits::RECORDS_BYTES_MAX;
use canasta_proto::v1::{DescribeRequest, DescribeResponse, Unknown};
use canasta_serve::OrFault;
use canasta_serve::limits::PAGE_BYTES;
use prost::Message;

use super::{Call, game_id};
use crate::context::RecorderContext;
use crate::entry::{actor_number, log_end};
use crate::journal::{PAGE, PlacedEntry};
use crate::keys::RecorderKey;
use crate::records::{PlayedRecord, has_action, records};

/// Maximum number of records on a page.
const RECORDS_MAX: usize = 256;
const VERSION: u8 = 1;

/// A request that can be read.
struct ReadDescribe {
    game: GameId,
    who: As,
    /// The range as it was asked for, which binds the page tokens.
    asked: (Option<u64>, Option<u64>),
    want_views: bool,
    /// The next record, and the last one of the range if a page has come before.
    page: Option<(u64, u64)>,
}

/// The part of the log before the records that are described.
#[derive(Default)]
struct Prefix {
    part: PassedRecords,
    length: u64,
    last: Option<PlacedEntry>,
}

/// The page while it is made.
struct DescribedPage<'a> {
    who: As,
    want_views: bool,
    genesis: &'a Genesis,
    answer: DescribeResponse,
    length: usize,
}

/// Answers a page of records.
pub async fn answer(call: &Call, request: DescribeRequest) -> OrFault<DescribeResponse> {
    let Call { ctx, account, caller: _, .. } = call;
    let asked = read(ctx.folder.key(), request)?;
    call.entitle(asked.who, asked.game)?;
    account.expect_answer(PAGE_BYTES[usize::from(asked.want_views)]).await?;
    // In a box of its own, so that requests that wait for their turn are small.
    Box::pin(page(ctx, &asked)).await
}

async fn page(ctx: &RecorderContext, asked: &ReadDescribe) -> OrFault<DescribeResponse> {
    let last = ctx.last(asked.game).await?.entry;
    check_actor(asked.who, ctx.open(asked.game, &last).await?.table.set().seats)?;
    let (from_n, to_n) = match asked.page {
        Some(page) => page,
        None => (asked.asked.0.unwrap_or(0), asked.asked.1.unwrap_or(last.n).min(last.n)),
    };
    if from_n > last.n {
        return Err(within("from_n")(fault(format!("{from_n}, expected 0 to {}", last.n))).into());
    }
    let (_, genesis) = ctx.first(asked.game).await?;
    let prefix = before(ctx, asked.game, from_n).await?;
    let mut page = DescribedPage {
        who: asked.who,
        want_views: asked.want_views,
        genesis: &genesis,
        answer: DescribeResponse { log_end: Some(log_end(&last)), ..Default::default() },
        length: 0,
    };
    let next = describe(ctx, asked.game, prefix, (from_n, to_n), &mut page).await?;
    if let Some(next) = next {
        page.answer.next_page_token = token(ctx.folder.key(), asked, (next, to_n));
    }
    Ok(page.answer)
}

fn read(key: &RecorderKey, request: DescribeRequest) -> Read<ReadDescribe> {
    let DescribeRequest { game_id: game, actor, from_n, to_n, page_token, want_views } = request;
    let range = match (from_n.unwrap_or(0), to_n) {
        (from, Some(to)) if to < from => {
            Err(within("to_n")(fault(format!("{to}, expected at least `from_n`, {from}"))))
        }
        _ => Ok(()),
    };
    let (game, who, ()) = all((game_id(&game), identity::read(actor), range))?;
    let mut asked = ReadDescribe { game, who, asked: (from_n, to_n), want_views, page: None };
    if !page_token.is_empty() {
        let bytes = Base64UrlUnpadded::decode_vec(&page_token).unwrap_or_default();
        let number = |at: usize| Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let page = number(1).zip(number(9)).filter(|page| token(key, &asked, *page) == page_token);
        let problem = || within("page_token")(fault("is not a token of this range"));
        asked.page = Some(page.ok_or_else(problem)?);
    }
    Ok(asked)
}

/// Returns the token of the page that begins at the first of two records, of a range up to the second.
fn token(key: &RecorderKey, asked: &ReadDescribe, (next, to_n): (u64, u64)) -> String {
    let place = [&[VERSION][..], &next.to_be_bytes(), &to_n.to_be_bytes()].concat();
    let (from, to) = asked.asked;
    let number = |n: Option<u64>| [[u8::from(n.is_some())].to_vec(), n.unwrap_or(0).to_be_bytes().to_vec()];
    let range = [number(from), number(to)].concat().concat();
    let who = [actor_number(asked.who), asked.want_views.into()];
    let bound = [&b"Describe"[..], &place, &asked.game.0, &who, &range].concat();
    Base64UrlUnpadded::encode_string(&[&place[..], &key.page(&bound)].concat())
}

/// Returns the part of the log before the last action before record `from_n`: the position at `from_n` follows from
/// there.
async fn before(ctx: &RecorderContext, game: GameId, from_n: u64) -> OrFault<Prefix> {
    let mut prefix = Prefix::default();
    // The part of the log before the last entry with an action, and the entries since that one.
    let mut since: Vec<PlacedEntry> = Vec::new();
    loop {
        let next_n = since.last().or(prefix.last.as_ref()).map_or(0, |placed| placed.entry.n + 1);
        let entries = ctx.journal.read(game, next_n, PAGE).await?;
        let is_end = entries.is_empty();
        for placed in entries {
            if has_action(&placed.entry) {
                for placed in since.drain(..) {
                    prefix.pass(placed)?;
                }
            }
            let reaches = placed.entry.n >= from_n;
            since.push(placed);
            if reaches {
                return Ok(prefix);
            }
        }
        if is_end {
            return Err(RequestFault::Internal);
        }
    }
}

impl Prefix {
    fn pass(&mut self, placed: PlacedEntry) -> OrFault<()> {
        let before = self.last.as_ref().map(|before| &before.entry);
        for record in records(before, &placed.entry)? {
            self.part.pass(record.n, &record.record);
        }
        self.length += placed.entry.frames.len() as u64;
        self.last = Some(placed);
        Ok(())
    }
}

/// Describes the records of a range that begins in the entries after the prefix. Returns the number of the next record,
/// if the range goes on.
async fn describe(
    ctx: &RecorderContext,
    game: GameId,
    mut prefix: Prefix,
    (from_n, to_n): (u64, u64),
    page: &mut DescribedPage<'_>,
) -> OrFault<Option<u64>> {
    let mut position: Option<(u64, Arc<Table>)> = None;
    loop {
        let next_n = prefix.last.as_ref().map_or(0, |placed| placed.entry.n + 1);
        if next_n > to_n {
            return Ok(None);
        }
        let entries = ctx.journal.read(game, next_n, PAGE).await?;
        if entries.is_empty() {
            return Ok(None);
        }
        for placed in entries {
            let state = ctx.open(game, &placed.entry).await?;
            let played = ctx.play(game, prefix.last.as_ref(), &placed.entry, &state).await?;
            for (at, one) in played.iter().enumerate() {
                prefix.part.pass(one.record.n, &one.record.record);
                step(&mut position, one);
                if one.record.n < from_n {
                    continue;
                }
                if one.record.n > to_n {
                    return Ok(None);
                }
                let facts = facts(one, &played[..at], &prefix, position.clone());
                if !page.add(&facts) {
                    return Ok(Some(one.record.n));
                }
            }
            prefix.length += placed.entry.frames.len() as u64;
            prefix.last = Some(placed);
        }
    }
}

/// Moves the position behind a record as the audit of a log does, so that both describe a record alike: the last table of
/// a round is shown until an action of the next.
fn step(position: &mut Option<(u64, Arc<Table>)>, one: &PlayedRecord) {
    let n = one.record.n;
    match &one.record.record {
        Record::Action(_) => {
            let last = one.acted.as_ref().and_then(|acted| acted.last_table.as_deref());
            *position = Some((n, Arc::new(last.unwrap_or(&one.game.table).clone())));
        }
        Record::RoundEnd(_) => {
            if let Some((at, _)) = position {
                *at = n;
            }
        }
        Record::GameEnd(_) | Record::Refusal(_) => *position = Some((n, Arc::new(one.game.table.clone()))),
        _ => {}
    }
}

/// Returns what a record led to; `earlier` has the records of the same entry before it.
fn facts(
    one: &PlayedRecord,
    earlier: &[PlayedRecord],
    prefix: &Prefix,
    position: Option<(u64, Arc<Table>)>,
) -> RecordFacts {
    let record = &one.record;
    // The log's header comes before the first frame.
    let offset = prefix.length + record.offset as u64;
    let place = Place { n: record.n, offset, head: record.head };
    let mut outcome = Outcome::new(place, Arc::new(record.record.clone()), prefix.part);
    outcome.after = position.map(|(n, table)| ReachedPosition { n, table, known: None, last: None });
    // The records that end a round or the game follow the action that ended it.
    let cause = || earlier.iter().rev().find_map(|earlier| earlier.acted.as_ref());
    match &record.record {
        Record::Action(_) => {
            outcome.events = one.acted.as_ref().map(|acted| acted.events.to_vec());
        }
        Record::RoundEnd(_) => {
            outcome.score = cause().and_then(|acted| acted.round.clone());
            outcome.result = cause().and_then(|acted| acted.result);
        }
        Record::GameEnd(_) => outcome.result = cause().and_then(|acted| acted.result),
        Record::Refusal(refusal) => {
            let Game { table, dealing, .. } = &*one.game;
            let tried = derive::attempted(table, dealing, record.n, refusal);
            outcome.refused = tried.map(|action| (action, None));
        }
        _ => {}
    }
    RecordFacts::of(outcome)
}

impl DescribedPage<'_> {
    /// Adds a record. Returns whether it had room.
    fn add(&mut self, facts: &RecordFacts) -> bool {
        let described =
            describe::write(facts, Some(self.genesis), || Unknown::NotDealt, self.who, self.want_views);
        self.length += described.encoded_len();
        let is_first = self.answer.records.is_empty();
        if !is_first
            && (self.length > RECORDS_BYTES_MAX[usize::from(self.want_views)]
                || self.answer.records.len() == RECORDS_MAX)
        {
            return false;
        }
        self.answer.records.push(described);
        true
    }
}
