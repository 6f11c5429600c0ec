//! The faulty fields of a request, and as many of them as a status has room for.

/// A field of a request that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFault {
    /// Path of the field (`action.meld.groups[0].cards[2]`).
    pub path: String,
    /// The expected and the found value.
    pub problem: String,
}

/// The fields of a request that cannot be read: at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFaults(Vec<FieldFault>);

impl FieldFaults {
    /// Adds other faults after these.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Returns the faults in order.
    pub fn as_slice(&self) -> &[FieldFault] {
        &self.0
    }

    /// Changes the path of each fault.
    #[must_use]
    pub fn at(mut self, path: impl Fn(&str) -> String) -> Self {
        for fault in &mut self.0 {
            fault.path = path(&fault.path);
        }
        self
    }

    /// Returns the faults that trailers have room for, cut to a readable length, and the number of all others.
    pub(super) fn named(&self) -> (Vec<FieldFault>, usize) {
        let cut = |text: &str, most: usize| match text.len() > most {
            true => format!("{}...", &text[..text.floor_char_boundary(most)]),
            false => text.to_owned(),
        };
        let mut room = NAMED_BYTES_MAX;
        let short = |FieldFault { path, problem }: &FieldFault| FieldFault {
            path: cut(path, PATH_BYTES_MAX),
            problem: cut(problem, PROBLEM_BYTES_MAX),
        };
        let fits = |fault: &FieldFault| {
            let left = room.checked_sub(fault.path.len() + fault.problem.len() + FAULT_BYTES);
            room = left.unwrap_or_default();
            left.is_some()
        };
        let named: Vec<_> = self.0.iter().map(short).take_while(fits).collect();
        let others = self.0.len() - named.len();
        (named, others)
    }
}

impl From<FieldFault> for FieldFaults {
    fn from(fault: FieldFault) -> Self {
        Self(vec![fault])
    }
}

/// Maximum length of the faults that a status names, in bytes. A status has each fault twice, in its message and
/// in its details, and trailers are small.
const NAMED_BYTES_MAX: usize = 880;
/// Length that a fault takes besides its path and its problem, in bytes.
const FAULT_BYTES: usize = 8;
/// Maximum lengths of a path and of a problem in a status, in bytes: both may quote the request.
const PATH_BYTES_MAX: usize = 200;
const PROBLEM_BYTES_MAX: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::RequestFault;
    use tonic::Status;
    use tonic_types::StatusExt;

    /// Checks that trailers stay small however many fields are bad and however long what they quote is, and that
    /// the message says how many faults it leaves out.
    #[test]
    fn as_many_faults_are_named_as_trailers_have_room_for() {
        let fault =
            |path: &str, problem: String| FieldFaults::from(FieldFault { path: path.into(), problem });
        let many = |count: usize, one: &FieldFaults| {
            (1..count).fold(one.clone(), |faults, _| faults.and(one.clone()))
        };
        for one in [fault("a", "b".into()), fault(&"p\u{00e9}".repeat(500), "\u{1f0cf}".repeat(500))] {
            let status = Status::from(RequestFault::Fields(many(300, &one)));
            let named = status.get_details_bad_request().expect("a BadRequest").field_violations.len();
            assert!(named > 0 && status.details().len() <= 2048, "{named}, {}", status.details().len());
            assert!(
                status.message().ends_with(&format!("; and {} more", 300 - named)),
                "{}",
                status.message()
            );
        }
        let status =
            Status::from(RequestFault::Fields(many(8, &fault("players[0].name", "is required".into()))));
        assert_eq!(status.get_details_bad_request().expect("a BadRequest").field_violations.len(), 8);
        assert!(!status.message().contains("more"), "{}", status.message());
    }
}
