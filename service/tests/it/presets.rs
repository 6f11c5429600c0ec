//! Every preset played through a client: what each viewer is shown is compared, card by card, with what lies
//! open on the table and in its own hand, and the frames of all replies make a log that the audit passes.

use crate::support::Server;
use crate::support::game::{Client, accepted, created, new_game, role, seat, view};
use canasta_engine::card::{Card, Cards};
use canasta_engine::game::Game;
use canasta_engine::log::audit::{Auditor, Expect, Report};
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{FirstDealer, PresetId};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::{
    self as pb, Action, Actor, ApplyActionRequest, ListRuleSetsRequest, Role, SuggestActionRequest, View,
};

/// Number of concurrent games; with more, the server would refuse requests.
const TABLES: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_preset_is_played_and_shows_each_viewer_its_own_cards_only() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let sets =
        client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("a list").into_inner().rule_sets;
    assert!(sets.iter().all(|set| set.playable), "{sets:?}");
    assert_eq!(sets.len(), 22, "model 5.2 and 5.3 name 22 presets");
    let mut tables = tokio::task::JoinSet::new();
    for table in 0..TABLES {
        let ids: Vec<String> = sets.iter().skip(table).step_by(TABLES).map(|set| set.id.clone()).collect();
        let mut client = server.client().await;
        tables.spawn(async move {
            for id in ids {
                let mut game = PresetGame::create(&mut client, &id).await;
                game.play_round().await;
                game.audit();
            }
        });
    }
    while let Some(played) = tables.join_next().await {
        played.expect("every preset is played");
    }
}

/// A game as a client keeps it.
struct PresetGame<'a> {
    client: &'a mut Client,
    id: String,
    catalogue: Catalogue,
    state: Vec<u8>,
    seq: u64,
    head: Vec<u8>,
    log: Vec<u8>,
    rounds: u32,
    ended: bool,
}

impl<'a> PresetGame<'a> {
    async fn create(client: &'a mut Client, id: &str) -> Self {
        let preset = PresetId::from_name(id).expect("the engine knows what the service lists");
        let given = preset.rule_set().first_dealer == FirstDealer::Given;
        let request = pb::CreateGameRequest {
            rule_set: id.into(),
            dealer: given.then_some(0),
            secret: id.bytes().cycle().take(64).collect(),
            ..new_game()
        };
        let pb::Created { state, seq, head, frames, .. } = created(client, request).await;
        let catalogue = Catalogue::new();
        Self { client, id: id.into(), catalogue, state, seq, head, log: frames, rounds: 0, ended: false }
    }

    /// Plays the first round, and deals the next.
    async fn play_round(&mut self) {
        while self.rounds == 0 {
            let table = self.look().await;
            let out_of_turn = [table.talon_offered].into_iter().flatten();
            for asked in out_of_turn.chain(table.to_act) {
                if let Some(action) = self.suggest(seat(asked)).await {
                    self.act(seat(asked), action).await;
                    break;
                }
            }
            if table.to_act.is_none() {
                let action = self.suggest(role(Role::Table)).await.expect("the table has something to do");
                self.act(role(Role::Table), action).await;
            }
        }
        if let Some(deal) = self.suggest(role(Role::Table)).await.filter(|_| !self.ended) {
            self.act(role(Role::Table), deal).await;
        }
    }

    async fn suggest(&mut self, who: Option<Actor>) -> Option<Action> {
        let request = SuggestActionRequest {
            state: self.state.clone(),
            actor: who,
            seed: self.seq,
            ..Default::default()
        };
        self.client.suggest_action(request).await.expect("well formed").into_inner().action
    }

