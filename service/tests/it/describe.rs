//! DescribeLog and AskLog: the records of a log in pages, and several questions about one log.

use crate::support::Server;
use crate::support::game::{Client, assert_field, role, seat};
use crate::support::logs::{Auditor, answered, audited, described, explained, step, with_refusal};
use crate::support::script::PlayedScript;
use canasta_engine::log::Reader;
use canasta_engine::log::frame::Chain;
use canasta_engine::log::record::{Author, Record, Remark};
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::log_answer::Answer;
use canasta_proto::v1::log_question::Question;
use canasta_proto::v1::{
    self as pb, AuditQuestion, DescribedRecord, DescriptionQuestion, GetStepResponse, RecordKind, Role,
    StepQuestion, Unknown,
};
use prost::Message;
use tonic::Code;
use tonic_types::StatusExt;

async fn start() -> (Server, Auditor, Client) {
    let server = Server::start(&[]).await;
    let auditor = AuditServiceClient::new(server.channel().await);
    let client = server.client().await;
    (server, auditor, client)
}

fn all(who: Option<pb::Actor>) -> DescriptionQuestion {
    DescriptionQuestion { actor: who, ..Default::default() }
}

/// Describes a range page by page. Returns the records and the number of pages.
async fn paged(
    client: &mut Auditor,
    mut question: DescriptionQuestion,
    log: &[u8],
) -> (Vec<DescribedRecord>, usize) {
    let (mut records, mut pages) = (Vec::new(), 0);
    loop {
        let page = described(client, question.clone(), log).await.expect("a page");
        assert!(!page.records.is_empty() && page.encoded_len() <= 512 * 1024 + 4096);
        records.extend(page.records);
        pages += 1;
        question.page_token = page.next_page_token;
        if question.page_token.is_empty() {
            return (records, pages);
        }
    }
}

fn as_step(record: DescribedRecord) -> GetStepResponse {
    let DescribedRecord { record, events, view, round_end, game_end, unknown, taken_back_to_seq } = record;
    assert_eq!(taken_back_to_seq, None);
    GetStepResponse { record, events, view, round_end, game_end, unknown }
}

/// Returns the log with so many notes of so many bytes behind it.
fn with_notes(log: &[u8], count: usize, length: usize) -> Vec<u8> {
    let mut long = log.to_vec();
    let (mut input, mut reader) = (log, Reader::new());
    while reader.next(&mut input).expect("sound").is_some() {}
    let mut chain: Chain = reader.chain();
    let note = Record::Remark(Remark::note(Author::Table, None, "x".repeat(length)));
    let note = note.encode().expect("a record");
    for _ in 0..count {
        chain.append(&note, &mut long);
    }
    long
}

#[tokio::test]
async fn a_description_is_every_step_in_turn() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, u32::MAX).await;
    let log = script.log(script.moves.len());
    for who in [role(Role::Table), seat(2), role(Role::Judge)] {
        let (records, pages) =
            paged(&mut auditor, DescriptionQuestion { want_views: true, ..all(who) }, &log).await;
        assert!(pages > 1 && records.len() > 256, "{pages} pages of {} records", records.len());
        let (bare, _) = paged(&mut auditor, DescriptionQuestion { page_size: 7, ..all(who) }, &log).await;
        assert_eq!(bare.len(), records.len());
        for (n, (record, bare)) in records.into_iter().zip(bare).enumerate() {
            assert_eq!(bare, DescribedRecord { view: None, ..record.clone() });
            assert_eq!(record.record.as_ref().map(|record| record.n), Some(n as u64));
            if n % 23 < 2 {
                let shown = step(&mut auditor, who, n as u64, &log).await.expect("a step");
                assert_eq!(as_step(record), shown, "record {n}");
            }
        }
    }
}

