//! DescribeLog, and several questions about one log.

mod support;

use canasta_engine::action::As;
use canasta_engine::table::Phase;
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::{DescribeQuestion, LogStep, RecordKind, Role, StepQuestion, Unknown};
use prost::Message as _;
use support::Server;
use support::game::{assert_field, role, seat};
use support::logs::{Auditor, described, step, steps, with_illegal, with_refusal};
use support::script::PlayedScript;
use tonic::Code;

async fn start() -> (Server, Auditor, support::game::Client) {
    let server = Server::start(&[]).await;
    let auditor = AuditServiceClient::new(server.channel().await);
    let client = server.client().await;
    (server, auditor, client)
}

fn all(actor: Option<canasta_proto::v1::Actor>) -> DescribeQuestion {
    DescribeQuestion { actor, ..Default::default() }
}

/// Returns a step as DescribeLog tells it.
fn without_view(step: LogStep) -> LogStep {
    LogStep { view: None, ..step }
}

/// Checks every record of a revealed round against GetStep, through three pairs of eyes.
#[tokio::test]
async fn records_are_told_as_get_step_tells_them() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    for who in [seat(1), role(Role::Table), role(Role::Judge)] {
        let history = described(&mut auditor, all(who), &log).await.expect("a history");
        assert_eq!(history.next, None);
        let numbers = history.steps.iter().map(|step| step.record.as_ref().expect("a record").n);
        assert!(numbers.eq(0..history.steps.len() as u64));
        for (n, told) in history.steps.iter().enumerate().step_by(7) {
            let shown = step(&mut auditor, who, n as u64, &log).await.expect("a step");
            let told = LogStep { unknown: shown.unknown, ..told.clone() };
            assert_eq!(told, without_view(shown), "record {n}");
        }
        let ends = history.steps.iter().filter(|step| step.round_end.is_some());
        assert_eq!(ends.count(), 1);
        assert!(history.steps.iter().all(|step| step.unknown() == Unknown::Unspecified));
    }
}

#[tokio::test]
async fn a_range_is_its_part_of_the_whole() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, u32::MAX).await;
    let log = script.log(script.moves.len());
    let last = script.moves.last().expect("moves").after.link.n;
    assert!(last > 500, "the game has more than one answer's records");
    let first = described(&mut auditor, all(seat(2)), &log).await.expect("a history");
    assert_eq!((first.steps.len(), first.next), (500, Some(500)));
    let (mut whole, mut next) = (first.steps, first.next);
    while let Some(from) = next {
        let more =
            described(&mut auditor, DescribeQuestion { from, ..all(seat(2)) }, &log).await.expect("more");
        whole.extend(more.steps);
        next = more.next;
    }
    assert_eq!(whole.len() as u64, last + 1);
    for (from, to) in [(0, 0), (3, 40), (last - 1, last), (490, 510)] {
        let question = DescribeQuestion { from, to: Some(to), ..all(seat(2)) };
        let part = described(&mut auditor, question, &log).await.expect("a part");
        assert_eq!(part.steps, whole[from as usize..=to as usize]);
        assert_eq!(part.next, None);
    }
    let end = whole.last().expect("records");
    assert_eq!(end.record.as_ref().map(|record| record.kind()), Some(RecordKind::GameEnd));
    assert!(end.game_end.is_some());
}

/// Checks that a round in progress shows nothing but what the log has in clear, to everybody.
#[tokio::test]
async fn an_open_round_is_told_to_all_as_the_table_sees_it() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let drawn =
        script.moves.iter().position(|made| made.before.table.phase() == Phase::Play).expect("a draw");
    let log = script.log(drawn + 1);
    let table = described(&mut auditor, all(role(Role::Table)), &log).await.expect("a history");
    let acted: Vec<_> =
        table.steps.iter().filter(|step| step.record.as_ref().is_some_and(|r| r.action.is_some())).collect();
    assert!(acted.len() > drawn);
    for step in acted {
        assert_eq!((step.unknown(), &step.events[..], &step.view), (Unknown::Hidden, &[][..], &None));
    }
    for who in [seat(0), seat(3), role(Role::Judge), role(Role::Director), role(Role::Spectator)] {
        assert_eq!(described(&mut auditor, all(who), &log).await.expect("a history"), table);
    }
}

