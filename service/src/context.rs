//! The context of every request: what an answer depends on besides the request, and the opening of states.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::log::checkpoint;
use canasta_engine::log::record::Genesis;
use canasta_engine::token::{self, Catalogue};
use canasta_messages::answers::check_actor;
use canasta_messages::convert::field::{Read, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::{GameScope, GameSeeds, Host};
use canasta_proto::v1 as pb;
use canasta_serve::OrFault;
use canasta_serve::counters::{TokenRefusal, TokenRefusals};
use canasta_serve::identity::{Caller, Denials};
use canasta_serve::outside::{Clock, Generator, NoRandomness};
use canasta_serve::reload::Reloaded;
use canasta_serve::signer::CheckpointSigner;
use canasta_serve::telemetry::Telemetry;
use canasta_serve::telemetry::trail::Trail;
use zeroize::Zeroizing;

use crate::seal::{KeyId, Keyring, game_of};

/// Everything that an answer depends on besides its request.
pub struct RequestContext {
    /// The rule sets, prepared once.
    pub catalogue: Catalogue,
    /// The source of randomness for the ids and secrets of new games.
    pub generator: Generator,
    /// The clock that states and credentials expire by.
    pub clock: Clock,
    /// The limits that a caller meets.
    pub limits: pb::ServerLimits,
    /// The audience of sealed states.
    pub audience: String,
    /// Maximum time from creation to expiry of a new game, in ms; `None`: games need not expire.
    pub max_lifetime_ms: Option<u64>,
    /// The key that signs checkpoints; `None`: the server signs none.
    pub signer: Option<Arc<Reloaded<CheckpointSigner>>>,
    /// The keys that seal states; `None`: states are not sealed.
    pub ring: Option<Arc<Reloaded<Keyring>>>,
    /// Counts of refused states, by reason.
    pub refusals: Arc<TokenRefusals>,
    /// Counts of denied callers, by reason.
    pub denials: Arc<Denials>,
    /// The metrics of judgements.
    pub telemetry: Arc<Telemetry>,
}

impl RequestContext {
    /// Checks that a caller may act for `who` in a game. This is the only such check, and it comes before a
    /// state is opened.
    pub fn entitle(&self, caller: &Caller, who: As, game: GameScope) -> OrFault<()> {
        if caller.is_over(self.clock) {
            return Err(RequestFault::Unauthenticated);
        }
        caller.may(who, game).map_err(|denial| {
            self.denials.count(denial);
            RequestFault::Denied
        })
    }

    /// Whether a caller may act for `who` in a game that the caller has not asked for by its id: a denial is not counted.
    pub fn is_entitled(&self, caller: &Caller, who: As, game: GameScope) -> bool {
        !caller.is_over(self.clock) && caller.may(who, game).is_ok()
    }

    /// Checks that a caller may open a state of a game without acting for anybody.
    pub fn entitle_to_open(&self, caller: &Caller, game: GameScope) -> OrFault<()> {
        caller.may_open(game).map_err(|denial| {
            self.denials.count(denial);
            RequestFault::Denied
        })
    }

    /// Opens the token in the field `state`, once `entitle` has checked that the caller is entitled to its
    /// game.
    pub fn open_state(&self, bytes: &[u8], entitle: impl Fn(GameScope) -> OrFault<()>) -> OrFault<Box<Game>> {
        let state = self.decode(bytes, entitle)?;
        self.check_expiry(&state)?;
        Ok(state)
    }

    pub fn check_expiry(&self, state: &Game) -> OrFault<()> {
        if state.expires_at.is_some_and(|expires_at| expires_at <= (self.clock)()) {
            return Err(self.refuse(TokenRefusal::Expired));
        }
        Ok(())
    }

    /// Reads and checks the seat or role that a caller acts for in a state that is already open.
    pub fn asker(&self, caller: &Caller, state: &Game, who: Option<pb::Actor>) -> OrFault<As> {
        let who = identity::read(who)?;
        self.entitle(caller, who, GameScope::Of(state.dealing.game_id))?;
        check_actor(who, state.table.set().seats)?;
        Ok(who)
    }

    /// Checks that a caller may ask about a log for `who`: about the game of its `genesis`, or, if that is
    /// unreadable, about the bytes alone.
    pub fn may_audit(
        &self,
        caller: &Caller,
        trail: &Trail,
        genesis: Option<&Genesis>,
        who: As,
    ) -> OrFault<()> {
        if let Some(trail) = trail.get() {
            trail.about(genesis.map(|genesis| GameId(genesis.game_id)));
            trail.acts_for(who);
        }
        let Some(genesis) = genesis else { return self.entitle(caller, who, GameScope::None) };
        self.entitle(caller, who, GameScope::Of(GameId(genesis.game_id)))?;
        check_actor(who, genesis.players.len() as u8)?;
        Ok(())
    }

    /// Encodes a state as the token that callers get: sealed, if the server has keys.
    pub fn encode(&self, state: &Game) -> Vec<u8> {
        let token = self.written(state);
        debug_assert!(self.opens(&token, state), "what is accepted opens: {:?}", state.table);
        token
    }

    /// Encodes a state that is to be kept: a token that does not give the state again is refused.
    ///
    /// # Errors
    /// If it does not, which is a fault of this program.
    pub fn encode_kept(&self, state: &Game) -> OrFault<Vec<u8>> {
        let token = self.written(state);
        if !self.opens(&token, state) {
            tracing::error!("a state that cannot be opened again is not kept: seq {}", state.table.step());
            return Err(RequestFault::Internal);
        }
        Ok(token)
    }

    /// Encodes a secret that is to be kept beside a game's states: sealed, if the server has keys.
    pub fn encode_secret(&self, game: GameId, secret: &[u8]) -> Vec<u8> {
        match &self.ring {
            Some(ring) => ring.get().seal_secret(game, secret),
            None => secret.to_vec(),
        }
    }

    /// Decodes a secret that this program has kept.
    pub fn open_secret(&self, game: GameId, kept: &[u8]) -> Result<Zeroizing<Vec<u8>>, TokenRefusal> {
        match &self.ring {
            Some(ring) => ring.get().open_secret(game, kept),
            None => Ok(Zeroizing::new(kept.to_vec())),
        }
    }

    fn written(&self, state: &Game) -> Vec<u8> {
        match &self.ring {
            Some(ring) => ring.get().seal(state),
            None => token::encode(state),
        }
    }

    fn opens(&self, token: &[u8], state: &Game) -> bool {
        self.open_kept(token).is_ok_and(|read| *read == *state)
    }

    /// Encodes a state that was opened earlier, from a token that the key with this id sealed. If that key was revoked
    /// since, the state is not sealed anew with a good one.
    ///
    /// # Errors
    /// If the key opens no states any more.
    pub fn encode_again(&self, state: &Game, key: Option<KeyId>) -> OrFault<Vec<u8>> {
        self.check_key(key)?;
        Ok(self.encode(state))
    }

    /// Checks that the key which sealed an open state still opens states.
    pub fn check_key(&self, key: Option<KeyId>) -> OrFault<()> {
        let Some((ring, key)) = self.ring.as_ref().zip(key) else { return Ok(()) };
        ring.get().check(key).map_err(|refusal| self.refuse(refusal))
    }

    /// Decodes a token. The caller's rights are checked first, for the game that the token names, before the
    /// token is validated: a caller without rights gets the same answer for all tokens of a game, valid or
    /// not.
    fn decode(&self, bytes: &[u8], entitle: impl Fn(GameScope) -> OrFault<()>) -> OrFault<Box<Game>> {
        entitle(game_of(bytes).map_or(GameScope::None, GameScope::Of))?;
        self.open_kept(bytes).map_err(|refusal| self.refuse(refusal))
    }

    /// Decodes a token that this program has kept, whoever asks.
    pub fn open_kept(&self, bytes: &[u8]) -> Result<Box<Game>, TokenRefusal> {
        // In a box: a game has more than a kilobyte, and it moves through futures and results.
        let read = |open: &[u8]| match token::decode(open, &self.catalogue) {
            Ok(state) if Some(state.dealing.game_id) == game_of(bytes) => Ok(Box::new(state)),
            _ => Err(TokenRefusal::Malformed),
        };
        match &self.ring {
            Some(ring) => ring.get().open(bytes).and_then(|open| read(&open)),
            None => read(bytes),
        }
    }

    /// Counts the refusal of what this program has kept, and returns its fault.
    pub fn unopened(&self, refusal: TokenRefusal) -> RequestFault {
        self.refusals.count(refusal);
        tracing::error!("what is kept of a game cannot be opened: {refusal:?}");
        match refusal {
            // Which keys there are is the operator's decision: with the key, the game goes on.
            TokenRefusal::UnknownKey | TokenRefusal::RevokedKey => RequestFault::Token,
            _ => RequestFault::GameDamaged,
        }
    }

    /// Counts a refused state. The caller gets the same fault for every reason.
    fn refuse(&self, refusal: TokenRefusal) -> RequestFault {
        self.refusals.count(refusal);
        RequestFault::Token
    }

    /// Returns the answers' view of this server, on behalf of a caller.
    pub fn asked_by<'a>(&'a self, caller: &'a Caller) -> CallerHost<'a> {
        CallerHost { ctx: self, caller }
    }
}

/// This server, asked by one caller.
pub struct CallerHost<'a> {
    ctx: &'a RequestContext,
    caller: &'a Caller,
}

