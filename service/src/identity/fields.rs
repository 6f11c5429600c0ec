//! Readers of the identities file's tables, which report every fault by its path.

use serde_json::{Map, Value};

/// Maximum length of a text, in bytes, except of keys.
pub const TEXT_MAX: usize = 256;

/// A table of the file, with its path.
pub struct FileTable<'a> {
    pub path: String,
    pub fields: &'a Map<String, Value>,
}

impl<'a> FileTable<'a> {
    /// Returns the root of the file.
    pub fn root(fields: &'a Map<String, Value>) -> Self {
        Self { path: String::new(), fields }
    }

    /// Returns the path of a field.
    pub fn at(&self, field: &str) -> String {
        if self.path.is_empty() { field.into() } else { format!("{}.{field}", self.path) }
    }

    /// Reports every field that is not known: a misspelt limit would have no effect.
    pub fn only(&self, known: &[&str], faults: &mut Vec<String>) {
        for name in self.fields.keys().filter(|name| !known.contains(&name.as_str())) {
            faults.push(format!("{}: unknown field, expected one of {}", self.at(name), known.join(", ")));
        }
    }

    /// Returns the tables `[[name]]` in this table.
    pub fn tables(&self, name: &str, faults: &mut Vec<String>) -> Vec<FileTable<'a>> {
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
                Some(fields) => tables.push(FileTable { path, fields }),
                None => faults.push(format!("{path}: expected a table")),
            }
        }
        tables
    }

    /// Reads a required text.
    pub fn text(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        let text = self.fields.get(field).and_then(Value::as_str);
        let text = text.filter(|text| (1..=TEXT_MAX).contains(&text.len()));
        if text.is_none() {
            faults.push(format!("{}: expected a text of 1 to {TEXT_MAX} bytes", self.at(field)));
        }
        text
    }

    /// Reads an optional text.
    pub fn text_opt(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        self.fields.contains_key(field).then(|| self.text(field, faults)).flatten()
    }
}
