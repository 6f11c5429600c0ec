//! Remarks: the records that change nothing in the game. A new kind of remark is a variant of [`RemarkKind`] and its form.

use alloc::string::String;
use canasta_rules::action::As;
use canasta_rules::seat::Seat;

/// Maximum number of bytes of a note's text.
pub const NOTE_MAX: usize = 4096;
/// Maximum number of bytes of a signed checkpoint.
pub const CHECKPOINT_MAX: usize = 8192;

/// A record that changes nothing in the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The kind.
    pub kind: RemarkKind,
    /// The author; `None` for kinds that name no author, and only for them.
    pub by: Option<Author>,
    /// Claimed time in milliseconds, as in [`ActionRecord::elapsed_ms`](crate::record::ActionRecord::elapsed_ms); `None`
    /// without an author.
    pub elapsed_ms: Option<u64>,
    /// Text of at most [`RemarkForm::max`] bytes.
    pub text: String,
}

/// The kind of a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// A note that somebody makes.
    Note,
    /// A signed checkpoint over the record before it.
    Checkpoint,
}

/// The form of a kind of remarks.
#[derive(Clone, Copy)]
pub struct RemarkForm {
    /// The number of the type in the log.
    pub number: u8,
    /// The name of the kind, which is also its word in notation.
    pub name: &'static str,
    /// Whether the author and the claimed time are stored.
    pub has_author: bool,
    /// The name of the text's field.
    pub field: &'static str,
    /// Maximum number of bytes of the text.
    pub max: usize,
}

/// The author of a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Author {
    /// A seat.
    Seat(Seat),
    /// The table.
    #[default]
    Table,
    /// The director.
    Director,
}

impl Remark {
    /// Returns a note.
    pub fn note(by: Author, elapsed_ms: Option<u64>, text: impl Into<String>) -> Self {
        Self { kind: RemarkKind::Note, by: Some(by), elapsed_ms, text: text.into() }
    }

    /// Returns a checkpoint with this signed text.
    pub fn checkpoint(text: impl Into<String>) -> Self {
        Self { kind: RemarkKind::Checkpoint, by: None, elapsed_ms: None, text: text.into() }
    }
}

impl RemarkKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::Note, Self::Checkpoint];

    /// Returns the form of the kind.
    pub const fn form(self) -> RemarkForm {
        match self {
            Self::Note => {
                RemarkForm { number: 9, name: "note", has_author: true, field: "text", max: NOTE_MAX }
            }
            Self::Checkpoint => RemarkForm {
                number: 10,
                name: "checkpoint",
                has_author: false,
                field: "note",
                max: CHECKPOINT_MAX,
            },
        }
    }

    /// Returns the kind with this name, in any case of letters.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.form().name.eq_ignore_ascii_case(name))
    }

    /// Returns a remark of the kind without text.
    pub fn blank(self) -> Remark {
        let by = self.form().has_author.then_some(Author::Table);
        Remark { kind: self, by, elapsed_ms: None, text: String::new() }
    }
}

impl From<Author> for As {
    fn from(author: Author) -> Self {
        match author {
            Author::Seat(seat) => Self::Seat(seat),
            Author::Table => Self::Table,
            Author::Director => Self::Director,
        }
    }
}
