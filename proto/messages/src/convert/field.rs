//! Readers of plain fields, and their faults.
//!
//! A fault begins where it is found and gets its path on the way out: each caller adds its own step with
//! [`within`] or [`item`], so requests without faults cost nothing.

use canasta_engine::action::MeldId;
use canasta_engine::seat::{SEATS_MAX, Seat, Side};
use canasta_engine::table::MELDS_MAX;

use crate::fault::{FieldFault, FieldFaults};

/// Highest id of a meld.
const MELD_ID_LAST: u32 = MELDS_MAX as u32 - 1;

pub type Read<T> = Result<T, FieldFaults>;

/// Several reads together.
pub trait Reads {
    /// The values, in order.
    type Values;

    /// Returns all values, or the faults of all reads.
    fn together(self) -> Read<Self::Values>;
}

/// Returns the values of several fields, a tuple of [`Read`]s; or the faults of all of them, so that an answer
/// names every bad field.
pub fn all<R: Reads>(reads: R) -> Read<R::Values> {
    reads.together()
}

impl<A, B> Reads for (Read<A>, Read<B>) {
    type Values = (A, B);

    fn together(self) -> Read<(A, B)> {
        match self {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(a), Err(b)) => Err(a.and(b)),
            (Err(faults), Ok(_)) | (Ok(_), Err(faults)) => Err(faults),
        }
    }
}

impl<A, B, C> Reads for (Read<A>, Read<B>, Read<C>) {
    type Values = (A, B, C);

    fn together(self) -> Read<(A, B, C)> {
        all((all((self.0, self.1)), self.2)).map(|((a, b), c)| (a, b, c))
    }
}

impl<A, B, C, D> Reads for (Read<A>, Read<B>, Read<C>, Read<D>) {
    type Values = (A, B, C, D);

    fn together(self) -> Read<(A, B, C, D)> {
        all((all((self.0, self.1)), all((self.2, self.3)))).map(|((a, b), (c, d))| (a, b, c, d))
    }
}

/// Reads each entry of a list. Returns the entries, or the faults of all of them.
pub fn each<T, R, L: FromIterator<R>>(
    list: impl IntoIterator<Item = T>,
    read: impl Fn(T) -> Read<R>,
) -> Read<L> {
    let mut faults: Option<FieldFaults> = None;
    let fine = list.into_iter().enumerate().filter_map(|(index, entry)| {
        let fault = match read(entry).map_err(item(index)) {
            Ok(value) => return Some(value),
            Err(fault) => fault,
        };
        faults = Some(match faults.take() {
            Some(before) => before.and(fault),
            None => fault,
        });
        None
    });
    let fine = fine.collect();
    faults.map_or(Ok(fine), Err)
}

/// Returns a fault of the value at hand, with an empty path.
pub fn fault(problem: impl Into<String>) -> FieldFaults {
    FieldFault { path: String::new(), problem: problem.into() }.into()
}

/// Checks what must hold of the field `name`.
pub fn holds(name: &'static str, is_so: bool, problem: &str) -> Read<()> {
    if is_so { Ok(()) } else { Err(within(name)(fault(problem))) }
}

/// Returns the fault of a required field that is missing.
pub fn missing() -> FieldFaults {
    fault("is required")
}

/// Returns a function that adds the field `name` in front of the faults' paths.
pub fn within(name: &'static str) -> impl Fn(FieldFaults) -> FieldFaults {
    move |inner| inner.at(|path| prefixed(name, path))
}

/// Reads a field of a message by a function, with further arguments if it takes any. Faults begin with the name of the field.
macro_rules! field {
    (&$message:ident.$field:ident, $read:expr $(, $more:expr)*) => {
        $read(&$message.$field $(, $more)*).map_err($crate::convert::field::within(stringify!($field)))
    };
    ($message:ident.$field:ident, $read:expr $(, $more:expr)*) => {
        $read($message.$field $(, $more)*).map_err($crate::convert::field::within(stringify!($field)))
    };
}
pub(crate) use field;

/// Returns a function that adds the place in a list in front of the faults' paths.
pub fn item(index: usize) -> impl Fn(FieldFaults) -> FieldFaults {
    move |inner| inner.at(|path| prefixed(&format!("[{index}]"), path))
}

fn prefixed(step: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{step}{dot}{path}")
}

pub fn required<T>(value: Option<T>) -> Read<T> {
    value.ok_or_else(missing)
}

/// Reads what a message holds one of: a kind that only newer clients know is read as none.
pub fn one_of<T>(value: Option<T>) -> Read<T> {
    value.ok_or_else(|| fault("is required, or of a kind that this server does not know"))
}

pub fn seat(value: Option<u32>) -> Read<Seat> {
    match required(value)? {
        seat if (seat as usize) < SEATS_MAX => Ok(Seat(seat as u8)),
        other => Err(fault(format!("{other} is not a seat (0 to 5)"))),
    }
}

/// Reads an optional seat.
pub fn seat_opt(value: Option<u32>) -> Read<Option<Seat>> {
    value.map(|_| seat(value)).transpose()
}

pub fn side(value: Option<u32>) -> Read<Side> {
    match required(value)? {
        side if (side as usize) < SEATS_MAX => Ok(Side(side as u8)),
        other => Err(fault(format!("{other} is not a side (0 to 5)"))),
    }
}

/// Reads an optional side.
pub fn side_opt(value: Option<u32>) -> Read<Option<Side>> {
    value.map(|_| side(value)).transpose()
}

/// Reads the required id of a meld.
pub fn meld_id(value: Option<u32>) -> Read<MeldId> {
    match required(value)? {
        id if id <= MELD_ID_LAST => Ok(MeldId(id as u8)),
        other => Err(fault(format!("{other} is not a meld's id (0 to {MELD_ID_LAST})"))),
    }
}

/// Reads text of at most `max` bytes.
pub fn text(value: String, max: usize) -> Read<String> {
    if value.len() > max {
        return Err(fault(format!("{} bytes, at most {max}", value.len())));
    }
    Ok(value)
}

/// Reads text of at most `max` bytes that is not empty.
pub fn text_required(value: String, max: usize) -> Read<String> {
    if value.is_empty() { Err(missing()) } else { text(value, max) }
}

/// Reads exactly `N` bytes.
pub fn bytes<const N: usize>(value: &[u8]) -> Read<[u8; N]> {
    value.try_into().map_err(|_| fault(format!("{} bytes, expected {N}", value.len())))
}

/// Reads exactly `N` bytes, or an empty field.
pub fn bytes_opt<const N: usize>(value: &[u8]) -> Read<Option<[u8; N]>> {
    if value.is_empty() {
        return Ok(None);
    }
    bytes(value).map(Some)
}

/// Reads the value of enum `E`; 0 counts as missing.
pub fn word<E: TryFrom<i32>>(value: i32) -> Read<E> {
    if value == 0 {
        return Err(missing());
    }
    E::try_from(value).map_err(|_| fault(format!("{value} is not a value of this enum")))
}

/// Checks that a list has at most `max` entries.
pub fn at_most<T>(list: &[T], max: usize) -> Read<()> {
    if list.len() > max {
        return Err(fault(format!("{} entries, at most {max}", list.len())));
    }
    Ok(())
}
