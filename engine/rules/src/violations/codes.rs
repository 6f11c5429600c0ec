//! Numbers and names of the violation codes.

use core::fmt;

use super::{ALL, CatalogueEntry, Code, entry};

impl Code {
    /// The number of codes. The codes are numbered from 1 without gaps.
    pub const COUNT: usize = ALL.len();

    /// Returns the stable number, from 1.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Returns the code with this number.
    pub fn from_number(number: u16) -> Option<Self> {
        ALL.iter().map(|entry| entry.code).find(|code| code.number() == number)
    }

    /// Returns the stable name in capitals, for example `PILE_FROZEN_NEEDS_PAIR`.
    pub const fn name(self) -> &'static str {
        entry(self).name
    }

    /// Returns the code with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        ALL.iter().find(|entry| entry.name == name).map(|entry| entry.code)
    }

    /// Returns the code's row in the catalogue.
    pub const fn entry(self) -> &'static CatalogueEntry {
        entry(self)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
