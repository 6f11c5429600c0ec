//! Codes of rooms: twelve letters and digits that stand for a room and for what whoever has them may do in it.
//!
//! A code is the number of its room (40 bits), a chair or the guests (5 bits) and how many codes there were for them before
//! (15 bits), encrypted as a whole into text of the same length. So no table of codes is kept, one code tells nothing
//! of another one, and a code that was replaced opens nothing. Of the 2^60 texts at most
//! seven open a given room: with 10^9 rooms, one guess in 1.6 * 10^8 opens any. At 20 wrong codes an hour, one address
//! needs 900 years for it on average, and ten thousand addresses 34 days, for one room that they did not choose.

use aes::Aes128;
use fpe::ff1::{FF1, FlexibleNumeralString};

use crate::entry::GENERATIONS;
use crate::keys::RecorderKey;

/// The digits of a code: none that is taken for another one, when read or heard.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 12;
/// The part of a code that names the guests, where chairs have their numbers.
const GUESTS: u64 = 31;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomCode {
    pub room: u64,
    /// The chair; `None` for guests.
    pub chair: Option<u8>,
    /// Number of the codes for them before.
    pub generation: u32,
}

impl RoomCode {
    /// Writes the code: `k3vd-8m0p-r7ta`.
    pub fn write(self, key: &RecorderKey) -> String {
        let whole = self.room << 20
            | self.chair.map_or(GUESTS, u64::from) << 15
            | u64::from(self.generation % GENERATIONS);
        let digits = (0..LENGTH).rev().map(|place| (whole >> (5 * place) & 31) as u16).collect::<Vec<_>>();
        let coded =
            cipher(key).encrypt(&[], &FlexibleNumeralString::from(digits)).expect("digits of the radix");
        let letters: Vec<u8> = Vec::from(coded).into_iter().map(|digit| DIGITS[usize::from(digit)]).collect();
        letters.chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join("-")
    }

    /// Reads a code as people type it; `None` if it is none. Whether its room exists is another question.
    pub fn read(text: &str, key: &RecorderKey) -> Option<Self> {
        let letters = text.bytes().filter(|byte| !matches!(byte, b'-' | b' '));
        let digits = letters.take(LENGTH + 1).map(digit).collect::<Option<Vec<u16>>>()?;
        if digits.len() != LENGTH {
            return None;
        }
        let plain = cipher(key).decrypt(&[], &FlexibleNumeralString::from(digits)).ok()?;
        let whole = Vec::from(plain).into_iter().fold(0, |whole: u64, digit| whole << 5 | u64::from(digit));
        let chair = match whole >> 15 & 31 {
            GUESTS => None,
            chair => Some(chair as u8),
        };
        Some(Self { room: whole >> 20, chair, generation: (whole & 0x7fff) as u32 })
    }
}

/// Returns the value of a letter; those that look like a digit are taken for it.
fn digit(letter: u8) -> Option<u16> {
    let letter = match letter.to_ascii_lowercase() {
        b'o' => b'0',
        b'i' | b'l' => b'1',
        letter => letter,
    };
    DIGITS.iter().position(|digit| *digit == letter).map(|digit| digit as u16)
}

fn cipher(key: &RecorderKey) -> FF1<Aes128> {
    FF1::new(&key.room_codes(), 32).expect("the radix is below 2^16")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::KEY_BYTES;

    #[test]
    fn codes_are_read_as_they_are_written_and_as_people_type_them() {
        let key = RecorderKey::new(&[1; KEY_BYTES]);
        for (room, chair, generation) in
            [(0, None, 0), ((1 << 40) - 1, Some(5), GENERATIONS - 1), (77, Some(0), 3)]
        {
            let code = RoomCode { room, chair, generation };
            let text = code.write(&key);
            assert_eq!(text.len(), 14, "{text}");
            assert_eq!(RoomCode::read(&text, &key), Some(code));
            let typed = text.to_uppercase().replace('-', " ").replace('0', "O").replace('1', "l");
            assert_eq!(RoomCode::read(&typed, &key), Some(code), "{typed}");
        }
        for wrong in ["", "k3vd-8m0p", "k3vd-8m0p-r7ta-x", "k3vd-8m0p-r7t\u{e9}", "k3vd_8m0p_r7ta"] {
            assert_eq!(RoomCode::read(wrong, &key), None, "{wrong}");
        }
    }

    /// Compares the codes of one room: they agree in no more places than texts that are drawn by chance.
    #[test]
    fn one_code_tells_nothing_of_another() {
        let key = RecorderKey::new(&[1; KEY_BYTES]);
        let guests = RoomCode { room: 5, chair: None, generation: 0 }.write(&key);
        let chairs = (0..6).map(|chair| RoomCode { room: 5, chair: Some(chair), generation: 0 }.write(&key));
        let renewed = RoomCode { room: 5, chair: None, generation: 1 }.write(&key);
        for other in chairs.chain([renewed]) {
            let same = guests.bytes().zip(other.bytes()).filter(|(a, b)| a == b && *a != b'-').count();
            assert!(same <= 4, "{guests} {other}");
        }
        let other_key = RecorderKey::new(&[2; KEY_BYTES]);
        assert_ne!(RoomCode::read(&guests, &other_key).map(|code| code.room), Some(5));
    }
}
