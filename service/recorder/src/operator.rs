//! The operator's commands on games, rooms among them: to list, look at, end and delete them. Whoever may read the folder of the
//! recorder needs no credentials.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use canasta_engine::action::{As, Effect, EffectKind};
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_engine::seat::Side;
use canasta_engine::text::time;
use canasta_messages::convert::{action_out, identity};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{self as pb, ActRequest, GameSummary, act_response};
use canasta_serve::OrFault;

use crate::archive::GameArchive;
use crate::context::{RecorderContext, not_found};
use crate::journal::{At, Journal, READ_MAX, ReadError};
use crate::lengths::GAME_BYTES_MAX;
use crate::play::ruling;
use crate::rpc::{Call, act};

/// Returns a line for each game: id, status, `room` or `game`, rule set, time of the last change, label, and players.
pub async fn list(ctx: &RecorderContext, rooms_only: bool) -> OrFault<String> {
    let (mut text, mut after) = (String::new(), None);
    loop {
        let page = ctx.journal.games(after, READ_MAX).await?;
        for summary in &page {
            let game = GameId(summary.game_id[..].try_into().unwrap_or_default());
            let is_room = is_room(ctx, game).await;
            if is_room || !rooms_only {
                let kind = if is_room { "room" } else { "game" };
                let _ = writeln!(text, "{}", line(summary, kind));
            }
            after = Some(game);
        }
        if page.len() < READ_MAX {
            return Ok(text.trim_end().to_owned());
        }
    }
}

fn line(summary: &GameSummary, kind: &str) -> String {
    let GameSummary { game_id, rule_set, changed_at_ms, label, players, .. } = summary;
    let status = name(summary);
    let label = if label.is_empty() { String::new() } else { format!("{label:?}  ") };
    let changed = time::to_text(*changed_at_ms);
    format!("{}  {status:<8}  {kind}  {rule_set}  {changed}  {label}{}", hex(game_id), players.join(", "))
}

/// Returns what is to be known of a game, a fact per line.
pub async fn show(ctx: &RecorderContext, game: GameId) -> OrFault<String> {
    let Some(summary) = ctx.journal.game(game).await? else { return Err(not_found(game)) };
    let GameSummary { rule_set, players, label, created_at_ms, changed_at_ms, log_end, .. } = &summary;
    let mut facts = vec![
        ("status", name(&summary).to_owned()),
        ("rule set", rule_set.clone()),
        ("players", players.join(", ")),
        ("label", label.clone()),
        ("created", time::to_text(*created_at_ms)),
        ("changed", time::to_text(*changed_at_ms)),
        ("records", log_end.as_ref().map_or(0, |end| end.n + 1).to_string()),
    ];
    if let Some(last) = ctx.journal.last(game).await? {
        let settings = ctx.settings(game, &last.entry).await?;
        let now_ms = (ctx.service.clock)();
        let hosts = settings.valid_links(now_ms).filter(|link| link.is_host).count();
        let (links, bots) = (settings.valid_links(now_ms).count(), settings.bots.seats().numbers());
        let bytes = ctx.length(game, &last.entry).await?.bytes();
        facts.extend([
            ("room", if settings.is_room { "yes" } else { "no" }.to_owned()),
            ("links", format!("{links} valid, {hosts} of them of the host")),
            ("bots", bots.iter().map(|seat| format!("seat {seat}")).collect::<Vec<_>>().join(", ")),
            ("log", format!("{bytes} of at most {GAME_BYTES_MAX} bytes")),
        ]);
    }
    Ok(facts
        .iter()
        .map(|(fact, value)| format!("{fact:<9} {value}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n"))
}

/// Ends a game by the director's ruling that a side forfeits it. Returns why the ruling is refused, if it is.
pub async fn end(ctx: &Arc<RecorderContext>, game: GameId, side: u8) -> OrFault<Option<String>> {
    let side = Side(side);
    let effect = Effect { side: Some(side), ..Effect::of(EffectKind::Forfeit) };
    let ruling = action_out::write(&ruling("house:operator", None, side, effect, ""));
    let record = Some(pb::proposal::Record::Action(ruling));
    let proposal = pb::Proposal { actor: Some(identity::write(As::Director)), record, ..Default::default() };
    let mut request_id = vec![0; 16];
    (ctx.service.generator)(&mut request_id).map_err(|_| RequestFault::Internal)?;
    let request =
        ActRequest { game_id: game.0.into(), request_id, proposals: vec![proposal], ..Default::default() };
    let answer = act::answer(&Call::of_operator(Arc::clone(ctx)), request).await?;
    Ok(match answer.outcome {
        Some(act_response::Outcome::Rejected(rejected)) => {
            let violations = rejected.violations.into_iter();
            Some(violations.map(|violation| violation.message).collect::<Vec<_>>().join("; "))
        }
        _ => None,
    })
}

/// Deletes a game: its entries, its verdicts and what the archive has of it. Only its id remains, in the journal and in marks.
pub async fn delete(journal: &dyn Journal, archive: &GameArchive, game: GameId) -> anyhow::Result<()> {
    let summary = journal.game(game).await?;
    let summary = summary.with_context(|| format!("there is no game {}", hex(&game.0)))?;
    // A last entry that is damaged has a position all the same.
    let upto = match journal.last(game).await {
        Ok(last) => last.map(|last| last.at),
        Err(ReadError::Damaged { at, .. }) => Some(at),
        Err(error) => return Err(error.into()),
    };
    let is_dropped = journal.drop(game, upto.unwrap_or(At(0))).await?;
    ensure!(is_dropped, "the game was changed meanwhile: try again");
    journal.forget(game).await?;
    Ok(archive.forget(game, &summary.label).await?)
}

fn name(summary: &GameSummary) -> &'static str {
    summary.status().as_str_name().trim_start_matches("GAME_STATUS_")
}

/// Whether a game is a room, as far as its entries can be read.
async fn is_room(ctx: &RecorderContext, game: GameId) -> bool {
    let Ok(Some(last)) = ctx.journal.last(game).await else { return false };
    ctx.settings(game, &last.entry).await.is_ok_and(|settings| settings.is_room)
}
