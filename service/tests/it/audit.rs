//! AuditService: reports on whole logs, positions in them, and why something was refused.

use canasta_engine::log::Reader;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::Verdict as Judged;
use canasta_engine::log::frame::Chain;
use canasta_engine::log::record::{Author, Record, Remark};
use canasta_engine::token::encode;
use canasta_messages::convert::{action_out, identity, violation};
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::explain_step_response::Judgement;
use canasta_proto::v1::{
    self as pb, AuditQuestion, DealVerdict, ExpectedRecord, FindingKind, ListLegalActionsRequest, RecordKind,
    Rejected, Role, Unknown, Verdict,
};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::support;
use crate::support::Server;
use crate::support::game::{assert_field, role, seat, view};
use crate::support::logs::{Auditor, audited, explained, piece, question, step, with_illegal, with_refusal};
use crate::support::script::PlayedScript;

fn asked(who: Option<pb::Actor>) -> AuditQuestion {
    AuditQuestion { actor: who, ..Default::default() }
}

fn reason(status: &Status) -> String {
    status.get_details_error_info().expect("an ErrorInfo").reason
}

async fn start(arguments: &[&str]) -> (Server, Auditor, support::game::Client) {
    let server = Server::start(arguments).await;
    let auditor = AuditServiceClient::new(server.channel().await);
    let client = server.client().await;
    (server, auditor, client)
}

#[tokio::test]
async fn a_finished_game_is_clean_however_it_is_cut_up() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, u32::MAX).await;
    let log = script.log(script.moves.len());
    let end = script.moves.last().expect("moves").after.link;
    let mut reports = Vec::new();
    for size in [1, 997, 4096, 65_536] {
        reports.push(audited(&mut auditor, asked(role(Role::Table)), &log, size).await.expect("a report"));
    }
    let report = &reports[0];
    assert!(reports.iter().all(|other| other == report));
    assert_eq!((report.verdict(), report.deal()), (Verdict::Clean, DealVerdict::AsCommitted));
    assert_eq!((report.records, &report.head[..]), (end.n + 1, &end.head[..]));
    assert_eq!((report.bytes, report.actions), (log.len() as u64, script.moves.len() as u64));
    assert!(report.findings.is_empty() && report.result.is_some() && !report.head_checked);
    // The engine's audit, which the command line prints, has the same counts.
    let own = audit(&log, Expect::default());
    assert_eq!((report.rounds, &report.totals), (own.rounds, &own.totals));
    let game = report.game.as_ref().expect("a game");
    assert_eq!((game.game_id.as_slice(), game.rule_set.as_str()), (&[1; 16][..], "classic-4p"));
    assert_eq!((game.deal_mode(), game.players.len()), (pb::DealMode::Seeded, 4));
    let result = report.result.as_ref().expect("it has ended");
    let totals: Vec<i64> = result.totals.iter().map(|&total| total.into()).collect();
    assert_eq!(totals, report.totals);
}

#[tokio::test]
async fn what_is_known_from_elsewhere_is_compared() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let (cut, end) = (script.moves[9].after.link, script.moves.last().expect("moves").after.link);
    let live = AuditQuestion { live: true, ..asked(role(Role::Judge)) };
    let expected_head = end.head.to_vec();
    let record = |n, head: [u8; 32]| Some(ExpectedRecord { n: Some(n), head: head.into() });
    let whole = AuditQuestion { expected_head: expected_head.clone(), ..live.clone() };
    let report = audited(&mut auditor, whole.clone(), &log, 5000).await.expect("a report");
    assert!(report.findings.is_empty() && report.head_checked, "{:?}", report.findings);
    // The log goes on: its next round is registered and hidden.
    assert_eq!((report.verdict(), report.open_round), (Verdict::Conditional, Some(2)));
    let report = audited(&mut auditor, asked(role(Role::Judge)), &log, 5000).await.expect("a report");
    assert_eq!(report.verdict(), Verdict::Incomplete);
    assert_eq!(report.findings[0].kind(), FindingKind::Incomplete);
    let short = script.log(10);
    for question in [
        whole,
        AuditQuestion { expected_record: record(end.n, end.head), ..live.clone() },
        AuditQuestion { expected_record: record(cut.n, [9; 32]), ..live.clone() },
    ] {
        let report = audited(&mut auditor, question, &short, 5000).await.expect("a report");
        assert_eq!(report.findings[0].kind(), FindingKind::Head);
        assert_eq!(report.verdict(), Verdict::Altered);
    }
    let good = AuditQuestion { expected_record: record(cut.n, cut.head), ..live.clone() };
    assert!(audited(&mut auditor, good, &short, 5000).await.expect("a report").findings.is_empty());
    for (bad, path) in [
        (asked(None), "question.actor"),
        (AuditQuestion { expected_head: vec![1; 31], ..live.clone() }, "question.expected_head"),
        (
            AuditQuestion {
                expected_record: Some(ExpectedRecord { n: Some(0), ..Default::default() }),
                ..live
            },
            "question.expected_record.head",
        ),
        (asked(seat(5)), "question.actor.seat"),
    ] {
        assert_field(&audited(&mut auditor, bad, &short, 5000).await.expect_err(path), path);
    }
}

