//! The suite for every journal, on NATS.

use std::path::Path;
use std::sync::Arc;

use crate::nodes::Nodes;
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
}