impl Host for CallerHost<'_> {
    fn catalogue(&self) -> &Catalogue {
        &self.ctx.catalogue
    }

    fn entitle(&self, who: As, game: GameScope) -> OrFault<()> {
        self.ctx.entitle(self.caller, who, game)
    }

    fn open(&self, token: &[u8], whom: &[As]) -> OrFault<Box<Game>> {
        self.ctx.open_state(token, |game| match whom {
            // A request that names nobody may be opened only by a caller that is entitled to the game.
            [] => self.ctx.entitle_to_open(self.caller, game),
            whom => whom.iter().try_for_each(|&who| self.entitle(who, game)),
        })
    }

    fn open_earlier(&self, token: &[u8], who: As) -> OrFault<Box<Game>> {
        self.ctx.decode(token, |game| self.entitle(who, game))
    }

    fn encode(&self, state: &Game) -> Vec<u8> {
        self.ctx.encode(state)
    }

    fn seeds(&self, repeatable: Option<&[u8]>) -> OrFault<GameSeeds> {
        match (repeatable, &self.ctx.ring) {
            (Some(request), Some(ring)) => Ok(ring.get().game_seeds(request)),
            (Some(_), None) => {
                let fault = fault("needs a server that seals states (--seal-key-file)");
                Err(within("request_id")(fault).into())
            }
            (None, _) => random_seeds(self.ctx.generator).map_err(|NoRandomness| RequestFault::Internal),
        }
    }

    fn may_expire(&self, expires_at_ms: Option<i64>) -> Read<()> {
        let now = (self.ctx.clock)();
        let latest = self.ctx.max_lifetime_ms.map(|most| now.saturating_add_unsigned(most));
        match (expires_at_ms, latest) {
            (Some(at), _) if at <= now => Err(fault(format!("{at} is in the past: now is {now}"))),
            (Some(at), Some(latest)) if at > latest => {
                Err(fault(format!("{at}, at most {latest} on this server")))
            }
            (None, Some(latest)) => Err(fault(format!("is required on this server, at most {latest}"))),
            _ => Ok(()),
        }
    }

    fn has_key(&self) -> bool {
        self.ctx.signer.is_some()
    }

    fn sign(&self, state: &Game) -> Option<String> {
        let text = checkpoint::body(&state.dealing.game_id.0, state.link.n, &state.link.head);
        self.ctx.signer.as_ref().map(|signer| signer.get().note(&text))
    }

    fn refused(&self, code: &str) {
        self.ctx.telemetry.metrics.refusal(code);
    }
}

fn random_seeds(generator: Generator) -> Result<GameSeeds, NoRandomness> {
    let mut seeds = GameSeeds { id: [0; 16], secret: [0; 64] };
    generator(&mut seeds.id)?;
    generator(&mut seeds.secret)?;
    Ok(seeds)
}