/// Checks that an audit of a damaged log is a report, and that a question about a record behind the damage is
/// answered with DATA_LOSS.
#[tokio::test]
async fn a_damaged_log_is_a_finding_and_what_is_behind_it_is_lost() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let mut log = script.log(script.moves.len());
    let at = script.log(20).len();
    let n = script.moves[20].after.link.n;
    log[at + 5] ^= 0x10;
    let report = audited(&mut auditor, asked(role(Role::Table)), &log, 3000).await.expect("a report");
    assert_eq!((report.verdict(), report.records, report.bytes), (Verdict::Altered, n, at as u64));
    let found = &report.findings[0];
    assert_eq!((found.kind(), found.record, found.offset), (FindingKind::Corrupt, n, at as u64));
    let salvage = AuditQuestion { salvage: true, ..asked(role(Role::Table)) };
    let report = audited(&mut auditor, salvage, &log, 3000).await.expect("a report");
    assert!(report.salvaged.is_some_and(|salvaged| salvaged.records > 0));
    for n in [n, n + 100] {
        let lost = [
            step(&mut auditor, role(Role::Judge), n, &log).await.expect_err("behind the damage"),
            explained(&mut auditor, role(Role::Judge), n, &log).await.expect_err("behind the damage"),
        ];
        for status in lost {
            let info = status.get_details_error_info().expect("an ErrorInfo");
            assert_eq!((status.code(), info.reason.as_str()), (Code::DataLoss, "LOG_CORRUPT"));
            assert_eq!(info.metadata["offset"], at.to_string());
        }
    }
    // The records before the damage can be read; the cards were revealed behind it.
    let before = step(&mut auditor, role(Role::Judge), n - 1, &log).await.expect("it is sound");
    assert_eq!((before.unknown(), before.view), (Unknown::Hidden, None));
    for no_log in [&b""[..], b"\x89CLO", b"GIF89a, and more than nine bytes"] {
        let report = audited(&mut auditor, asked(role(Role::Table)), no_log, 9).await.expect("a report");
        assert_eq!(report.verdict(), Verdict::NotALog);
        assert_eq!((report.findings[0].kind(), report.game), (FindingKind::NotALog, None));
        let status = step(&mut auditor, role(Role::Table), 0, no_log).await.expect_err("no record");
        assert_eq!(status.code(), Code::DataLoss);
    }
}

/// Compares the view after a record with the view of the state that its action led to; no viewer sees more than in
/// play.
#[tokio::test]
async fn a_step_shows_the_position_as_it_was() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let ends = script.moves.len() - 1;
    for (at, made) in script.moves.iter().enumerate().filter(|(at, _)| *at < 3 || at % 17 == 0) {
        if at == ends {
            continue;
        }
        let link = made.after.link;
        for who in [seat(0), seat(3), role(Role::Table), role(Role::Judge)] {
            let shown = step(&mut auditor, who, link.n, &log).await.expect("a step");
            // The log has the names of the players, which a state has not.
            let mut then = view(&mut client, &encode(&made.after), who).await;
            for seat in &mut then.seats {
                assert_eq!(seat.name, "");
                seat.name = format!("Player {}", seat.seat + 1);
            }
            assert_eq!(shown.view, Some(then), "move {at} {who:?}");
            let record = shown.record.clone().expect("a record");
            assert_eq!(
                (record.n, record.seq, record.kind()),
                (link.n, made.after.table.step(), RecordKind::Action)
            );
            assert_eq!((record.actor, record.action), (made.who(), made.action()));
            assert_eq!((&record.head[..], shown.unknown()), (&link.head[..], Unknown::Unspecified));
            assert!(!shown.events.is_empty());
        }
    }
    // The round end holds the score.
    let end = script.moves[ends].after.link.n - 1;
    let shown = step(&mut auditor, role(Role::Table), end, &log).await.expect("a step");
    assert_eq!(shown.record.as_ref().map(|record| record.kind()), Some(RecordKind::RoundEnd));
    let sheet = shown.round_end.expect("a sheet");
    assert_eq!((sheet.round, sheet.scores.len()), (1, 2));
    assert_eq!(shown.view.expect("the last table").phase(), pb::Phase::RoundOver);
    let first = step(&mut auditor, role(Role::Table), 0, &log).await.expect("a step");
    assert_eq!((first.record.expect("a record").kind(), first.view), (RecordKind::Genesis, None));
    assert_eq!(first.unknown, i32::from(Unknown::NotDealt));
    let status = step(&mut auditor, role(Role::Table), end + 2, &log).await.expect_err("no such record");
    assert_field(&status, "question.n");
    assert_field(&step(&mut auditor, seat(4), 3, &log).await.expect_err("no seat"), "question.actor.seat");
}

