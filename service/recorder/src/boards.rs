//! Games that play a board: their walls follow from the board's secret. `rpc::withheld` says who gets what their logs reveal.

use canasta_engine::card::Card;
use canasta_engine::deal::{Board, GameId, GameSecret, WallSalt};
use canasta_engine::game::{Game, NewDeal, NewGame, RegisterEntry};
use canasta_engine::rules::{FirstDealer, NextDealer, Rules};
use canasta_messages::convert::field::{Read, all, at_most, bytes, each, fault, holds, item, within};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{self as pb, CreateRequest, DealMode};
use canasta_serve::OrFault;
use canasta_service::context::RequestContext;
use zeroize::Zeroizing;

use crate::entry::{JournalEntry, PlayedBoard, Settings, TABLES_MAX};

/// Reads the field `board` of a request, which only a game has whose cards nothing else decides. Returns the board with
/// the games that play it.
pub fn read(request: &CreateRequest) -> Read<Option<(Board, Vec<GameId>)>> {
    let Some(board) = &request.board else { return Ok(None) };
    let (_, (), read) = all((
        all((
            holds("auto_table", request.auto_table, "must be set for a board"),
            holds("game_id", !request.game_id.is_empty(), "must be set for a board, one of its `tables`"),
            holds("wall", request.wall.is_none(), "must be unset for a board, which gives all walls"),
            holds("deal_mode", request.deal_mode() == DealMode::Explicit, "a board needs DEAL_MODE_EXPLICIT"),
        )),
        holds("position", request.position.is_empty(), "must be empty for a board, which deals all cards"),
        read_board(board, &request.game_id).map_err(within("board")),
    ))?;
    Ok(Some(read))
}

fn read_board(board: &pb::Board, game: &[u8]) -> Read<(Board, Vec<GameId>)> {
    let pb::Board { board_id, secret, tables } = board;
    let (id, secret, tables): ([u8; 16], [u8; 64], Vec<GameId>) = all((
        bytes(board_id).map_err(within("board_id")),
        bytes(secret).map_err(within("secret")),
        at_most(tables, TABLES_MAX)
            .and_then(|()| each(tables, |table| bytes(table).map(GameId)))
            .map_err(within("tables")),
    ))?;
    let has_game = tables.iter().any(|table| table.0 == game);
    holds("tables", has_game, "must have the game of `game_id`")?;
    match (0..tables.len()).find(|&at| tables[..at].contains(&tables[at])) {
        Some(at) => Err(within("tables")(item(at)(fault("is named twice")))),
        None => Ok((Board { id: GameId(id), secret: GameSecret(secret) }, tables)),
    }
}

/// Seals a board for the settings of a game.
pub fn seal(ctx: &RequestContext, game: GameId, board: &Board, tables: Vec<GameId>) -> PlayedBoard {
    let plain = Zeroizing::new([&board.id.0[..], &board.secret.0].concat());
    PlayedBoard { sealed: ctx.encode_secret(game, &plain), tables }
}

/// Opens the board of a game; `None` if it plays none.
///
/// # Errors
/// If the board cannot be decrypted.
pub fn open(ctx: &RequestContext, game: GameId, settings: &Settings) -> OrFault<Option<Board>> {
    let Some(played) = &settings.board else { return Ok(None) };
    let plain = ctx.open_secret(game, &played.sealed).map_err(|refusal| ctx.unopened(refusal))?;
    let (id, secret) = plain.split_first_chunk().ok_or(RequestFault::GameDamaged)?;
    let secret = secret.try_into().map_err(|_| RequestFault::GameDamaged)?;
    Ok(Some(Board { id: GameId(*id), secret: GameSecret(secret) }))
}

/// Gives a new game, which was read as the seeded game that nobody plays, the board's first wall and dealer.
///
/// # Errors
/// If the rule set draws cards, or the request names another dealer.
pub fn deal_first(board: &Board, new: &mut NewGame) -> OrFault<()> {
    let set = new.rules.set();
    let problem = "is not for a rule set that draws cards for seats or dealer";
    holds("board", !set.draws_cards(), problem)?;
    if set.first_dealer == FirstDealer::Random {
        let dealer = board.dealer(&new.rules, 1).map_err(|_| RequestFault::Internal)?;
        let is_same = new.dealer.is_none_or(|named| named == dealer);
        holds("dealer", is_same, "must be unset: the board decides the dealer")?;
        new.dealer = Some(dealer);
    }
    let (wall, salt) = wall(board, &new.rules, new.game_id, (1, 1)).ok_or(RequestFault::Internal)?;
    new.deal = NewDeal::Explicit { wall, salt };
    Ok(())
}

/// Returns the register of a game's next deal; `None` if the rules have no pack, which no game leads to.
pub fn register(board: &Board, game: &Game) -> Option<RegisterEntry> {
    let (table, rules) = (&game.table, game.table.rules());
    let (round, attempt) = (table.round_number().into(), table.attempt().into());
    let is_drawn = rules.set().next_dealer == NextDealer::Random && round > 1 && attempt == 1;
    let dealer = if is_drawn { Some(board.dealer(rules, round).ok()?) } else { None };
    let wall = Some(wall(board, rules, game.dealing.game_id, (round, attempt))?);
    Some(RegisterEntry { wall, dealer, ..RegisterEntry::default() })
}

fn wall(
    board: &Board,
    rules: &Rules,
    game: GameId,
    (round, attempt): (u32, u32),
) -> Option<(Vec<Card>, WallSalt)> {
    Some((board.wall(rules, round, attempt).ok()?, board.salt(game, round, attempt)))
}

/// Returns the games that play the board of a game, whose first entry this is; none if it plays no board.
pub fn tables_of(first: &JournalEntry) -> &[GameId] {
    first.settings().and_then(|settings| settings.board.as_ref()).map_or(&[], |board| &board.tables)
}
