//! Requests of the service as lines of text, and the work that one costs the engine.

use canasta_engine::action::{Action, As, CardList, TakePile};
use canasta_engine::apply::apply;
use canasta_engine::card::Card;
use canasta_engine::check::check_counted;
use canasta_engine::legal::{Steps, steps_counted};
use canasta_engine::nodes::Nodes;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::options::{Chosen, options_counted};
use canasta_engine::table::Table;
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use std::fmt;
use std::hint::black_box;

/// A method that asks about an action, or for actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedMethod {
    /// CheckAction.
    Check,
    /// ApplyAction.
    Apply,
    /// Options.
    Options,
    /// ListLegalActions.
    List,
    /// SuggestAction.
    Suggest,
}

/// A request for the seat in turn.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method that is asked.
    pub method: AskedMethod,
    /// The state.
    pub table: Table,
    /// The action, or for options the one that was chosen before; nothing for a list.
    pub action: Action,
    /// The cards that were picked, for options.
    pub cards: CardList,
}

impl AskedMethod {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Check, Self::Apply, Self::Options, Self::List, Self::Suggest];

    /// Returns the word for the method.
    pub fn name(self) -> &'static str {
        ["check", "apply", "options", "list", "suggest"][self as usize]
    }

    /// Returns the method with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Whether the method judges an action that the caller makes up.
    pub fn names_action(self) -> bool {
        !matches!(self, Self::List | Self::Suggest)
    }
}

impl Request {
    /// Parses `METHOD | POSITION`, then `| ACTION` for an action, then `| CARDS` for options.
    ///
    /// # Panics
    /// If the line is no request.
    pub fn parse(line: &str) -> Self {
        let mut parts = line.split(" | ");
        let method = parts.next().and_then(AskedMethod::from_name).expect("a method");
        let position = Position::parse(parts.next().expect("a position")).expect("a position");
        let table: Table = position.setup().into_table().expect("a position that can arise");
        let proposal = |text| Proposal::parse(text, table.set()).expect("an action").action;
        let action = parts.next().map_or(Action::Pass, proposal);
        let cards = parts.next().unwrap_or_default();
        let cards =
            cards.split(' ').filter(|card| !card.is_empty()).map(|card| Card::parse(card).expect("a card"));
        Self { method, action, cards: cards.collect(), table }
    }

    /// Answers the request. Returns the work, in units of a node.
    pub fn answer(&self) -> u32 {
        let (table, seat, nodes) = (&self.table, self.table.turn_seat(), Nodes::default());
        match self.method {
            AskedMethod::Check | AskedMethod::Apply => {
                let verdict = check_counted(table, None, As::Seat(seat), &self.action, &nodes);
                if let (AskedMethod::Apply, Ok(legal)) = (self.method, black_box(verdict)) {
                    black_box(apply(&mut table.clone(), legal));
                }
            }
            AskedMethod::Options => {
                let chosen = match &self.action {
                    Action::TakePile(take) => Chosen::Take(TakePile::clone(take)),
                    Action::Meld(groups) => Chosen::Melds(groups.clone()),
                    _ => Chosen::default(),
                };
                black_box(options_counted(table, seat, &chosen, &self.cards, &nodes));
            }
            AskedMethod::List | AskedMethod::Suggest => {
                let mut steps = Steps::default();
                steps_counted(table, &mut steps, &nodes);
                if self.method == AskedMethod::Suggest {
                    let view = view(table, As::Seat(seat));
                    black_box(legal::choose(table, &mut steps.actions, |steps| {
                        bot::suggest(&view, steps, 1)
                    }));
                }
            }
        }
        nodes.work()
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", self.method.name(), Position::of(&self.table))?;
        if !self.method.names_action() {
            return Ok(());
        }
        let proposal = Proposal { actor: None, action: self.action.clone() };
        write!(f, " | {}", proposal.to_text(self.table.set()).expect("an action has a text"))?;
        if self.method == AskedMethod::Options {
            write!(f, " |")?;
            self.cards.iter().try_for_each(|card| write!(f, " {card}"))?;
        }
        Ok(())
    }
}