#[tokio::test]
async fn a_range_is_what_is_asked_for() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let last = script.moves.last().expect("moves").after.link.n;
    let range = |from, to| DescriptionQuestion { from_n: from, to_n: to, ..all(role(Role::Table)) };
    for (question, expected) in [
        (range(Some(3), Some(5)), 3..=5),
        (range(Some(4), Some(4)), 4..=4),
        (range(Some(last - 1), None), last - 1..=last),
        (range(Some(last), Some(u64::MAX)), last..=last),
        (range(None, Some(1)), 0..=1),
    ] {
        let answer = described(&mut auditor, question, &log).await.expect("a page");
        let numbers: Vec<_> = answer.records.iter().filter_map(|one| Some(one.record.as_ref()?.n)).collect();
        assert_eq!((numbers, answer.next_page_token), (expected.collect(), String::new()));
    }
    let one =
        described(&mut auditor, DescriptionQuestion { page_size: 1, ..range(None, Some(9)) }, &log).await;
    let token = one.expect("a page").next_page_token;
    let with = |page_token: &str, question| DescriptionQuestion { page_token: page_token.into(), ..question };
    for (bad, path) in [
        (all(None), "question.actor"),
        (range(Some(5), Some(4)), "question.to_n"),
        (range(Some(last + 1), None), "question.from_n"),
        (DescriptionQuestion { page_size: -1, ..range(None, None) }, "question.page_size"),
        (with("no token", range(None, Some(9))), "question.page_token"),
        (with(&token, range(None, Some(8))), "question.page_token"),
        (with(&token, DescriptionQuestion { actor: seat(1), ..range(None, Some(9)) }), "question.page_token"),
        (all(seat(4)), "question.actor.seat"),
    ] {
        assert_field(&described(&mut auditor, bad, &log).await.expect_err(path), path);
    }
}

/// Checks that a page ends before damage, that the next one is DATA_LOSS, and that long records end a page early.
#[tokio::test]
async fn a_page_ends_before_damage_and_before_it_is_too_long() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let mut log = script.log(20);
    let sound = script.moves[19].after.link.n + 1;
    let long = with_notes(&log, 300, 4096);
    let notes = DescriptionQuestion { from_n: Some(sound), ..all(role(Role::Table)) };
    let (records, pages) = paged(&mut auditor, notes.clone(), &long).await;
    // 256 notes of 4 KiB take 1 MiB, and two pages of 512 KiB hold fewer than 128 each.
    assert_eq!((records.len(), pages), (300, 3));
    let at = log.len();
    log.extend(&script.moves[20].frames);
    log[at + 5] ^= 0x10;
    let page = described(&mut auditor, all(role(Role::Table)), &log).await.expect("sound before");
    assert_eq!(page.records.len() as u64, sound);
    let rest = DescriptionQuestion { page_token: page.next_page_token, ..all(role(Role::Table)) };
    let status = described(&mut auditor, rest, &log).await.expect_err("damage");
    let reason = status.get_details_error_info().expect("an ErrorInfo").reason;
    assert_eq!((status.code(), reason.as_str()), (Code::DataLoss, "LOG_CORRUPT"));
}

/// Checks that of an open round a description tells nothing but what its records tell everyone.
#[tokio::test]
async fn an_open_round_is_described_by_its_records() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let refused = with_refusal(&script);
    let last = script.moves.len() - 1;
    let open = &refused.log[..refused.log.len() - script.moves[last].frames.len()];
    let (expected, _) =
        paged(&mut auditor, DescriptionQuestion { want_views: true, ..all(role(Role::Table)) }, open).await;
    let mut moves = script.moves.iter();
    for record in &expected {
        assert!(record.view.is_none() && record.events.is_empty() && record.round_end.is_none());
        let told = record.record.as_ref().expect("a record");
        match told.kind() {
            RecordKind::Action => {
                let made = moves.next().expect("as many moves");
                assert_eq!((&told.actor, &told.action), (&made.who(), &made.action()));
                assert_eq!(record.unknown(), Unknown::Hidden);
            }
            RecordKind::Refusal => {
                assert_eq!((&told.action, told.codes.is_empty()), (&None, false));
            }
            _ => assert_eq!(told.action, None),
        }
    }
    assert_eq!(moves.count(), 1, "the last move is not in the log");
    for who in [seat(0), seat(1), role(Role::Judge), role(Role::Director), role(Role::Spectator)] {
        let (seen, _) = paged(&mut auditor, DescriptionQuestion { want_views: true, ..all(who) }, open).await;
        assert_eq!(seen, expected, "{who:?}");
    }
}

