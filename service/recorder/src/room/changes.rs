//! The changes that people may make to a room.

use canasta_engine::action::As;
use canasta_engine::seat::Seat;
use canasta_messages::answers::suggest_action::read_level;
use canasta_messages::convert::field::{Read, all, fault, holds, required, within};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::change_room_request::Change;
use canasta_proto::v1::{GameEnd, GameOfRoom, RoomBot, RoomChair, RoomRules, Seating, SitDown};
use canasta_serve::OrFault;

use super::RoomCode;
use crate::entry::{GAMES_MAX, GENERATIONS, RoomState, SeatSet};
use crate::keys::RecorderKey;

/// The facts that a change may depend on besides the room.
pub struct RoomMoment<'a> {
    pub is_playing: bool,
    /// The result of the latest game, if it has one.
    pub end: Option<&'a GameEnd>,
    /// The chairs on behalf of which somebody watches the room or its game.
    pub there: SeatSet,
}

impl RoomState {
    /// Returns the present code of a chair, or of the guests.
    pub fn code(&self, chair: Option<u8>, key: &RecorderKey) -> String {
        RoomCode { room: self.number, chair, generation: self.generation(chair) }.write(key)
    }

    /// Makes a change on behalf of a chair or a guest, and begins the next game if nobody is waited for. Returns what was done,
    /// as a sentence.
    ///
    /// # Errors
    /// If the actor may not make the change, or a field does not fit the room.
    pub fn change(&mut self, by: As, change: Change, now: &RoomMoment<'_>) -> OrFault<String> {
        let own = match by {
            As::Seat(Seat(chair)) if self.is_taken(chair) => Some(chair),
            As::Spectator => None,
            _ => return Err(RequestFault::Denied),
        };
        let text = match change {
            Change::SitDown(sit_down) => self.sit_down(own, sit_down, now),
            Change::StandUp(chair) => self.stand_up(own, chair, now),
            Change::Ready(ready) => self.ready(own, ready, now),
            Change::Bot(bot) => self.bot(own, bot, now),
            Change::Rules(rules) => self.rules(own, rules, now),
            Change::Seating(seating) => self.seat(own, seating, now),
            Change::NewCode(_) => self.new_code(own),
        }?;
        Ok(if self.is_due(now) { format!("{text} {}", self.begin(now)) } else { text })
    }

    fn sit_down(
        &mut self,
        own: Option<u8>,
        SitDown { chair, name }: SitDown,
        now: &RoomMoment<'_>,
    ) -> OrFault<String> {
        let chair = self.chair(required(chair)).map_err(within("chair"))?;
        holds("chair", own != Some(chair), "is the actor's own").map_err(within("sit_down"))?;
        holds("chair", !self.is_taken(chair), "is taken").map_err(within("sit_down"))?;
        let mut others = (0..self.seats()).filter(|other| Some(*other) != own);
        let is_free = others.all(|other| self.room.chairs[usize::from(other)].name != name);
        holds("name", is_free, "is another one's in this room").map_err(within("sit_down"))?;
        if let Some(own) = own {
            self.leave(own, now)?;
        }
        let text = format!("{name} sits down on chair {chair}.");
        self.room.chairs[usize::from(chair)] = RoomChair { name, ..RoomChair::default() };
        self.renew(Some(chair))?;
        self.room.host.get_or_insert(chair.into());
        Ok(text)
    }

    fn stand_up(&mut self, own: Option<u8>, chair: u32, now: &RoomMoment<'_>) -> OrFault<String> {
        let chair = self.chair(Ok(chair)).map_err(within("stand_up"))?;
        self.entitle(own == Some(chair) || self.is_host(own))?;
        holds("stand_up", self.is_taken(chair), "is nobody's chair")?;
        let name = self.room.chairs[usize::from(chair)].name.clone();
        self.leave(chair, now)?;
        Ok(format!("{name} leaves chair {chair}."))
    }

    fn ready(&mut self, own: Option<u8>, ready: bool, now: &RoomMoment<'_>) -> OrFault<String> {
        let chair = own.ok_or(RequestFault::Denied)?;
        between(now, "ready")?;
        let chair = &mut self.room.chairs[usize::from(chair)];
        chair.ready = ready;
        // Whoever says so is there.
        chair.bot = false;
        Ok(format!("{} is {}.", chair.name, if ready { "ready" } else { "not ready" }))
    }

    fn bot(
        &mut self,
        own: Option<u8>,
        RoomBot { chair, plays, level }: RoomBot,
        now: &RoomMoment<'_>,
    ) -> OrFault<String> {
        let chair = self.chair(required(chair)).map_err(within("chair"));
        let (chair, _) = all((chair, read_level(level))).map_err(within("bot"))?;
        let is_own = own == Some(chair);
        let is_left = !self.is_taken(chair) || plays && !now.there.has(Seat(chair));
        self.entitle(is_own || own.is_some() && is_left)?;
        let is_played = plays || self.is_taken(chair) || !now.is_playing;
        let problem = "is nobody's chair: a bot must play it until the game is over";
        holds("plays", is_played, problem).map_err(within("bot"))?;
        let at = &mut self.room.chairs[usize::from(chair)];
        (at.bot, at.level) = (plays, level);
        Ok(match plays {
            true => format!("A bot plays chair {chair}."),
            false => format!("No bot plays chair {chair}."),
        })
    }

