//! Readers of the identities file's tables, which report every fault by its path.

use serde_json::{Map, Value};

/// Maximum length of a text, in bytes, except of keys.
pub const TEXT_MAX: usize = 256;

pub struct FileTable<'a> {
    pub path: String,
    pub fields: &'a Map<String, Value>,
}

impl<'a> FileTable<'a> {
    pub fn root(fields: &'a Map<String, Value>) -> Self {
        Self { path: String::new(), fields }
    }

    pub fn at(&self, field: &str) -> String {
        if self.path.is_empty() { field.into() } else { format!("{}.{field}", self.path) }
    }

    /// Reports every field that is not known: a misspelt limit would have no effect.
    pub fn only(&self, known: &[&str], faults: &mut Vec<String>) {
        for name in self.fields.keys().filter(|name| !known.contains(&name.as_str())) {
            faults.push(format!("{}: unknown field, expected one of {}", self.at(name), known.join(", ")));
        }
    }

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

    pub fn text(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        let text = self.fields.get(field).and_then(Value::as_str);
        let text = text.filter(|text| (1..=TEXT_MAX).contains(&text.len()));
        if text.is_none() {
            faults.push(format!("{}: expected a text of 1 to {TEXT_MAX} bytes", self.at(field)));
        }
        text
    }

    pub fn text_opt(&self, field: &str, faults: &mut Vec<String>) -> Option<&'a str> {
        self.fields.contains_key(field).then(|| self.text(field, faults)).flatten()
    }

    pub fn table_opt(&self, name: &str, faults: &mut Vec<String>) -> Option<FileTable<'a>> {
        let value = self.fields.get(name)?;
        let path = self.at(name);
        let Some(fields) = value.as_object() else {
            faults.push(format!("{path}: expected a table"));
            return None;
        };
        Some(FileTable { path, fields })
    }

    /// Reads an optional whole number from 1 to `most`.
    pub fn number_opt(&self, field: &str, most: u64, faults: &mut Vec<String>) -> Option<u64> {
        let value = self.fields.get(field)?;
        let number = value.as_u64().filter(|number| (1..=most).contains(number));
        if number.is_none() {
            faults.push(format!("{}: expected a whole number from 1 to {most}", self.at(field)));
        }
        number
    }

    /// Reads an optional list of at most `most` texts; an absent list is empty.
    pub fn texts(
        &self,
        field: &str,
        most: usize,
        faults: &mut Vec<String>,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let list = match self.fields.get(field) {
            None => Some(&[][..]),
            Some(value) => value.as_array().map(Vec::as_slice).filter(|list| list.len() <= most),
        };
        let is_text = |value: &Value| value.as_str().is_some_and(|text| (1..=TEXT_MAX).contains(&text.len()));
        if !list.is_some_and(|list| list.iter().all(is_text)) {
            let path = self.at(field);
            faults.push(format!("{path}: expected a list of at most {most} texts of 1 to {TEXT_MAX} bytes"));
        }
        list.unwrap_or_default().iter().filter_map(Value::as_str)
    }
}
