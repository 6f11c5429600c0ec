//! Describe: the records of a finished game are described as AuditService describes its log, and those of an open round as
//! they were seen.

use canasta_proto::v1::ask_log_request::Part;
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::*;

use crate::support::game::*;
use crate::support::server::{Client, Recorder};

async fn described(client: &mut Client, request: DescribeRequest) -> Vec<DescribeResponse> {
    let (mut request, mut pages) = (request, Vec::new());
    loop {
        let asked = client.request(request.clone());
        let page = client.service.describe(asked).await.expect("well formed").into_inner();
        crate::support::walk::no_state("DescribeResponse", &page);
        assert!(!page.records.is_empty());
        request.page_token = page.next_page_token.clone();
        pages.push(page);
        if request.page_token.is_empty() {
            return pages;
        }
    }
}

fn ask(game: &[u8], actor: Option<Actor>, want_views: bool) -> DescribeRequest {
    DescribeRequest { game_id: game.into(), actor, want_views, ..Default::default() }
}

/// Returns what AuditService says of a log.
async fn audited(recorder: &Recorder, log: &[u8], actor: Option<Actor>, from_n: u64) -> DescribeLogResponse {
    let mut client = AuditServiceClient::new(recorder.channel().await);
    let question =
        DescriptionQuestion { actor, from_n: Some(from_n), want_views: true, ..Default::default() };
    let questions = [log_question::Question::Description(question)];
    let questions = questions.map(|question| LogQuestion { question: Some(question) }).to_vec();
    let mut messages = vec![AskLogRequest { part: Some(Part::Ask(LogQuestions { questions })) }];
    let chunks = log.chunks(65_536).map(|chunk| AskLogRequest { part: Some(Part::Chunk(chunk.into())) });
    messages.extend(chunks);
    let answer = client.ask_log(tokio_stream::iter(messages)).await.expect("a log").into_inner();
    match answer.answers.into_iter().next().and_then(|answer| answer.answer) {
        Some(log_answer::Answer::Description(description)) => description,
        other => panic!("{other:?}"),
    }
}

/// Plays a whole game with notes, refusals and a ruling, and compares every record with the audit of its log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_game_is_described_as_its_log_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = created(&mut client, new_game(1)).await.game_id;
    let mut note = act(&game, 40, role(Role::Table), None);
    note.proposals[0].record = remark("before the deal");
    acted(&mut client, note).await;
    play(&mut client, &game, 4).await;
    for checkpoint in [false, true] {
        let mut note = act(&game, 50 + u64::from(checkpoint), role(Role::Director), None);
        note.proposals[0].record = remark("a note");
        note.proposals[0].checkpoint = checkpoint;
        acted(&mut client, note).await;
    }
    let (_, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
    let mut refused = act(&game, 60, role(Role::Table), deal());
    refused.proposals[0].record_refusal = true;
    assert!(matches!(client.act(refused).await, Ok(act_response::Outcome::Rejected(_))));
    let other = seat((0..4).find(|other| seat(*other) != actor).expect("another seat"));
    let mut early = act(&game, 61, other, action);
    early.proposals[0].record_refusal = true;
    assert!(matches!(client.act(early).await, Ok(act_response::Outcome::Rejected(_))));
    let (_, is_over) = play(&mut client, &game, 5_000).await;
    assert!(is_over);
    let log = log(&mut client, &game, role(Role::Director)).await;
    for actor in [role(Role::Director), seat(2), other, role(Role::Spectator)] {
        let pages = described(&mut client, ask(&game, actor, true)).await;
        let ours: Vec<DescribedRecord> = pages.into_iter().flat_map(|page| page.records).collect();
        let mut theirs: Vec<DescribedRecord> = Vec::new();
        while theirs.len() < ours.len() {
            theirs.extend(audited(&recorder, &log, actor, theirs.len() as u64).await.records);
        }
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "for {actor:?}");
        }
        // A range in the middle is described alike, from wherever it begins.
        for from_n in [1, 7, 40, ours.len() as u64 - 1] {
            let request =
                DescribeRequest { from_n: Some(from_n), to_n: Some(from_n + 3), ..ask(&game, actor, true) };
            let pages = described(&mut client, request).await;
            let part: Vec<_> = pages.into_iter().flat_map(|page| page.records).collect();
            let end = ours.len().min(from_n as usize + 4);
            assert_eq!(part, ours[from_n as usize..end], "from {from_n}");
        }
    }
}

#[tokio::test]
async fn an_open_round_is_described_as_it_was_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let audiences = [seat(0), seat(3), role(Role::Table), role(Role::Director)];
    let mut seen: Vec<(u64, Vec<Observation>)> = Vec::new();
    for _ in 0..20 {
        let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
        let mut request = act(&game, 1000 + end.seq, actor, action);
        request.observers = audiences.into_iter().flatten().collect();
        let acted = acted(&mut client, request).await;
        // The entry that ends a round has further records.
        if !acted.round_ends.is_empty() {
            break;
        }
        seen.push((acted.log_end.expect("the end").n, acted.observations));
    }
    for (at, audience) in audiences.into_iter().enumerate() {
        let pages = described(&mut client, ask(&game, audience, true)).await;
        let records: Vec<_> = pages.into_iter().flat_map(|page| page.records).collect();
        for (n, observations) in &seen {
            let record = &records[*n as usize];
            assert_eq!(record.events, observations[at].events, "record {n}");
            let view = |view: &Option<View>| {
                view.as_ref().map(|view| {
                    (view.seq, view.seats.iter().map(|seat| seat.hand.clone()).collect::<Vec<_>>())
                })
            };
            assert_eq!(view(&record.view), view(&observations[at].view), "record {n}");
        }
    }
    let behind = DescribeRequest { from_n: Some(999), ..ask(&game, seat(0), false) };
    assert_eq!(reason(&client.service.describe(behind).await.expect_err("behind the end")), "INVALID_FIELD");
}

#[tokio::test]
async fn pages_of_a_range_are_bound_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    for id in 0..300 {
        let mut note = act(&game, 100 + id, role(Role::Director), None);
        note.proposals[0].record = remark("a note");
        acted(&mut client, note).await;
    }
    let pages = described(&mut client, ask(&game, seat(0), false)).await;
    // Three records of the deal, 300 remarks, and four signed notes: after records 64, 128, 192 and 256.
    assert_eq!(pages.iter().map(|page| page.records.len()).collect::<Vec<_>>(), [256, 51]);
    let numbers =
        pages.iter().flat_map(|page| &page.records).map(|one| one.record.as_ref().expect("a record").n);
    assert!(numbers.eq(0..307), "each once");
    let token = pages[0].next_page_token.clone();
    for other in [ask(&game, seat(1), false), ask(&game, seat(0), true)] {
        let request = DescribeRequest { page_token: token.clone(), ..other };
        assert_eq!(
            reason(&client.service.describe(request).await.expect_err("another range")),
            "INVALID_FIELD"
        );
    }
}
