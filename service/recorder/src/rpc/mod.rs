//! RecordService: one file per method. `change` makes the entries with new settings, `settings` reads those of new games,
//! `question` opens a game for those that change nothing.

pub mod act;
mod archived_log;
mod arrange;
pub mod change;
pub mod change_room;
pub mod check;
pub mod check_take_back;
pub mod create;
pub mod create_room;
pub mod create_situation;
pub mod decline_offer;
pub mod describe;
pub mod end_game;
pub mod get_game;
pub mod get_log;
pub mod get_options;
pub mod get_verdict;
pub mod invite;
pub mod list_actions;
pub mod list_games;
pub mod open_room;
pub mod present;
mod question;
pub mod revoke;
mod room;
pub mod set_bot;
mod settings;
pub mod suggest;
pub mod take_back;
pub mod watch;
pub mod watch_games;
mod withheld;

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::convert::field::{Read, bytes, each, within};
use canasta_messages::convert::identity;
use canasta_messages::host::GameScope;
use canasta_proto::v1 as pb;
use canasta_serve::OrFault;
use canasta_serve::account::CallerAccount;
use canasta_serve::authenticator::Credentials;
use canasta_serve::identity::Caller;

use crate::context::RecorderContext;

/// A call without its request: where it is answered, and who makes it.
#[derive(Clone)]
pub struct Call {
    pub ctx: Arc<RecorderContext>,
    pub account: CallerAccount,
    pub caller: Caller,
    /// The credentials that a stream looks at again; `None` if there are none.
    pub credentials: Option<Credentials>,
}

impl Call {
    /// Returns a call of the operator, who may do everything and has no limit.
    pub fn of_operator(ctx: Arc<RecorderContext>) -> Self {
        let account = CallerAccount::new(Some(&Caller::Trusted), None, None);
        Self { ctx, account, caller: Caller::Trusted, credentials: None }
    }

    /// Checks that the caller may act for an actor in a game.
    fn entitle(&self, who: As, game: GameId) -> OrFault<()> {
        self.ctx.service.entitle(&self.caller, who, GameScope::Of(game))
    }

    /// Checks that the caller of a stream may act for an actor, by the rights of now.
    async fn entitle_now(&mut self, who: As, scope: GameScope) -> OrFault<()> {
        if let Some(credentials) = &mut self.credentials {
            self.caller = credentials.caller()?;
        }
        self.ctx.service.entitle(&self.caller, who, scope)?;
        self.ctx.check_link(&self.caller).await
    }
}

/// Reads the field `game_id`.
fn game_id(value: &[u8]) -> Read<GameId> {
    bytes(value).map(GameId).map_err(within("game_id"))
}

/// Reads the field `request_id`.
fn request_id(value: &[u8]) -> Read<[u8; 16]> {
    bytes(value).map_err(within("request_id"))
}

/// Reads the field `observers`.
fn observers(list: &[pb::Actor]) -> Read<Vec<As>> {
    each(list, |actor| identity::read_bare(*actor)).map_err(within("observers"))
}
