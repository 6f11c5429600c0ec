//! The tables of the identities file, read with every fault by its path.

use serde_json::{Map, Value};

/// Longest text, but for keys.
pub const TEXT_MAX: usize = 256;

/// One table, where it stands, and what is wrong with the file so far.
pub struct Table<'a> {
    pub path: String,
    pub fields: &'a Map<String, Value>,
}

impl<'a> Table<'a> {
    /// The whole file.
    pub fn root(fields: &'a Map<String, Value>) -> Self {
        Self { path: String::new(), fields }
    }

    /// The path of a field.
    pub fn at(&self, field: &str) -> String {
        if self.path.is_empty() { field.into() } else { format!("{}.{field}", self.path) }
    }

    /// Fields that do not exist are mistakes: a limit that is misspelt would not be one.
    pub fn only(&self, known: &[&str], faults: &mut Vec<String>) {
        for name in self.fields.keys().filter(|name| !known.contains(&name.as_str())) {
            faults.push(format!("{}: there is no such field, only {}", self.at(name), known.join(", ")));
        }
    }

    /// The tables `[[name]]` in it; none if there are none.
    pub fn tables(&self, name: &str, faults: &mut Vec<String>) -> Vec<Table<'a>> {
        let list = match self.fields.get(name) {
            None => &[],
            Some(Value::Array(list)) => list.as_slice(),
            Some(_) => {
                faults.push(format!("{}: expected [[{name}]]", self.at(name)));
                &[]
            }
        };
        let mut tables = Vec::new();
        for (at, entry) in list.iter().enumerate() {
            let path = self.at(&format!("{name}[{at}]"));
            match entry.as_object() {
                Some(fields) => tables.push(Table { path, fields }),
                None => faults.push(format!("{path}: expected a table")),
            }
        }
        tables
    }

    /// A text that must be there.
    pub fn text(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        let text = self.fields.get(field).and_then(Value::as_str);
        let text = text.filter(|text| (1..=TEXT_MAX).contains(&text.len()));
        if text.is_none() {
            faults.push(format!("{}: expected a text of 1 to {TEXT_MAX} bytes", self.at(field)));
        }
        text
    }

    /// A text that may be absent.
    pub fn text_opt(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        self.fields.contains_key(field).then(|| self.text(field, faults)).flatten()
    }
}