#[tokio::test]
async fn questions_together_are_answered_as_each_alone() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 2).await;
    let refused = with_refusal(&script);
    let audit = AuditQuestion { actor: role(Role::Table), live: true, ..Default::default() };
    let page = DescriptionQuestion { to_n: Some(30), want_views: true, ..all(seat(3)) };
    let asked = |who, n| StepQuestion { actor: who, n: Some(n) };
    let questions = vec![
        Question::Explanation(asked(role(Role::Judge), refused.n)),
        Question::Audit(audit.clone()),
        Question::Step(asked(seat(1), 40)),
        Question::Description(page.clone()),
        Question::Step(asked(role(Role::Director), 5)),
        Question::Explanation(asked(seat(0), refused.n)),
    ];
    let log = &refused.log;
    let expected = [
        Answer::Explanation(explained(&mut auditor, role(Role::Judge), refused.n, log).await.expect("known")),
        Answer::Audit(audited(&mut auditor, audit, log, 60_000).await.expect("a report")),
        Answer::Step(step(&mut auditor, seat(1), 40, log).await.expect("a step")),
        Answer::Description(described(&mut auditor, page, log).await.expect("a page")),
        Answer::Step(step(&mut auditor, role(Role::Director), 5, log).await.expect("a step")),
        Answer::Explanation(explained(&mut auditor, seat(0), refused.n, log).await.expect("known")),
    ];
    assert_eq!(answered(&mut auditor, questions, log).await.expect("answers"), expected);
}

#[tokio::test]
async fn questions_have_bounds() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let report = || Question::Audit(AuditQuestion { actor: role(Role::Table), ..Default::default() });
    let at = |n| Question::Step(StepQuestion { actor: role(Role::Table), n: Some(n) });
    let from = |n| Question::Description(DescriptionQuestion { from_n: Some(n), ..all(role(Role::Table)) });
    let nobody = Question::Explanation(StepQuestion { actor: None, n: Some(1) });
    let stranger = Question::Step(StepQuestion { actor: seat(5), n: Some(1) });
    for (bad, path) in [
        (vec![], "ask.questions"),
        ((0..65).map(at).collect(), "ask.questions"),
        (vec![report(), at(1), report()], "ask.questions[2].audit"),
        (vec![at(1), nobody], "ask.questions[1].explanation.actor"),
        (vec![at(1), at(100_000)], "ask.questions[1].step.n"),
        (vec![from(90_000)], "ask.questions[0].description.from_n"),
        (vec![report(), stranger], "ask.questions[1].step.actor.seat"),
        // 256 records each: five ranges have 1,280 records.
        ((0..5).map(|n| from(n * 256)).collect(), "ask.questions"),
    ] {
        assert_field(&answered(&mut auditor, bad, &log).await.expect_err(path), path);
    }
    let most = answered(&mut auditor, (0..64).map(|n| at(n % 30)).collect(), &log).await.expect("64 steps");
    assert_eq!(most.len(), 64);
    // Four pages of notes have up to 512 KiB each: the answers end before the second or third.
    let first = script.moves.last().expect("moves").after.link.n + 1;
    let long = with_notes(&log, 500, 4096);
    let pages: Vec<_> = (0..4).map(|page| from(first + page * 100)).collect();
    let some = answered(&mut auditor, pages.clone(), &long).await.expect("as many as fit");
    assert_eq!(some.len(), 2);
    let rest = answered(&mut auditor, pages[some.len()..].to_vec(), &long).await.expect("the rest");
    assert_eq!(rest.len(), 2);
}