/// Checks that the log does not tell the deal to anybody before the reveal, not even to the judge.
#[tokio::test]
async fn a_log_in_progress_shows_nothing_hidden() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len() - 1);
    for made in script.moves[..script.moves.len() - 1].iter().step_by(13) {
        let n = made.after.link.n;
        for who in [seat(0), role(Role::Judge), role(Role::Director)] {
            let shown = step(&mut auditor, who, n, &log).await.expect("a step");
            assert_eq!((shown.unknown(), shown.view, shown.events), (Unknown::Hidden, None, vec![]));
            let why = explained(&mut auditor, who, n, &log).await.expect("a step");
            assert_eq!((why.unknown(), why.judgement, why.legal_actions), (Unknown::Hidden, None, vec![]));
        }
    }
}

#[tokio::test]
async fn a_refusal_is_explained_to_whoever_may_know() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let refused = with_refusal(&script);
    let own = Some(identity::write(refused.who));
    let expected = violation::write(&refused.rejection, &refused.state.table.rules().books());
    for who in [own, role(Role::Judge), role(Role::Director)] {
        let why = explained(&mut auditor, who, refused.n, &refused.log).await.expect("explained");
        assert_eq!(why.judgement, Some(Judgement::Rejected(expected.clone())));
        let record = why.record.expect("a record");
        assert_eq!((record.kind(), record.actor), (RecordKind::Refusal, own));
        assert_eq!(record.action, Some(action_out::write(&refused.action)));
        let request =
            ListLegalActionsRequest { state: encode(&refused.state), actor: who, ..Default::default() };
        let legal = client.list_legal_actions(request).await.expect("well formed").into_inner();
        assert!(!legal.actions.is_empty());
        assert_eq!((why.legal_actions, why.complete), (legal.actions, legal.complete));
    }
    for who in [role(Role::Table), seat(0), seat(1), seat(2), seat(3)].into_iter().filter(|who| *who != own) {
        let why = explained(&mut auditor, who, refused.n, &refused.log).await.expect("explained");
        let Some(Judgement::Rejected(Rejected { violations, .. })) = why.judgement else { panic!("{why:?}") };
        let record = why.record.expect("a record");
        assert_eq!((record.action, why.legal_actions), (None, vec![]));
        for (seen, known) in violations.iter().zip(&expected.violations) {
            // A viewer that may not see the facts gets the rules of the code, since the cause could tell
            // cards.
            assert_eq!(seen.code, known.code);
            assert!(known.rule_ids.iter().all(|id| seen.rule_ids.contains(id)), "{seen:?}");
            assert!(seen.message.is_empty() && seen.facts.is_empty() && seen.repair.is_none());
        }
    }
}

#[tokio::test]
async fn an_accepted_action_is_legal_among_others() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    for made in script.moves.iter().skip(1).step_by(29) {
        let n = made.before.link.n + 1;
        let why = explained(&mut auditor, made.who(), n, &log).await.expect("explained");
        assert_eq!(why.judgement, Some(Judgement::Legal(pb::Legal {})));
        let request =
            ListLegalActionsRequest { state: encode(&made.before), actor: made.who(), ..Default::default() };
        let legal = client.list_legal_actions(request).await.expect("well formed").into_inner();
        assert_eq!(why.legal_actions, legal.actions);
        assert!(why.legal_actions.contains(&made.action().expect("an action")));
    }
    let register = explained(&mut auditor, role(Role::Judge), 1, &log).await.expect("explained");
    assert_eq!((register.unknown(), register.judgement), (Unknown::NoAction, None));
    let deal = explained(&mut auditor, role(Role::Table), 2, &log).await.expect("explained");
    assert_eq!((deal.judgement, deal.legal_actions.len()), (Some(Judgement::Legal(pb::Legal {})), 1));
}

