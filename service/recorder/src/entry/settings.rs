//! The settings of a game, which entries of kinds 0 and 5 hold.
//!
//! Each setting is a field: its number (1 byte), its length (2 bytes), its value. Fields are ascending by number; a
//! setting with its default value has no field. So a new setting adds a number, and the bytes of old entries stay.

use super::EntryError;
use super::read::EntryBytes;

/// Maximum length of a label, in bytes.
pub const LABEL_BYTES_MAX: usize = 64;

/// Number of the field with the label.
const LABEL: u8 = 1;

/// The settings of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The creator's name for the table or event; empty: none.
    pub label: String,
}

impl Settings {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if !self.label.is_empty() {
            let length = u16::try_from(self.label.len()).expect("a label is short");
            bytes.push(LABEL);
            bytes.extend(length.to_be_bytes());
            bytes.extend(self.label.as_bytes());
        }
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, EntryError> {
        let (mut settings, mut bytes, mut before) = (Self::default(), EntryBytes(bytes), 0);
        while bytes.end().is_err() {
            let [number] = bytes.array()?;
            let value = bytes.short()?;
            if number <= before || value.is_empty() {
                return Err(EntryError::Field("settings"));
            }
            before = number;
            match number {
                LABEL => settings.label = label(value)?,
                _ => return Err(EntryError::Field("settings")),
            }
        }
        Ok(settings)
    }
}

fn label(bytes: &[u8]) -> Result<String, EntryError> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| is_label(text));
    text.map(str::to_owned).ok_or(EntryError::Field("label"))
}

/// Whether a text can be a label.
pub fn is_label(text: &str) -> bool {
    text.len() <= LABEL_BYTES_MAX && !text.chars().any(char::is_control)
}
