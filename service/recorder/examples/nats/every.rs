//! The suite for every journal, on NATS.

use std::path::Path;
use std::sync::Arc;

use async_nats::jetstream::message::PublishMessage;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_recorder::journal::{GameList, Journal, STORE_LIMIT, store};

use crate::nodes::Nodes;
use crate::random::Random;
use crate::{queue, suite};

pub async fn run(program: &Path) {
    let nodes = Nodes::start(program);
    for shards in [1, 3] {
        suite::rivals(Arc::new(nodes.journal(shards).await), 7, 24, 3, 25).await;
        println!("rivals, {shards} shards: each place has one winner, and nothing is lost");
        nodes.clear().await;
    }
    queue::auditors(Arc::new(nodes.journal(1).await), 7, 40, 3).await;
    println!("rival auditors: each log has one verdict");
    nodes.clear().await;
    queue::steps(&nodes.journal(1).await).await;
    println!("the queue, step by step");
    nodes.clear().await;
    pages(&nodes).await;
    println!("lists of games go on behind a game that is being dropped");
}

/// Checks that a page of games is whole although the entries of one of them have been closed, as a recorder leaves them that
/// ends in the middle of a drop: whoever lists games takes a shorter page for the last one.
async fn pages(nodes: &Nodes) {
    let journal = nodes.journal(1).await;
    let entry = suite::encoded(&suite::entry_after(None, 0, &mut Random(1)));
    let games = [1, 2, 3].map(|id| GameId([id; 16]));
    for game in games {
        store(&journal, game, None, &entry, STORE_LIMIT, &mut 0).await.expect("no rival");
    }
    let subject = format!("canasta.game.02.{}", hex(&games[1].0));
    let context = nodes.context().await;
    let last = suite::answered(|| journal.last(games[1])).await.expect("it was stored");
    let closed = PublishMessage::build().expected_last_subject_sequence(last.at.0);
    let closed = context.send_publish(subject, closed).await.expect("a server");
    closed.await.expect("it is stored");
    let page = suite::answered(|| journal.games(None, 2)).await;
    let listed: Vec<_> = page.into_iter().map(|summary| summary.game_id).collect();
    assert_eq!(listed, [games[0].0.to_vec(), games[2].0.to_vec()]);
}
