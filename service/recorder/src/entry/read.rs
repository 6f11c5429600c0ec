//! Reader of fields: every length is checked against the bytes that are left.

use super::EntryError;

pub struct EntryBytes<'a>(pub &'a [u8]);

impl<'a> EntryBytes<'a> {
    /// Reads a field of `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], EntryError> {
        let (field, rest) = self.0.split_first_chunk().ok_or(EntryError::Length)?;
        self.0 = rest;
        Ok(*field)
    }

    /// Reads a number of 8 bytes.
    pub fn number(&mut self) -> Result<u64, EntryError> {
        self.array().map(u64::from_be_bytes)
    }

    /// Reads a length of 4 bytes, and so many bytes.
    pub fn long(&mut self) -> Result<&'a [u8], EntryError> {
        let length = u32::from_be_bytes(self.array()?);
        self.slice(usize::try_from(length).map_err(|_| EntryError::Length)?)
    }

    /// Reads a length of 2 bytes, and so many bytes.
    pub fn short(&mut self) -> Result<&'a [u8], EntryError> {
        let length = u16::from_be_bytes(self.array()?);
        self.slice(length.into())
    }

    /// Checks that nothing is left.
    pub fn end(&self) -> Result<(), EntryError> {
        if self.0.is_empty() { Ok(()) } else { Err(EntryError::Length) }
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8], EntryError> {
        let (field, rest) = self.0.split_at_checked(length).ok_or(EntryError::Length)?;
        self.0 = rest;
        Ok(field)
    }
}
