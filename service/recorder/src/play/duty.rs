//! The duties of the recorder in a game: what it does itself, and when.

use std::sync::Arc;

use canasta_engine::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_engine::bot::RoundMemory;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::Phase;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::answers::suggest_action;
use canasta_service::context::RequestContext;

use super::judge::{ClockChange, Proposals, due_of_table, is_table_due};
use crate::entry::{EntryKind, JournalEntry, RequestTag, Settings, digest_of};
use crate::outages::Outages;
use crate::timing::{self, Moment, Sanction};

/// The rule of a turn that takes too long.
const SLOW_PLAY: &str = "IR-072";
/// The house's own rule of the end of play.
const TIME_UP: &str = "house:time-up";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    Table,
    /// The action of a seat that a bot plays.
    Bot(Seat),
    /// The ruling on a seat whose time is up.
    Flag(Seat),
    /// The ruling that ends play, because its time is up.
    Stop,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextDuty {
    Now(Duty),
    /// A duty may be due at this time, in ms since 1970, unless somebody acts before.
    At(i64),
    /// The recorder has nothing to do until somebody acts.
    None,
}

/// Returns the next duty in the game after an entry.
pub fn next(
    settings: &Settings,
    entry: &JournalEntry,
    game: &Game,
    outages: &Outages,
    now_ms: i64,
) -> NextDuty {
    let (clock, table) = (&settings.clock, &game.table);
    if table.phase() == Phase::GameOver || table.is_suspended() || timing::is_stopped(entry) {
        return NextDuty::None;
    }
    if timing::is_time_up(clock, entry, table, now_ms) {
        return NextDuty::Now(Duty::Stop);
    }
    if settings.does_table_work(table.step()) && is_table_due(settings, game) {
        return NextDuty::Now(Duty::Table);
    }
    let (mut flag_at_ms, start_ms) = (None, clock.starts_at_ms.filter(|start| *start > now_ms));
    match table.to_act() {
        Some(seat) if settings.bots.has(seat) => {
            return start_ms.map_or(NextDuty::Now(Duty::Bot(seat)), NextDuty::At);
        }
        Some(seat) => {
            let uncharged = outages.between(entry.time_ms, now_ms);
            flag_at_ms = timing::flag_at_ms(clock, entry).map(|flag| flag.saturating_add(uncharged.into()));
            if flag_at_ms.is_some_and(|flag| flag <= now_ms) {
                return NextDuty::Now(Duty::Flag(seat));
            }
        }
        None => {}
    }
    let end_ms = clock.ends_at_ms.filter(|end| *end > now_ms);
    flag_at_ms.into_iter().chain(end_ms).min().map_or(NextDuty::None, NextDuty::At)
}

impl Duty {
    /// Returns the record of the duty as a proposal, where a bot remembers this of the round; `None` if a board cannot be
    /// decrypted, or the bot's search finds nothing, which no game leads to.
    pub fn propose(
        self,
        ctx: &RequestContext,
        settings: &Arc<Settings>,
        entry: &JournalEntry,
        game: &Game,
        memory: &RoundMemory,
        at: Moment,
    ) -> Option<Proposals> {
        let action = ProposedRecord::Action;
        let (who, record, kind, change) = match self {
            Self::Table => {
                let record = due_of_table(ctx, settings, game).ok()??;
                (As::Table, record, EntryKind::Acted, ClockChange::None)
            }
            Self::Bot(seat) => {
                let seed = u64::from_be_bytes(*entry.head.first_chunk()?);
                let chosen = suggest_action::choose(game, settings.bots.level(seat), memory, seed)?;
                (As::Seat(seat), action(chosen.action), EntryKind::Acted, ClockChange::None)
            }
            Self::Flag(seat) => {
                let charged_at = Moment { uncharged_ms: 0, ..at };
                let clocks = timing::charged(&settings.clock, entry, charged_at)?;
                let side = game.table.side_of(seat);
                let (kind, change) = match timing::sanction(&settings.clock, &clocks, seat) {
                    Sanction::Warning => (EffectKind::Warning, ClockChange::Warn),
                    Sanction::Forfeit => (EffectKind::Forfeit, ClockChange::None),
                };
                let effect =
                    Effect { side: (kind == EffectKind::Forfeit).then_some(side), ..Effect::of(kind) };
                let ruling = ruling(SLOW_PLAY, Some(seat), side, effect, "the seat's time is up");
                (As::Director, action(ruling), EntryKind::Clock, change)
            }
            Self::Stop => {
                let effect = Effect::of(EffectKind::StopClock);
                let ruling = ruling(TIME_UP, None, Side(0), effect, "the time for play is up");
                (As::Director, action(ruling), EntryKind::Clock, ClockChange::Stop)
            }
        };
        let tag = RequestTag::of(who, &request_id(game.dealing.game_id, &entry.head));
        let list = vec![ReadProposal::of(who, record)];
        let base = Proposals::new(tag, kind, who, list, (Arc::clone(settings), at));
        Some(Proposals { change, ..base })
    }
}

/// Returns the id of the request for a duty. Recorders that race for the same duty make the same request.
fn request_id(game: GameId, head: &[u8; 32]) -> [u8; 16] {
    digest_of(&[b"canasta-duty/1\0", &game.0, head])
}

/// Returns a ruling of the director.
pub fn ruling(rule: &str, offender: Option<Seat>, side: Side, effect: Effect, reason: &str) -> Action {
    Action::Ruling(Box::new(Ruling {
        by: Authority::Director,
        offender,
        side,
        rule: rule.into(),
        effect,
        reason: reason.into(),
        ..Ruling::default()
    }))
}
