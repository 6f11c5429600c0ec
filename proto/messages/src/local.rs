//! A host without a server, for programs that judge on their own.

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::token::{self, Catalogue};

use crate::convert::field::{Read, fault, within};
use crate::fault::RequestFault;
use crate::host::{GameScope, GameSeeds, Host};

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

    fn entitle(&self, _: As, _: GameScope) -> Result<(), RequestFault> {
        Ok(())
    }

    fn open(&self, token: &[u8], _: &[As]) -> Result<Box<Game>, RequestFault> {
        token::decode(token, &self.catalogue).map(Box::new).map_err(|_| RequestFault::Token)
    }

    fn open_earlier(&self, token: &[u8], who: As) -> Result<Box<Game>, RequestFault> {
        self.open(token, &[who])
    }

    fn encode(&self, state: &Game) -> Vec<u8> {
        token::encode(state)
    }

    fn seeds(&self, repeatable: Option<&[u8]>) -> Result<GameSeeds, RequestFault> {
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
