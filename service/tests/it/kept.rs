//! States that are to be kept are opened first.

use std::path::Path;

use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{Game, NewDeal, NewGame};
use canasta_engine::log::ROUND_RECORDS_MAX;
use canasta_engine::rules::PresetId;
use canasta_messages::fault::RequestFault;
use canasta_serve::config::ServiceCli;
use canasta_service::server::context;
use clap::Parser;

use crate::support::keys::{filled, write_ring};

#[test]
fn a_state_that_nobody_could_open_is_not_kept() {
    let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept.keys");
    write_ring(&keys, &["active 1"]);
    for sealed in [&[][..], &["--seal-key-file", keys.to_str().expect("a path")]] {
        let config = ServiceCli::parse_from([&["canasta-service"], sealed].concat()).config;
        let ctx = context(&config, filled::<8>, || 0).expect("a context");
        let rules = ctx.catalogue.get(PresetId::from_number(0).expect("a preset"));
        let new = NewGame::new(
            rules.expect("it is played").clone(),
            GameId([1; 16]),
            NewDeal::Seeded(GameSecret([2; 64])),
        );
        let mut game = Game::create(new).expect("a game").game;
        let kept = ctx.encode_kept(&game).expect("a state");
        assert_eq!(*ctx.open_kept(&kept).expect("a state"), game);
        // Nothing that is accepted leads here.
        game.length.records = ROUND_RECORDS_MAX as u16 + 1;
        assert_eq!(ctx.encode_kept(&game), Err(RequestFault::Internal));
    }
}
