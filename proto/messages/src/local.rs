//! A host without a server, for programs that judge on their own: a page in a browser, a test.

use canasta_engine::action::As;
use canasta_engine::archive::{of_link, to_link};
use canasta_engine::deal::GameId;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::notation::Position;
use canasta_engine::table::Table;
use canasta_engine::token::{self, Catalogue};
use canasta_proto::v1::GetStepRequest;

use crate::audit::query::{self, Asked, LogQuery};
use crate::convert::field::{Read, fault, within};
use crate::fault::{OrFault, RequestFault};
use crate::host::{GameScope, GameSeeds, Host};
use crate::{answers, audit};

/// A host for its own user alone: everyone may act for everyone, states are open and do not expire, and nothing is signed.
/// It draws nothing at random, so a new game needs its id and its secret.
#[derive(Default)]
pub struct LocalHost {
    catalogue: Catalogue,
}

impl Host for LocalHost {
    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn entitle(&self, _: As, _: GameScope) -> OrFault<()> {
        Ok(())
    }

    fn open(&self, token: &[u8], _: &[As]) -> OrFault<Box<Game>> {
        token::decode(token, &self.catalogue).map(Box::new).map_err(|_| RequestFault::Token)
    }

    fn open_earlier(&self, token: &[u8], who: As) -> OrFault<Box<Game>> {
        self.open(token, &[who])
    }

    fn encode(&self, state: &Game) -> Vec<u8> {
        token::encode(state)
    }

    fn seeds(&self, repeatable: Option<&[u8]>) -> OrFault<GameSeeds> {
        let field = if repeatable.is_some() { "request_id" } else { "secret" };
        Err(within(field)(fault("needs a server: this program draws no ids and secrets")).into())
    }

    fn may_expire(&self, _: Option<i64>) -> Read<()> {
        Ok(())
    }

    fn has_key(&self) -> bool {
        false
    }

    fn sign(&self, _: &Game) -> Option<String> {
        None
    }
}

/// Answers a method of GameService or AuditService by its full name (`canasta.v1.GameService/ApplyAction`), or one that only
/// a program without a server has:
///
/// | method | request | answer |
/// | --- | --- | --- |
/// | `local/Pack` | a log | the bytes of a link |
/// | `local/Unpack` | the bytes of a link | 0, or 1 and the head of the full log; the log |
/// | `local/StateAfter` | the messages of GetStep | the state after the record |
/// | `local/StateOf` | a position in notation | the state |
/// | `local/NotationOf` | a state | the position in notation |
///
/// # Errors
/// If there is no such method, the request cannot be decoded, or it is not answered.
pub fn call(host: &LocalHost, method: &str, request: &[u8]) -> OrFault<Vec<u8>> {
    let refused = |field, problem: String| RequestFault::from(within(field)(fault(problem)));
    match method.split_once('/') {
        Some(("canasta.v1.GameService", name)) => answers::call(host, name, request),
        Some(("canasta.v1.AuditService", name)) => audit::call(name, request),
        Some(("local", "Pack")) => to_link(request).map_err(|error| refused("log", error.to_string())),
        Some(("local", "Unpack")) => {
            let linked = of_link(request).map_err(|error| refused("link", error.to_string()))?;
            let head = linked.full_head.map_or(vec![0], |head| [&[1], &head[..]].concat());
            Ok([head, linked.log].concat())
        }
        Some(("local", "StateAfter")) => state_after(request),
        Some(("local", "StateOf")) => {
            let text = str::from_utf8(request).map_err(|error| refused("position", error.to_string()))?;
            let position = Position::parse(text).map_err(|error| refused("position", error.to_string()))?;
            let table = position.setup().into_table();
            let table = table.map_err(|faults| refused("position", faults[0].to_string()))?;
            Ok(token::encode(&played_on(table, GameId([0; 16]))))
        }
        Some(("local", "NotationOf")) => {
            let state = host.open(request, &[])?;
            Ok(Position::of(&state.table).to_string().into_bytes())
        }
        _ => Err(answers::unknown(method)),
    }
}

/// Returns a game that goes on from a table with cards that nobody has dealt yet.
fn played_on(table: Table, id: GameId) -> Game {
    Game::of(table, Dealing::new(id, DealSource::Unknown, false))
}

fn state_after(request: &[u8]) -> OrFault<Vec<u8>> {
    let (audit, queries) = audit::read::<GetStepRequest>(request)?;
    let [LogQuery { asked: Asked::Step(n), .. }] = queries[..] else { return Err(RequestFault::Internal) };
    let (report, facts) = query::record(&audit, n)?;
    let table = facts.table_after();
    let table = table.ok_or_else(|| within("n")(fault("the cards after this record are not known")))?;
    let id = report.genesis.as_ref().map_or(GameId([0; 16]), |genesis| GameId(genesis.game_id));
    Ok(token::encode(&played_on(table, id)))
}
