//! Records and the positions after them, which GetStep and DescribeLog answer.

use std::ops::RangeInclusive;

use canasta_engine::action::As;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::Genesis;
use canasta_engine::table::Table;
use canasta_engine::view::events;
use canasta_proto::v1::{
    DescribeLogResponse, DescribedRecord, DescriptionQuestion, GetStepResponse, Unknown, View,
};
use prost::Message;

use super::open_audit::{FoundRecords, RecordFacts};
use super::record;
use crate::answers::page::ListPage;
use crate::convert::field::{Read, all, fault, within};
use crate::convert::{event, identity, score, view};
use crate::fault::{OrFault, RequestFault};
use crate::limits::RECORDS_BYTES_MAX;

/// Maximum number of records on a page.
const RECORDS_MAX: usize = 256;

pub struct RecordPage {
    to: u64,
    pub records: RangeInclusive<u64>,
    page: ListPage,
    want_views: bool,
}

impl RecordPage {
    /// Writes the page. `is_over` is asked before each record whether nobody waits for the page.
    ///
    /// # Errors
    /// If its first record is behind the end of the log, or behind damage.
    pub fn write(
        &self,
        found: &FoundRecords,
        report: &Report,
        who: As,
        is_over: &dyn Fn() -> bool,
    ) -> OrFault<DescribeLogResponse> {
        let facts = found.range(&self.records).map_err(|fault| fault.within(within("from_n")))?;
        let (mut answer, mut length, mut last) = (DescribeLogResponse::default(), 0, 0);
        for facts in facts {
            if is_over() {
                return Err(RequestFault::Deadline);
            }
            let record = write_audited(facts, report, who, self.want_views);
            length += record.encoded_len();
            if length > RECORDS_BYTES_MAX[usize::from(self.want_views)] && !answer.records.is_empty() {
                break;
            }
            last = facts.n();
            answer.records.push(record);
        }
        if last < self.to && found.goes_on_after(last) {
            answer.next_page_token = self.page.token_after(answer.records.len());
        }
        Ok(answer)
    }
}

/// Reads the question for a range of records: who asks, and for which page.
pub fn read(question: DescriptionQuestion) -> Read<(As, RecordPage)> {
    let DescriptionQuestion { actor, from_n, to_n, page_size, page_token, want_views } = question;
    let (from, to) = (from_n.unwrap_or(0), to_n.unwrap_or(u64::MAX));
    let who = identity::read(actor);
    let range = match from <= to {
        true => Ok(()),
        false => Err(within("to_n")(fault(format!("{to}, expected at least `from_n`, {from}")))),
    };
    let who_asks = actor.unwrap_or_default().encode_to_vec();
    let list: [&[u8]; 5] =
        [b"DescribeLog", &who_asks, &from.to_be_bytes(), &to.to_be_bytes(), &[want_views.into()]];
    let page = ListPage::read(page_size, &page_token, RECORDS_MAX, &list);
    let (who, (), page) = all((who, range, page))?;
    let (first, size) = page.window();
    let first = from.saturating_add(first as u64);
    let records = first..=to.min(first.saturating_add(size as u64 - 1));
    Ok((who, RecordPage { to, records, page, want_views }))
}

/// Writes a record with what it caused, and the view after it if it is wanted. `unknown` says why the position after it
/// is not known, if it is not.
pub fn write(
    facts: &RecordFacts,
    genesis: Option<&Genesis>,
    unknown: impl FnOnce() -> Unknown,
    who: As,
    want_view: bool,
) -> DescribedRecord {
    let after = facts.table_after();
    let events = facts.events.as_deref().map(|happened| events(happened, who)).unwrap_or_default();
    let scores = |state: &Table| match &facts.score {
        // These are the totals after the round that this record books.
        Some(score) => score.accounts.iter().map(|account| account.cumulative).collect(),
        None => state.scores().to_vec(),
    };
    DescribedRecord {
        record: Some(record::write(facts, who)),
        events: events.iter().map(event::write).collect(),
        unknown: if after.is_some() { Unknown::Unspecified } else { unknown() }.into(),
        view: after.as_ref().filter(|_| want_view).map(|state| write_view(state, facts, genesis, who)),
        round_end: facts
            .score
            .as_ref()
            .zip(after.as_ref())
            .map(|(round, state)| score::round_end(round, state.rules())),
        game_end: facts
            .result
            .zip(after.as_ref())
            .map(|(result, state)| score::game_end(&result, &scores(state))),
        taken_back_to_seq: record::taken_back_to(&facts.record),
    }
}

fn write_audited(facts: &RecordFacts, report: &Report, who: As, want_view: bool) -> DescribedRecord {
    write(facts, report.genesis.as_ref(), || facts.unknown(report), who, want_view)
}

pub fn write_step(facts: &RecordFacts, report: &Report, who: As) -> GetStepResponse {
    let DescribedRecord { record, events, view, round_end, game_end, unknown, taken_back_to_seq: _ } =
        write_audited(facts, report, who, true);
    GetStepResponse { record, events, view, round_end, game_end, unknown }
}

fn write_view(state: &Table, facts: &RecordFacts, genesis: Option<&Genesis>, who: As) -> View {
    let mut view = view::write(state, who);
    if let Some(genesis) = genesis {
        view.game_id = genesis.game_id.into();
        let names: Vec<_> = genesis.players.iter().map(|player| &player.name).collect();
        view::name_players(&mut view, &names);
    }
    // The table of an audit has no chain, so the record's own number and head stand in the view.
    (view.n, view.seq, view.head) = (facts.n(), facts.part.seq, facts.place.head.into());
    view
}
