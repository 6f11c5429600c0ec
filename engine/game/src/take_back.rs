//! Take-backs: the limit up to which a seat may go back without having seen a card that was hidden from it.

use super::act::Stamp;
use super::game::{Game, Link};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::{ActionRecord, Record};
use canasta_log::{Chain, derive, frame};
use canasta_rules::action::{Action, As, Authority, Effect, EffectKind, Ruling};
use canasta_rules::event::Event;
use canasta_rules::rules::PileLook;
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;
use canasta_rules::view::view;
use thiserror::Error;

/// Maximum number of frames between an earlier game and the present one.
pub const TAKE_BACK_FRAMES_MAX: usize = 1024;

/// The rule that a take-back's ruling names. It is the house's own, so the table of penalties has no entry for it.
const RULE: &str = "house:take-back";

/// The limit up to which a seat may go back.
#[derive(Clone, PartialEq, Debug)]
pub struct TakeBack {
    /// The game to go back to; the present one if nothing may be taken back.
    pub game: Box<Game>,
    /// The reason why the seat may not go back further; `None` if this is the earlier game itself.
    pub stopped: Option<(TakeBackRefusal, Option<u64>)>,
}

/// The reasons why a seat may not go back further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakeBackRefusal {
    /// Somebody saw a card that the asking seat had not seen before.
    CardSeen,
    /// Another seat, or an official, has acted, or a dispute was opened.
    OtherActed,
    /// The two games are not in play in one deal.
    NotThisDeal,
}

/// The reasons why frames cannot be followed from one game to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FollowError {
    /// There are more than [`TAKE_BACK_FRAMES_MAX`] frames.
    #[error("more than {TAKE_BACK_FRAMES_MAX} frames")]
    TooMany,
    /// The frames are not those between the two games.
    #[error("the frames do not lead from the earlier state to the state")]
    Unlinked,
    /// A ruling among the frames restores a game before the earlier one.
    #[error("a ruling restores a position before the earlier state")]
    Restored,
}

impl TakeBack {
    /// Returns the ruling by which the director takes back to this game what `asker` has done.
    pub fn ruling(&self, asker: Seat) -> Action {
        let table = &self.game.table;
        Action::Ruling(Box::new(Ruling {
            by: Authority::Table,
            side: table.side_of(asker),
            rule: String::from(RULE),
            effect: Effect { to_seq: Some(table.step()), ..Effect::of(EffectKind::Restore) },
            ..Ruling::default()
        }))
    }
}

impl Game {
    /// Returns the earliest game, from `then` on, to which `asker` may go back: since then only `asker` has acted, and
    /// nobody saw a card that `asker` had not seen before. `frames` are the frames of the log after `then`, up to this
    /// game. They are believed only if they lead here: the chain joins the two heads, and each action is executed again.
    ///
    /// The result depends on no card that `asker` cannot see.
    ///
    /// # Errors
    /// If the frames do not lead from `then` to this game. The chain is compared before anything is executed, so that
    /// invented actions are not judged.
    pub fn take_back(&self, then: &Self, frames: &[u8], asker: Seat) -> Result<TakeBack, FollowError> {
        if self.dealing.game_id != then.dealing.game_id {
            return Err(FollowError::Unlinked);
        }
        if !is_one_deal(&then.table, &self.table) {
            let stopped = Some((TakeBackRefusal::NotThisDeal, None));
            return Ok(TakeBack { game: Box::new(self.clone()), stopped });
        }
        let records = linked(then.link, self.link, frames)?;
        let mut walk = TakeBackWalk {
            asker,
            game: then.clone(),
            back: TakeBack { game: Box::new(then.clone()), stopped: None },
            wanted: records
                .iter()
                .filter_map(|linked| linked.action().and_then(Action::restored_seq))
                .collect(),
            kept: Vec::new(),
        };
        for linked in &records {
            walk.follow(linked)?;
        }
        if walk.game == *self { Ok(walk.back) } else { Err(FollowError::Unlinked) }
    }
}

/// Whether both tables are in play in the same deal.
fn is_one_deal(then: &Table, now: &Table) -> bool {
    let deal = |table: &Table| (table.round_number(), table.attempt());
    then.is_dealt() && now.is_dealt() && deal(then) == deal(now)
}

/// A record at its place in the chain.
struct LinkedRecord {
    record: Record,
    link: Link,
    /// Length of its frame in bytes.
    length: u32,
}

impl LinkedRecord {
    fn action(&self) -> Option<&Action> {
        match &self.record {
            Record::Action(record) => Some(&record.action),
            _ => None,
        }
    }
}

/// Decodes the frames between two places in a log.
///
/// # Errors
/// If they do not lead from one to the other. No record is decoded before that is known.
fn linked(from: Link, to: Link, frames: &[u8]) -> Result<Vec<LinkedRecord>, FollowError> {
    let mut chain = Chain { next: from.n + 1, head: from.head };
    if frame_count(frames) > TAKE_BACK_FRAMES_MAX {
        return Err(FollowError::TooMany);
    }
    let (mut payloads, mut rest, mut written) = (Vec::new(), frames, Vec::new());
    while !rest.is_empty() {
        let payload = first_payload(rest).ok_or(FollowError::Unlinked)?;
        written.clear();
        chain.append(payload, &mut written);
        rest = rest.strip_prefix(&written[..]).ok_or(FollowError::Unlinked)?;
        let link = Link { n: chain.next - 1, head: chain.head };
        payloads.push((payload, link, written.len() as u32));
    }
    if (Chain { next: to.n + 1, head: to.head }) != chain {
        return Err(FollowError::Unlinked);
    }
    let decoded = payloads.into_iter().map(|(payload, link, length)| {
        Some(LinkedRecord { record: Record::decode(payload).ok()?, link, length })
    });
    decoded.collect::<Option<_>>().ok_or(FollowError::Unlinked)
}

