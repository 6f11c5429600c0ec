//! Games through the client.

use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::action::{Deal, Kind, Ruling};
use canasta_proto::v1::actor::Who;
use canasta_proto::v1::*;
use tonic::Status;
use tonic_types::StatusExt;

use super::server::Client;

pub fn seat(seat: u32) -> Option<Actor> {
    Some(Actor { who: Some(Who::Seat(seat)) })
}

pub fn role(role: Role) -> Option<Actor> {
    Some(Actor { who: Some(Who::Role(role.into())) })
}

pub fn action(kind: Kind) -> Option<Action> {
    Some(Action { kind: Some(kind) })
}

/// Returns a valid request for a new game, of which a test changes one field.
pub fn new_game(id: u8) -> CreateRequest {
    CreateRequest {
        request_id: vec![id; 16],
        rule_set: "classic-4p".into(),
        deal_mode: DealMode::Seeded.into(),
        ..Default::default()
    }
}

pub async fn created(client: &mut Client, request: CreateRequest) -> CreatedGame {
    match client.create(request).await.expect("well formed") {
        create_response::Outcome::Created(created) => created,
        create_response::Outcome::Rejected(rejected) => panic!("{rejected:?}"),
    }
}

pub async fn acted(client: &mut Client, request: ActRequest) -> Acted {
    match client.act(request).await.expect("well formed") {
        act_response::Outcome::Acted(acted) => acted,
        act_response::Outcome::Rejected(rejected) => panic!("{rejected:?}"),
    }
}

/// Returns a request with one action; its id follows from `id`.
pub fn act(game: &[u8], id: u64, actor: Option<Actor>, action: Option<Action>) -> ActRequest {
    let record = action.map(proposal::Record::Action);
    let proposal = Proposal { actor, record, ..Default::default() };
    let request_id = [id.to_be_bytes(), [7; 8]].concat();
    ActRequest { game_id: game.into(), request_id, proposals: vec![proposal], ..Default::default() }
}

/// Returns a note, as the record of a proposal.
pub fn remark(text: impl Into<String>) -> Option<proposal::Record> {
    Some(proposal::Record::Note(Note { text: text.into() }))
}

pub fn deal() -> Option<Action> {
    action(Kind::Deal(Deal::default()))
}

/// Creates and deals a game. Returns its id.
pub async fn dealt(client: &mut Client, id: u8) -> Vec<u8> {
    let game = created(client, new_game(id)).await.game_id;
    acted(client, act(&game, 1, role(Role::Table), deal())).await;
    game
}

/// The end of the log, who is to act, and what a bot suggests.
pub type Suggestion = (LogEnd, Option<Actor>, Option<Action>);

/// Returns who is to act, and what a bot suggests; `None` once the game is over.
pub async fn suggested(client: &mut Client, game: &[u8]) -> Option<Suggestion> {
    try_suggested(client, game).await.expect("an answer")
}

/// Suggests as [`suggested`] does, or returns the fault of the first question that is not answered.
pub async fn try_suggested(client: &mut Client, game: &[u8]) -> Result<Option<Suggestion>, Status> {
    let view = client.get_game(game, role(Role::Table)).await?;
    let (end, view) = (view.log_end.expect("the end"), view.view.expect("a view"));
    if view.phase() == Phase::GameOver {
        return Ok(None);
    }
    let actor = view.to_act.map_or(role(Role::Table), seat);
    let suggested = client.suggest(game, actor, end.seq).await?;
    Ok(Some((end, actor, suggested.action)))
}

/// Plays as bots do, at most this number of actions. Returns the requests, and whether the game is over.
pub async fn play(client: &mut Client, game: &[u8], actions: usize) -> (Vec<ActRequest>, bool) {
    let mut requests = Vec::new();
    while requests.len() < actions {
        let Some((end, actor, action)) = suggested(client, game).await else { return (requests, true) };
        let mut request = act(game, 1000 + end.seq, actor, action);
        request.expected_seq = Some(end.seq);
        acted(client, request.clone()).await;
        requests.push(request);
    }
    (requests, false)
}

/// Returns the reason of a status.
pub fn reason(status: &Status) -> String {
    status.get_details_error_info().unwrap_or_else(|| panic!("{status:?}")).reason
}

/// Returns the whole log, as the director gets it.
pub async fn log(client: &mut Client, game: &[u8], actor: Option<Actor>) -> Vec<u8> {
    let request = GetLogRequest { game_id: game.into(), actor, from_n: None };
    let pieces = client.get_log(request).await.expect("a log");
    let (last, others) = pieces.split_last().expect("a piece");
    assert!(last.last && !others.iter().any(|piece| piece.last));
    pieces.iter().flat_map(|piece| piece.frames.clone()).collect()
}

/// Audits a log.
pub fn audited(log: &[u8], live: bool) -> Verdict {
    let mut auditor = Auditor::new(Expect { live, ..Default::default() });
    auditor.feed(log);
    auditor.finish().verdict
}

/// Returns the ruling by which side 0 forfeits the game.
pub fn forfeiture() -> Option<Action> {
    let forfeit = effect::Kind::Forfeit(effect::Forfeit { side: Some(0), award: 0 });
    action(Kind::Ruling(Box::new(Ruling {
        by: Authority::Director.into(),
        side: Some(0),
        rule: "IR-033".into(),
        effect: Some(Box::new(Effect { kind: Some(forfeit) })),
        ..Default::default()
    })))
}

/// Ends a game by a forfeit.
pub async fn forfeit(client: &mut Client, game: &[u8], id: u64) -> LogEnd {
    let request = act(game, id, role(Role::Director), forfeiture());
    acted(client, request).await.log_end.expect("the end")
}

/// Creates a game that is dealt and forfeited. Returns its id.
pub async fn ended(client: &mut Client, id: u8) -> Vec<u8> {
    let game = dealt(client, id).await;
    forfeit(client, &game, 2).await;
    game
}

/// Waits until a game has this status. Returns its summary.
pub async fn becomes(client: &mut Client, game: &[u8], status: GameStatus) -> GameSummary {
    let mut found = None;
    for _ in 0..6_000 {
        let list = ListGamesRequest { actor: role(Role::Table), page_size: 100, ..Default::default() };
        let games = client.list_games(list).await.expect("a list").games;
        found = games.into_iter().find(|one| one.game_id == game);
        match &found {
            Some(summary) if summary.status() == status => return summary.clone(),
            _ => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    }
    panic!("{found:?} does not become {status:?} within a minute")
}

/// Waits for the verdict on a game.
pub async fn judged(client: &mut Client, game: &[u8], actor: Option<Actor>) -> GameVerdict {
    becomes(client, game, GameStatus::Judged).await;
    match client.get_verdict(game, actor).await.expect("an answer") {
        get_verdict_response::Outcome::Verdict(verdict) => verdict,
        pending => panic!("{pending:?}"),
    }
}
