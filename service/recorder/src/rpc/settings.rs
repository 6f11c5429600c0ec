//! The settings of a game in requests.

use canasta_engine::dealing::Registration;
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_messages::answers::suggest_action::read_level;
use canasta_messages::convert::field::{Read, all, at_most, fault, item, seat, within};
use canasta_proto::v1::{Bot, Clock, CreateRequest, TakeBacks};
use canasta_serve::OrFault;

use crate::entry::{LABEL_BYTES_MAX, SeatedBots, Settings, TakeBackRule, clock_faults, is_label};

/// Reads the settings of a new game.
pub fn read(request: &CreateRequest) -> Read<Settings> {
    let CreateRequest { label, clock, take_backs, auto_table, bots, waits_for_opening, .. } = request;
    let (label, (clock, take_backs), bots) = all((
        read_label(label),
        all((
            clock.map_or(Ok(Clock::default()), read_clock).map_err(within("clock")),
            read_take_backs(*take_backs).map_err(within("take_backs")),
        )),
        read_bots(bots).map_err(within("bots")),
    ))?;
    let (auto_table, waits_for_opening) = (*auto_table, *waits_for_opening);
    if waits_for_opening && !auto_table {
        let problem = "must be unset without `auto_table`: the caller does the table's work";
        return Err(within("waits_for_opening")(fault(problem)));
    }
    Ok(Settings { label, clock, take_backs, auto_table, bots, waits_for_opening, ..Default::default() })
}

/// Checks that a new game can have its settings.
pub fn check(settings: &Settings, new: &NewGame) -> OrFault<()> {
    let deals = matches!(new.deal, NewDeal::Seeded(_) | NewDeal::Committed(_)) || settings.board.is_some();
    if settings.auto_table && !(deals && new.registration == Registration::Auto) {
        let problem = "must be unset: the table brings the cards or the registers of this game";
        return Err(within("auto_table")(fault(problem)).into());
    }
    let seats = new.rules.set().seats;
    let stranger = (seats..SEATS_MAX as u8).find(|&seat| settings.bots.has(Seat(seat)));
    let Some(seat) = stranger else { return Ok(()) };
    let problem = format!("{seat} is no seat of this game: expected 0 to {}", seats - 1);
    Err(within("bots")(within("seat")(fault(problem))).into())
}

fn read_label(label: &str) -> Read<String> {
    if is_label(label) {
        return Ok(label.into());
    }
    let problem = format!("expected at most {LABEL_BYTES_MAX} bytes without control characters");
    Err(within("label")(fault(problem)))
}

fn read_clock(clock: Clock) -> Read<Clock> {
    let mut faults = Ok(());
    for (field, problem) in clock_faults(&clock) {
        faults = all((faults, Err::<(), _>(within(field)(fault(problem))))).map(drop);
    }
    faults?;
    if clock == Clock::default() { Err(fault("must have a limit, or be unset")) } else { Ok(clock) }
}

fn read_take_backs(number: i32) -> Read<TakeBackRule> {
    match TakeBacks::try_from(number) {
        Ok(TakeBacks::Unspecified | TakeBacks::Never) => Ok(TakeBackRule::Never),
        Ok(TakeBacks::Unseen) => Ok(TakeBackRule::Unseen),
        Ok(TakeBacks::Agreed) => Ok(TakeBackRule::Agreed),
        Err(_) => Err(fault(format!("{number} is not a value of this enum"))),
    }
}

fn read_bots(bots: &[Bot]) -> Read<SeatedBots> {
    at_most(bots, SEATS_MAX)?;
    let mut read = SeatedBots::default();
    for (index, bot) in bots.iter().enumerate() {
        let seat = seat(bot.seat).map_err(within("seat"));
        let (seat, level) = all((seat, read_level(bot.level))).map_err(item(index))?;
        if read.has(seat) {
            return Err(item(index)(within("seat")(fault("is named twice"))));
        }
        read.set(seat, Some(level));
    }
    Ok(read)
}