/// Returns the number of frames, as their lengths say; frames that are cut off count as one.
pub fn frame_count(mut frames: &[u8]) -> usize {
    let mut count = 0;
    while !frames.is_empty() {
        let length = first_payload(frames).map_or(frames.len(), <[u8]>::len);
        frames = frames.get(frame::PREFIX + length + frame::SUFFIX..).unwrap_or_default();
        count += 1;
    }
    count
}

/// Returns the payload of the first frame, `None` if its length is impossible.
fn first_payload(frames: &[u8]) -> Option<&[u8]> {
    let length = u16::from_be_bytes(frames.first_chunk().copied()?);
    let length = usize::from(length);
    let payload = frames.get(frame::PREFIX..frame::PREFIX + length)?;
    (1..=frame::PAYLOAD_MAX).contains(&length).then_some(payload)
}

/// A walk over the records between two games.
struct TakeBackWalk {
    asker: Seat,
    game: Game,
    /// The limit of the asker at `game`.
    back: TakeBack,
    /// The `seq` of the games that rulings on the way restore.
    wanted: Vec<u64>,
    /// Those of them that the walk has passed.
    kept: Vec<Game>,
}

impl TakeBackWalk {
    fn follow(&mut self, linked: &LinkedRecord) -> Result<(), FollowError> {
        match &linked.record {
            Record::Action(record) => self.act(record, linked.link)?,
            Record::Refusal(_) => {
                self.game.length.records += 1;
                self.game.length.bytes += linked.length;
            }
            Record::Remark(_) => {}
            _ => return Err(FollowError::Unlinked),
        }
        // What a record does not change in the game, it changes in its place in the log.
        self.game.link = linked.link;
        Ok(())
    }

    /// Executes a recorded action again. The record must be the one that the game writes.
    fn act(&mut self, record: &ActionRecord, link: Link) -> Result<(), FollowError> {
        if self.wanted.contains(&self.game.table.step()) {
            self.kept.push(self.game.clone());
        }
        let earlier = match record.action.restored_seq() {
            None => None,
            Some(seq) => {
                let kept = self.kept.iter().find(|game| game.table.step() == seq);
                Some(kept.ok_or(FollowError::Restored)?)
            }
        };
        let by = record.actor.map_or(As::Director, As::Seat);
        let action = derive::opened(&self.game.table, &self.game.dealing, link.n, &record.action);
        let stamp = Stamp { elapsed_ms: record.elapsed_ms, signature: record.signature };
        let before = self.game.table.clone();
        let acted = self.game.act_resuming(earlier, by, &action, stamp);
        let acted = acted.map_err(|_| FollowError::Unlinked)?;
        if self.game.link != link {
            return Err(FollowError::Unlinked);
        }
        let stopped = if record.actor != Some(self.asker) || action.is_official() {
            Some(TakeBackRefusal::OtherActed)
        } else {
            let seen = acted.events.iter().any(|event| shows_unseen(event, self.asker, &before));
            seen.then_some(TakeBackRefusal::CardSeen)
        };
        if let Some(refusal) = stopped {
            let stopped = Some((refusal, Some(self.game.table.step())));
            self.back = TakeBack { game: Box::new(self.game.clone()), stopped };
        }
        Ok(())
    }
}

/// Whether an event of an action by `asker` shows somebody a card that was not in the view of `asker`, at the table
/// `before` the action. The cards under the top of the pile were shown once but are not in view (AMB-36).
fn shows_unseen(event: &Event, asker: Seat, before: &Table) -> bool {
    match event {
        Event::Drawn { .. }
        | Event::Dealt { .. }
        | Event::Upcard { .. }
        | Event::Drew { .. }
        | Event::Replaced { .. }
        | Event::TookFoot { .. }
        | Event::TookTalon { .. } => true,
        Event::TookPile { cards, .. } => cards.len() > view(before, As::Seat(asker)).table.pile.under.len(),
        // One more card under the top comes into view.
        Event::TookTop { .. } => before.set().pile_look == PileLook::Three,
        Event::Revealed { seat, .. } | Event::SpecialHand { seat, .. } => *seat != asker,
        // Cards of the asker's own hand, cards in view, and cards that another event shows.
        Event::ThreeLaid { .. }
        | Event::Melded { .. }
        | Event::Canasta { .. }
        | Event::Merged { .. }
        | Event::Unmelded { .. }
        | Event::RestoredPile { .. }
        | Event::Discarded { .. }
        | Event::Froze { .. }
        | Event::Passed { .. }
        | Event::TalonAwarded { .. }
        | Event::Asked { .. }
        | Event::Answered { .. }
        | Event::SidesFixed { .. }
        | Event::WentOut { .. }
        | Event::StockExhausted
        | Event::Ruled { .. }
        | Event::Disputed { .. }
        | Event::Signed { .. }
        | Event::Scored => false,
    }
}