    fn rules(&mut self, own: Option<u8>, rules: RoomRules, now: &RoomMoment<'_>) -> OrFault<String> {
        self.entitle(self.is_host(own))?;
        between(now, "rules")?;
        let text = format!("The next game is {}.", rules.rule_set);
        self.room.rules = Some(rules);
        self.rise();
        Ok(text)
    }

    fn seat(&mut self, own: Option<u8>, Seating { seats }: Seating, now: &RoomMoment<'_>) -> OrFault<String> {
        self.entitle(own.is_some())?;
        between(now, "seating")?;
        let count = u32::from(self.seats());
        let mut sorted = seats.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..count) {
            let problem = format!("expected each seat from 0 to {} once", count - 1);
            return Err(within("seating")(within("seats")(fault(problem))).into());
        }
        let text = format!("The chairs sit on seats {seats:?} in the next game.");
        self.room.seating = seats;
        self.rise();
        Ok(text)
    }

    fn new_code(&mut self, own: Option<u8>) -> OrFault<String> {
        self.entitle(self.is_host(own))?;
        self.renew(None)?;
        Ok("The guests' code is another one.".into())
    }

    /// Clears a chair. During a game a bot takes it over.
    fn leave(&mut self, chair: u8, now: &RoomMoment<'_>) -> OrFault<()> {
        self.room.chairs[usize::from(chair)] = RoomChair { bot: now.is_playing, ..RoomChair::default() };
        self.renew(Some(chair))?;
        if self.room.host == Some(chair.into()) {
            self.room.host = (0..self.seats()).find(|next| self.is_taken(*next)).map(u32::from);
        }
        Ok(())
    }

    /// Ends the code of a chair or of the guests, and the tokens with it.
    fn renew(&mut self, chair: Option<u8>) -> OrFault<()> {
        let place = chair.map_or(self.room.chairs.len(), usize::from);
        let count = &mut self.generations[place];
        *count += 1;
        if *count < GENERATIONS { Ok(()) } else { Err(RequestFault::TooManyLinks) }
    }

    /// Makes nobody ready: what they agreed to has changed.
    fn rise(&mut self) {
        self.room.chairs.iter_mut().for_each(|chair| chair.ready = false);
    }

    /// Whether the next game begins: each chair has a bot or somebody who is ready, and not bots alone.
    fn is_due(&self, now: &RoomMoment<'_>) -> bool {
        let chairs = &self.room.chairs;
        !now.is_playing
            && chairs.iter().all(|chair| chair.bot || chair.ready)
            && chairs.iter().any(|c| c.ready)
    }

    /// Begins the next game. Returns that as a sentence.
    fn begin(&mut self, now: &RoomMoment<'_>) -> String {
        self.conclude(now.end);
        let seats = self.room.chairs.len();
        let chair_of = |seat: usize| self.room.seating.iter().position(|at| *at as usize == seat);
        let chairs: Vec<u32> = (0..seats).filter_map(chair_of).map(|chair| chair as u32).collect();
        let mut bots = 0;
        let players = chairs.iter().map(|chair| match &self.room.chairs[*chair as usize] {
            RoomChair { name, .. } if !name.is_empty() => name.clone(),
            _ => {
                bots += 1;
                if bots == 1 { "Bot".into() } else { format!("Bot {bots}") }
            }
        });
        let players = players.collect();
        self.room.games.push(GameOfRoom { game_id: Vec::new(), chairs, players, end: None });
        if self.room.games.len() > GAMES_MAX {
            self.room.games.remove(0);
        }
        self.begun += 1;
        self.rise();
        format!("Game {} begins.", self.begun)
    }

    /// Keeps the result of the latest game.
    pub fn conclude(&mut self, end: Option<&GameEnd>) {
        if let Some(latest) = self.room.games.last_mut() {
            latest.end = end.cloned();
        }
    }

    /// Reads the number of a chair of this room.
    fn chair(&self, number: Read<u32>) -> Read<u8> {
        let seats = self.seats();
        number.and_then(|number| match u8::try_from(number) {
            Ok(chair) if chair < seats => Ok(chair),
            _ => Err(fault(format!("{number} is no chair of this room: expected 0 to {}", seats - 1))),
        })
    }

    fn is_host(&self, own: Option<u8>) -> bool {
        own.is_some() && self.room.host == own.map(u32::from)
    }

    fn entitle(&self, is_entitled: bool) -> OrFault<()> {
        if is_entitled { Ok(()) } else { Err(RequestFault::Denied) }
    }
}

/// Checks that no game is played.
fn between(now: &RoomMoment<'_>, field: &'static str) -> Read<()> {
    holds(field, !now.is_playing, "is for the time between two games: one is played")
}
