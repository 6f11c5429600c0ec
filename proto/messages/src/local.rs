//! GameService without a server: requests and answers as bytes, for programs that judge on their own.

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::token::{self, Catalogue};
use prost::Message;

use crate::answers::{
    apply_action, apply_actions, check_action, create_game, get_catalogue, get_rule, get_rule_set, get_view,
    list_legal_actions, list_rule_sets, options, preview_take_back, suggest_action,
};
use crate::convert::field::{Read, fault, within};
use crate::fault::RequestFault;
use crate::host::{GameScope, GameSeeds, Host};

/// A host for its own user alone: everyone may act for everyone, states are open and do not expire, and nothing is signed.
/// It draws nothing at random, so a new game needs its id and its secret.
#[derive(Default)]
pub struct LocalHost {
    catalogue: Catalogue,
}

impl LocalHost {
    /// Answers a method of GameService, by its name in the proto file. The bytes are those that a service without
    /// credentials and without keys would answer.
    ///
    /// # Errors
    /// If there is no such method, the request cannot be decoded, or it is not answered.
    pub fn call(&self, method: &str, request: &[u8]) -> Result<Vec<u8>, RequestFault> {
        match method {
            "ListRuleSets" => self.answer(request, |_, request| list_rule_sets::answer(&request)),
            "GetRuleSet" => self.answer(request, |_, request| get_rule_set::answer(request)),
            "GetRule" => self.answer(request, |_, request| get_rule::answer(request)),
            "GetCatalogue" => self.answer(request, |_, request| get_catalogue::answer(request)),
            "CreateGame" => self.answer(request, create_game::answer),
            "ApplyAction" => self.judge(request, apply_action::open, apply_action::answer),
            "ApplyActions" => self.judge(request, apply_actions::open, apply_actions::answer),
            "CheckAction" => self.judge(request, check_action::open, check_action::answer),
            "ListLegalActions" => self.answer(request, list_legal_actions::answer),
            "Options" => self.answer(request, options::answer),
            "PreviewTakeBack" => self.answer(request, preview_take_back::answer),
            "GetView" => self.answer(request, get_view::answer),
            "SuggestAction" => self.answer(request, suggest_action::answer),
            _ => Err(RequestFault::Unimplemented(format!("there is no method {method:?} without a server"))),
        }
    }

    fn answer<Q: Message + Default, A: Message>(
        &self,
        request: &[u8],
        answer: impl FnOnce(&dyn Host, Q) -> Result<A, RequestFault>,
    ) -> Result<Vec<u8>, RequestFault> {
        let request = Q::decode(request).map_err(|error| RequestFault::undecodable(&error.to_string()))?;
        Ok(answer(self, request)?.encode_to_vec())
    }

    fn judge<Q: Message + Default, A: Message>(
        &self,
        request: &[u8],
        open: fn(&dyn Host, &Q) -> Result<Box<Game>, RequestFault>,
        answer: fn(&dyn Host, Q, Box<Game>) -> Result<A, RequestFault>,
    ) -> Result<Vec<u8>, RequestFault> {
        self.answer(request, |host, request| {
            let state = open(host, &request)?;
            answer(host, request, state)
        })
    }
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

    fn seeds(&self, _: &[u8], is_repeatable: bool) -> Result<GameSeeds, RequestFault> {
        let field = if is_repeatable { "request_id" } else { "secret" };
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
