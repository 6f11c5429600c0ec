//! Method Create.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::{Board, GameId};
use canasta_engine::dealing::DealSource;
use canasta_engine::game::{Created, Game};
use canasta_engine::table::Phase;
use canasta_messages::answers::observers::{Happened, Observers};
use canasta_messages::answers::{check_seat, create_game};
use canasta_messages::convert::field::{Read, all, bytes_opt, fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_messages::host::GameScope;
use canasta_proto::v1::{
    CreateGameRequest, CreateRequest, CreateResponse, CreatedGame, DealMode, Dealt, Link, Rejected, WaitsFor,
    create_response::Outcome, created_game::Start,
};
use canasta_serve::OrFault;
use canasta_serve::identity::{Caller, Identity, LINK_LIFETIME_MS};
use canasta_serve::outside::NoRandomness;
use canasta_serve::telemetry::method::Method;
use zeroize::Zeroizing;

use super::{Call, observers, request_id, room, settings};
use crate::boards;
use crate::context::RecorderContext;
use crate::entry::{EntryKind, GivenLink, JournalEntry, RequestTag, RoomState, Settings, log_end};
use crate::journal::PlacedEntry;
use crate::play::work;
use crate::{links, rooms, situations, timing};

/// The purpose of a new game.
pub enum Purpose {
    /// To be played by whoever creates it.
    Game,
    /// To be a room, which nobody deals.
    Room(Box<RoomState>),
    /// To be played in a room, whose state says by whom.
    OfRoom,
}

/// A request for a new game that can be read.
struct ReadCreate {
    tag: RequestTag,
    settings: Settings,
    /// The board, which the settings hold sealed.
    board: Option<Board>,
    request: CreateRequest,
    id: GameId,
    /// The actor of the creator's own link.
    creator: Option<As>,
}

/// Number of entries among which a game's first action is: notes on settings may come before it.
const FIRST_ENTRIES: usize = 16;

/// A new game, and the entry that records it; or the reason why it cannot be set up.
type Made = Result<(Game, JournalEntry), Rejected>;

/// Creates a game, and answers once it is stored.
pub async fn answer(call: &Call, request: CreateRequest) -> OrFault<CreateResponse> {
    if situations::is_label(&request.label) {
        return Err(within("label")(fault("begins as the label of a situation does")).into());
    }
    create(call, request, Purpose::Game).await
}

/// Creates a game, as [`answer`] does, which may be a situation, a room or a game of a room.
pub async fn create(call: &Call, mut request: CreateRequest, purpose: Purpose) -> OrFault<CreateResponse> {
    let Call { ctx, account, caller, .. } = call;
    let list = std::mem::take(&mut request.observers);
    let scope = GameScope::of_id(&request.game_id);
    if caller.link().is_some() {
        // A link is for a game that exists.
        return Err(RequestFault::Denied);
    }
    let is_guest = matches!(caller, Caller::Guest);
    let (read, observers) = (read(ctx, request, is_guest, purpose)?, observers(&list)?);
    let mut is_counted = !is_guest;
    let (caller, scope, whom) = match read.creator.filter(|_| is_guest) {
        // A guest has the rights of the link that its request makes.
        Some(creator) => {
            let link = links::of_creator(ctx.folder.key(), read.id, creator, i64::MAX - LINK_LIFETIME_MS);
            (&Caller::Known(Arc::new(Identity::of_link(link))), GameScope::Of(read.id), creator)
        }
        None => (caller, scope, As::Table),
    };
    // Whoever knows a board or a position knows the cards.
    let knows_cards = read.board.is_some() || !read.request.position.is_empty();
    let director = knows_cards.then_some(As::Director);
    for who in [whom].into_iter().chain(director).chain(observers) {
        ctx.service.entitle(caller, who, scope)?;
    }
    let (mut state, mut entry, observers) = loop {
        let (made, is_new) = found_or_made(ctx, &read).await?;
        let (state, entry) = match made {
            Ok(made) => made,
            Err(rejected) => return Ok(response(Outcome::Rejected(rejected))),
        };
        let seats = state.table.set().seats;
        let observers = Observers::read(list.clone(), &ctx.service.asked_by(caller), scope, seats)?;
        if !is_new {
            break (state, entry, observers);
        }
        if !std::mem::replace(&mut is_counted, true) {
            rooms::take_room(&ctx.room_rates, account.key())?;
        }
        let encoded = entry.encode().map_err(|_| RequestFault::Internal)?;
        if ctx.store(read.id, None, &encoded).await? {
            break (state, entry, observers);
        }
    };
    let host_link = host_link(ctx, read.id, &entry)?;
    if read.settings.auto_table {
        (state, entry) = dealt(ctx, read.id).await?.unwrap_or((state, entry));
        work::begin(ctx, read.id);
    }
    let mut created = CreatedGame {
        game_id: read.id.0.into(),
        log_end: Some(log_end(&entry)),
        observations: Vec::new(),
        host_link,
        start: Some(start(&state)),
    };
    created.observations = observers.observe(&state, &Happened::default(), &created)?;
    ctx.name(read.id, &mut created.observations).await?;
    Ok(response(Outcome::Created(created)))
}

/// Returns the game of a request, with the entry that records it: as it is stored, or made anew, which is said beside it.
async fn found_or_made(ctx: &RecorderContext, read: &ReadCreate) -> OrFault<(Made, bool)> {
    if ctx.journal.last(read.id).await?.is_some() {
        return Ok((recorded(ctx, read).await?, false));
    }
    ctx.check_unarchived(read.id).await?;
    let (secret, now_ms) = (secret(ctx, read)?, (ctx.service.clock)());
    let metrics = &ctx.service.telemetry.metrics;
    Ok((metrics.measured(Method::CREATE, || make(ctx, read, &secret, now_ms))?, true))
}

/// Does the table's work in a game that has been created, unless it is done. Returns the game after its first action and that
/// action's entry, whenever it is asked; `None` if nothing is to be done.
async fn dealt(ctx: &RecorderContext, game: GameId) -> OrFault<Option<(Game, JournalEntry)>> {
    loop {
        let first = ctx.journal.read(game, 0, FIRST_ENTRIES).await?;
        if let Some(PlacedEntry { entry, .. }) = first.into_iter().find(|placed| placed.entry.seq > 0) {
            return Ok(Some((*ctx.open(game, &entry).await?, entry)));
        }
        if !work::step(ctx, game).await? {
            return Ok(None);
        }
    }
}

/// Returns whether a game has begun, or what it waits for.
fn start(state: &Game) -> Start {
    match state.table.phase() {
        Phase::Setup | Phase::Deal => Start::WaitsFor(WaitsFor::Table.into()),
        _ => Start::Dealt(Dealt { to_act: state.table.to_act().map(|seat| seat.0.into()) }),
    }
}

fn response(outcome: Outcome) -> CreateResponse {
    CreateResponse { outcome: Some(outcome) }
}

/// Returns the creator's own link, if the game was created with one.
fn host_link(ctx: &RecorderContext, game: GameId, entry: &JournalEntry) -> OrFault<Option<Link>> {
    let links = entry.settings().map_or(&[][..], |settings| &settings.links);
    let own = links.iter().find(|link| link.is_host);
    let link = |own: &GivenLink| links::link(ctx.folder.key(), game, own.actor, true, own.expires_at_ms);
    own.map(|own| ctx.token(&link(own))).transpose()
}

/// Reads a request for a game of this purpose.
fn read(
    ctx: &RecorderContext,
    request: CreateRequest,
    is_guest: bool,
    purpose: Purpose,
) -> OrFault<ReadCreate> {
    let creator = creator(&request)?;
    if is_guest && matches!(purpose, Purpose::Game) {
        rooms::check(&request, creator)?;
    }
    let own_id = bytes_opt(&request.game_id).map_err(within("game_id"));
    let (request_id, own_id, (settings, board)) = all((
        request_id(&request.request_id),
        own_id,
        all((settings::read(&request), boards::read(&request))),
    ))?;
    let id = own_id.map_or_else(|| ctx.folder.key().game_id(As::Table, &request_id), GameId);
    let tag = RequestTag::of(As::Table, &request_id);
    let (board, tables) = board.unzip();
    let sealed =
        board.as_ref().zip(tables).map(|(board, tables)| boards::seal(&ctx.service, id, board, tables));
    let (is_room, room) = match purpose {
        Purpose::Game => (is_guest, None),
        Purpose::Room(state) => (true, Some(state)),
        Purpose::OfRoom => (true, None),
    };
    let settings = Settings { is_room, board: sealed, room, ..settings };
    Ok(ReadCreate { tag, settings, board, request, id, creator })
}

/// Reads the field `creator`: hidden cards are not shown to a host.
fn creator(request: &CreateRequest) -> Read<Option<As>> {
    let creator = request.creator.map(identity::read_bare).transpose();
    let visible = creator.and_then(|creator| match creator {
        Some(As::Judge | As::Director) => {
            Err(fault("sees hidden cards; expected a seat, the table or a spectator"))
        }
        other => Ok(other),
    });
    visible.map_err(within("creator"))
}

/// Draws the secret of a new game, or returns that of its board; empty if its deals need none.
fn secret(ctx: &RecorderContext, read: &ReadCreate) -> OrFault<Zeroizing<Vec<u8>>> {
    if let Some(board) = &read.board {
        return Ok(Zeroizing::new(board.secret.0.to_vec()));
    }
    if !matches!(read.request.deal_mode(), DealMode::Seeded | DealMode::Committed) {
        return Ok(Zeroizing::default());
    }
    let mut secret = Zeroizing::new(vec![0; 64]);
    (ctx.service.generator)(&mut secret).map_err(|NoRandomness| RequestFault::Internal)?;
    Ok(secret)
}

/// Makes the game and its entry.
fn make(ctx: &RecorderContext, read: &ReadCreate, secret: &[u8], time_ms: i64) -> OrFault<Made> {
    let request = read.request.clone();
    let game = CreateGameRequest {
        rule_set: request.rule_set,
        house_rules: request.house_rules,
        // A board is read as the seeded game that nobody plays.
        deal_mode: read.board.as_ref().map_or(request.deal_mode, |_| DealMode::Seeded.into()),
        players: request.players,
        game_id: read.id.0.into(),
        secret: secret.to_vec(),
        wall: request.wall,
        dealer: request.dealer,
        started_at_ms: request.started_at_ms.or(Some(time_ms)),
        registration: request.registration,
        director_key: request.director_key,
        position: request.position,
        ..Default::default()
    };
    let host = ctx.service.asked_by(&Caller::Trusted);
    let mut new = match create_game::read(&host, game, Ok(()))? {
        Ok(new) => new,
        Err(rejected) => return Ok(Err(rejected)),
    };
    if let Some(board) = &read.board {
        boards::deal_first(board, &mut new)?;
    }
    settings::check(&read.settings, &new)?;
    let Created { game: state, frames } = match create_game::create(&host, new)? {
        Ok(created) => created,
        Err(rejected) => return Ok(Err(rejected)),
    };
    let mut settings = read.settings.clone();
    if let Some(room) = &mut settings.room {
        room.room.expires_at_ms = time_ms.saturating_add(LINK_LIFETIME_MS);
    }
    if let Some(room) = settings.room.clone() {
        room::set_links(&room, ctx.folder.key(), read.id, &mut settings);
    } else if let Some(creator) = read.creator {
        check_seat(creator, state.table.set().seats).map_err(within("creator"))?;
        settings.links.push(links::given(&links::of_creator(ctx.folder.key(), read.id, creator, time_ms)));
    }
    let entry = JournalEntry {
        kind: EntryKind::Created(settings),
        ends_round: false,
        game_over: false,
        offer_open: false,
        offer_stays: false,
        actor: As::Table,
        time_ms,
        uncharged_ms: 0,
        n: state.link.n,
        seq: state.table.step(),
        head: state.link.head,
        settings_n: state.link.n,
        tags: [read.tag, RequestTag::default(), RequestTag::default(), RequestTag::default()],
        frames,
        state: ctx.service.encode_kept(&state)?,
        clocks: timing::start(&read.settings.clock, &state, time_ms),
    };
    Ok(Ok((state, entry)))
}

/// Makes the answer to a request that created the game before, if it was this one.
async fn recorded(ctx: &RecorderContext, read: &ReadCreate) -> OrFault<Made> {
    let first = ctx.journal.read(read.id, 0, 1).await?.into_iter().next();
    let first = first.ok_or(RequestFault::JournalUnavailable)?.entry;
    if first.tags[0] != read.tag {
        return Err(RequestFault::GameExists);
    }
    let stored = ctx.open(read.id, &first).await?;
    let secret = match &stored.dealing.source {
        DealSource::Seeded(secret) => Zeroizing::new(secret.0.to_vec()),
        _ => secret(ctx, read)?,
    };
    let Ok((_, mut again)) = make(ctx, read, &secret, first.time_ms)? else {
        return Err(RequestFault::RequestIdReused);
    };
    let kept = first.settings().and_then(|settings| settings.board.as_ref());
    if let (EntryKind::Created(Settings { board: Some(board), .. }), Some(kept)) = (&mut again.kind, kept) {
        // The head has the first wall, so it is the same board, whichever key has sealed it.
        board.sealed.clone_from(&kept.sealed);
    }
    let is_same = again.head == first.head && again.kind == first.kind;
    if is_same { Ok(Ok((*stored, first))) } else { Err(RequestFault::RequestIdReused) }
}