#[tokio::test]
async fn an_illegal_action_is_found_and_explained() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let (log, n, who) = with_illegal(&script);
    let live = |who| AuditQuestion { live: true, ..asked(who) };
    let report = audited(&mut auditor, live(role(Role::Director)), &log, 3000).await.expect("a report");
    let found = report.findings.iter().find(|found| found.kind() == FindingKind::Illegal).expect("found");
    assert_eq!((found.record, found.codes[0].as_str()), (n, "TURN_CARD_NOT_IN_HAND"));
    assert!(!found.rule_ids.is_empty() && found.position.starts_with("classic-4p"), "{found:?}");
    let own = audit(&log, Expect { live: true, ..Expect::default() });
    assert!(own.verdict <= Judged::Illegal && report.findings.len() == own.findings.len());
    assert_eq!(report.verdict().as_str_name(), format!("VERDICT_{}", own.verdict.name()));
    let report = audited(&mut auditor, live(seat(0)), &log, 3000).await.expect("a report");
    assert!(report.findings.iter().all(|found| found.position.is_empty()), "hands are not for seats");
    let own = Some(identity::write(who));
    let why = explained(&mut auditor, own, n, &log).await.expect("explained");
    let Some(Judgement::Rejected(rejected)) = why.judgement else { panic!("it is illegal") };
    assert_eq!(rejected.violations[0].code, "TURN_CARD_NOT_IN_HAND");
    assert!(!rejected.violations[0].message.is_empty() && !why.legal_actions.is_empty());
    let after = step(&mut auditor, role(Role::Judge), n + 1, &log).await.expect("a step");
    assert_eq!((after.unknown(), after.view), (Unknown::AfterIllegal, None));
}

#[tokio::test]
async fn pieces_come_in_order_and_within_bounds() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let log = PlayedScript::play(&mut client, 1).await.created;
    let first = || question(asked(role(Role::Table)));
    let table = [
        (vec![], "question"),
        (vec![piece(&log)], "question"),
        (vec![pb::AuditLogRequest::default()], "question"),
        (vec![first(), first()], "question"),
        (vec![first(), pb::AuditLogRequest::default()], "chunk"),
        (vec![first(), piece(&[])], "chunk"),
        (vec![first(), piece(&[0; 65_537])], "chunk"),
    ];
    for (messages, path) in table {
        let status = auditor.audit_log(tokio_stream::iter(messages)).await.expect_err(path);
        assert_field(&status, path);
    }
    // A message that is longer than any chunk is not even read.
    let long = tokio_stream::iter([first(), piece(&[0; 65_536 + 64])]);
    assert_eq!(auditor.audit_log(long).await.expect_err("too long").code(), Code::OutOfRange);
}

#[tokio::test]
async fn what_is_too_large_is_refused_while_it_is_read() {
    let (_server, mut auditor, mut client) = start(&[]).await;
    let created = PlayedScript::play(&mut client, 1).await.created;
    let first = || std::iter::once(question(asked(role(Role::Table))));
    let too_large = |status: Status, what: &str| {
        assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "LOG_TOO_LARGE"));
        assert!(status.message().ends_with(what), "{status:?}");
    };
    let endless = first().chain(std::iter::repeat(piece(&[0; 65_536])));
    too_large(auditor.audit_log(tokio_stream::iter(endless)).await.expect_err("no end"), "67108864 bytes");
    let endless = first().chain(std::iter::repeat(piece(&[0])));
    too_large(auditor.audit_log(tokio_stream::iter(endless)).await.expect_err("no end"), "100000 chunks");
    let mut log = created;
    let (mut input, mut reader) = (&log[..], Reader::new());
    while reader.next(&mut input).expect("sound").is_some() {}
    let mut chain: Chain = reader.chain();
    let note = Record::Remark(Remark::note(Author::Table, None, "x"));
    let note = note.encode().expect("a record");
    for _ in chain.next..100_000 {
        chain.append(&note, &mut log);
    }
    let report = audited(&mut auditor, asked(role(Role::Table)), &log, 65_536).await.expect("as many as go");
    assert_eq!((report.records, report.remarks), (100_000, 100_000 - 2));
    chain.append(&note, &mut log);
    let status = audited(&mut auditor, asked(role(Role::Table)), &log, 65_536).await.expect_err("one more");
    too_large(status, "100000 records");
}

#[tokio::test]
async fn audits_have_places_and_a_deadline_of_their_own() {
    let arguments = ["--max-audits", "1", "--audit-deadline-ms", "400", "--deadline-ms", "50"];
    let (_server, mut auditor, mut client) = start(&arguments).await;
    let mut other = auditor.clone();
    let slow = || {
        tokio_stream::StreamExt::chain(
            tokio_stream::once(question(asked(role(Role::Table)))),
            tokio_stream::pending(),
        )
    };
    let first = tokio::spawn(async move { other.audit_log(slow()).await });
    let status = loop {
        // The first request may not have its place yet.
        let status = match auditor.audit_log(tokio_stream::empty()).await {
            Err(status) => status,
            Ok(_) => panic!("there is no question"),
        };
        if status.code() == Code::ResourceExhausted {
            break status;
        }
    };
    assert_eq!(reason(&status), "OVERLOADED");
    // Other requests are answered meanwhile.
    let listed = client.list_rule_sets(pb::ListRuleSetsRequest::default()).await.expect("listed");
    assert_eq!(listed.into_inner().rule_sets.len(), 22);
    let status = first.await.expect("no panic").expect_err("it never ends");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE"));
}