    async fn act(&mut self, who: Option<Actor>, action: Action) {
        let request = ApplyActionRequest {
            state: std::mem::take(&mut self.state),
            actor: who,
            action: Some(action),
            expected_seq: Some(self.seq),
            expected_head: std::mem::take(&mut self.head),
            elapsed_ms: Some(1_500),
            want_head: true,
            ..Default::default()
        };
        let accepted = accepted(self.client, request).await;
        assert_eq!(accepted.seq, self.seq + 1, "{}", self.id);
        self.log.extend(accepted.frames);
        // The draw for seats and dealer is round 0, which is not played.
        self.rounds += u32::from(accepted.round_end.is_some_and(|end| end.round > 0));
        (self.state, self.seq, self.head) = (accepted.state, accepted.seq, accepted.head);
        self.ended = accepted.game_end.is_some();
    }

    /// Compares the views of all viewers with the state. Returns the table's view.
    async fn look(&mut self) -> View {
        self.compare_views().await;
        view(self.client, &self.state, role(Role::Table)).await
    }

    async fn compare_views(&mut self) {
        let state = decode(&self.state, &self.catalogue).expect("a state of the service");
        let open = on_the_table(&state);
        for own in 0..state.table.set().seats {
            let seen = view(self.client, &self.state, seat(own.into())).await;
            let mut expected = open;
            expected.add(state.table.hand(Seat(own)));
            assert_eq!(shown(&seen), expected, "{}: seat {own} at {}: {seen:?}", self.id, self.seq);
        }
        let seen = view(self.client, &self.state, role(Role::Judge)).await;
        assert_eq!(shown(&seen), everything(&state), "{}: the judge at {}", self.id, self.seq);
        let seen = view(self.client, &self.state, role(Role::Table)).await;
        assert_eq!(shown(&seen), open, "{}: the table at {}: {seen:?}", self.id, self.seq);
    }

    fn audit(&self) {
        let head = self.head.clone().try_into().expect("a head has 32 bytes");
        let expect = Expect { live: !self.ended, head: Some(head), ..Expect::default() };
        let mut auditor = Auditor::new(expect);
        auditor.feed(&self.log);
        let report: Report = auditor.finish();
        // The deal of an open round is hidden.
        let verdict = if self.ended { Verdict::Clean } else { Verdict::Conditional };
        assert_eq!((report.verdict, &report.findings[..]), (verdict, &[][..]), "{}", self.id);
        assert_eq!((report.actions, report.rounds), (self.seq, self.rounds), "{}", self.id);
    }
}

/// Returns every card that a view names, whatever the field: each stands in quotes in the view's debug text.
/// Cards of a hand or a meld that are listed a second time (penalty cards, cards that may return) count once.
fn shown(view: &View) -> Cards {
    let mut view = view.clone();
    for seat in &mut view.seats {
        seat.penalty_cards.clear();
    }
    for side in &mut view.sides {
        side.melds.iter_mut().for_each(|meld| meld.loose.clear());
    }
    if view.pile.as_ref().is_some_and(|pile| !pile.cards.is_empty()) {
        view.pile.as_mut().expect("just seen").top.clear();
    }
    if view.taken_top_meld.is_some() {
        view.taken_top.clear();
    }
    format!("{view:?}").split('"').skip(1).step_by(2).filter_map(Card::parse).collect()
}

/// Returns the cards that lie face up: melds, laid threes, the top of the pile.
fn on_the_table(state: &Game) -> Cards {
    let mut open = Cards::EMPTY;
    state.table.melds().iter().for_each(|meld| open.add(&meld.cards));
    state.table.seats().for_each(|seat| open.add(state.table.laid(seat)));
    match state.table.taken_top() {
        Some(top) if top.meld.is_none() => open.insert(top.card),
        Some(_) => {}
        None => state.table.pile().last().into_iter().for_each(|&top| open.insert(top)),
    }
    open
}

/// Returns the whole pack once cards are dealt, before that no card.
fn everything(state: &Game) -> Cards {
    match state.table.phase() {
        Phase::Setup | Phase::Deal => Cards::EMPTY,
        _ => state.table.rules().census(),
    }
}