/// Checks refusals and illegal actions: the codes are open, what a seat tried is not.
#[tokio::test]
async fn a_refusal_is_told_with_its_codes_and_its_action_to_its_seat() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let tried = with_refusal(&script);
    let As::Seat(own) = tried.who else { panic!("seats discard") };
    for (who, sees) in [(seat(own.0.into()), true), (role(Role::Judge), true), (role(Role::Table), false)] {
        let question = DescribeQuestion { from: tried.n, to: Some(tried.n), ..all(who) };
        let told = described(&mut auditor, question, &tried.log).await.expect("a refusal").steps.remove(0);
        let record = told.record.expect("a record");
        assert_eq!(
            (record.kind(), &record.codes[..]),
            (RecordKind::Refusal, &["TURN_DRAW_FIRST".to_owned()][..])
        );
        assert_eq!(record.action.is_some(), sees);
    }
    let (log, n, _) = with_illegal(&script);
    let question = DescribeQuestion { from: n, to: Some(n + 1), ..all(role(Role::Table)) };
    let told = described(&mut auditor, question, &log).await.expect("an illegal action").steps;
    assert!(told[0].record.as_ref().is_some_and(|record| record.codes == ["TURN_CARD_NOT_IN_HAND"]));
    assert_eq!((told[0].unknown(), told[1].unknown()), (Unknown::Unspecified, Unknown::AfterIllegal));
}

#[tokio::test]
async fn a_bad_question_is_refused_by_field_and_a_damaged_log_with_data_loss() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(12);
    let last = script.moves[11].after.link.n;
    for (bad, path) in [
        (all(None), "question.actor"),
        (all(seat(4)), "question.actor.seat"),
        (DescribeQuestion { from: 5, to: Some(4), ..all(seat(0)) }, "question.to"),
        (DescribeQuestion { from: last + 1, ..all(seat(0)) }, "question.from"),
        (DescribeQuestion { from: u64::MAX, to: Some(u64::MAX), ..all(seat(0)) }, "question.from"),
    ] {
        assert_field(&described(&mut auditor, bad, &log).await.expect_err(path), path);
    }
    let torn = &log[..log.len() - 1];
    let status = described(&mut auditor, all(seat(0)), torn).await.expect_err("torn");
    assert_eq!(status.code(), Code::DataLoss);
    let sound = DescribeQuestion { to: Some(last - 1), ..all(seat(0)) };
    let told = described(&mut auditor, sound, torn).await.expect("the records before the damage");
    assert_eq!(told.steps.len() as u64, last);
}

/// Checks that several questions have the answers of each, in their order.
#[tokio::test]
async fn several_questions_about_one_log_are_answered_in_order() {
    let (_server, mut auditor, mut client) = start().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let asked: Vec<_> =
        [(seat(3), 30), (seat(0), 2), (role(Role::Judge), 30), (seat(0), 31), (seat(3), 30)].into();
    let questions: Vec<_> = asked.iter().map(|&(actor, n)| StepQuestion { actor, n: Some(n) }).collect();
    let answers = steps(&mut auditor, questions.clone(), &log).await.expect("answers");
    for (answer, (who, n)) in answers.iter().zip(&asked) {
        assert_eq!(answer, &step(&mut auditor, *who, *n, &log).await.expect("an answer"));
    }
    assert_eq!((answers.len(), &answers[0]), (5, &answers[4]));
    for (count, path) in [(0, "question.steps"), (65, "question.steps")] {
        let many = vec![questions[0]; count];
        assert_field(&steps(&mut auditor, many, &log).await.expect_err(path), path);
    }
    let full = steps(&mut auditor, vec![questions[0]; 64], &log).await.expect("64 answers");
    assert!(full.len() == 64 && full.iter().map(LogStep::encoded_len).sum::<usize>() < 768 * 1024);
    let unknown = vec![questions[0], StepQuestion { n: Some(1_000_000), ..questions[1] }];
    assert_field(&steps(&mut auditor, unknown, &log).await.expect_err("no record"), "question.steps[1].n");
    let nobody = vec![questions[0], StepQuestion { actor: None, ..questions[1] }];
    assert_field(&steps(&mut auditor, nobody, &log).await.expect_err("no actor"), "question.steps[1].actor");
}
