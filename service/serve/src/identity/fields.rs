//! Readers of the identities file's tables, which report every fault by its path.

use std::cell::RefCell;

use serde_json::{Map, Value};

/// Maximum length of a text, in bytes, except of keys.
pub const TEXT_MAX: usize = 256;

/// One table of the file, and the list of the faults of the whole file.
pub struct FileTable<'a> {
    pub path: String,
    pub fields: &'a Map<String, Value>,
    pub faults: &'a RefCell<Vec<String>>,
}

impl<'a> FileTable<'a> {
    pub fn report(&self, fault: String) {
        self.faults.borrow_mut().push(fault);
    }

    /// Reports a fault of a field.
    pub fn refuse(&self, field: &str, problem: &str) {
        self.report(format!("{}: {problem}", self.at(field)));
    }

    pub fn at(&self, field: &str) -> String {
        if self.path.is_empty() { field.into() } else { format!("{}.{field}", self.path) }
    }

    /// Reports every field that is not known: a misspelt limit would have no effect.
    pub fn only(&self, known: &[&str]) {
        for name in self.fields.keys().filter(|name| !known.contains(&name.as_str())) {
            self.refuse(name, &format!("unknown field, expected one of {}", known.join(", ")));
        }
    }

    pub fn tables(&self, name: &str) -> Vec<FileTable<'a>> {
        let list = match self.fields.get(name) {
            None => &[],
            Some(Value::Array(list)) => list.as_slice(),
            Some(_) => {
                self.refuse(name, &format!("expected [[{name}]]"));
                &[]
            }
        };
        let named = list.iter().enumerate().map(|(at, entry)| (format!("{name}[{at}]"), entry));
        named.filter_map(|(name, entry)| self.table(&name, entry)).collect()
    }

    fn table(&self, name: &str, value: &'a Value) -> Option<FileTable<'a>> {
        let Some(fields) = value.as_object() else {
            self.refuse(name, "expected a table");
            return None;
        };
        Some(FileTable { path: self.at(name), fields, faults: self.faults })
    }

    pub fn text(&self, field: &str) -> Option<&'a str> {
        let text = self.fields.get(field).and_then(Value::as_str);
        let text = text.filter(|text| (1..=TEXT_MAX).contains(&text.len()));
        if text.is_none() {
            self.refuse(field, &format!("expected a text of 1 to {TEXT_MAX} bytes"));
        }
        text
    }

    pub fn text_opt(&self, field: &str) -> Option<&'a str> {
        self.fields.contains_key(field).then(|| self.text(field)).flatten()
    }

    pub fn table_opt(&self, name: &str) -> Option<FileTable<'a>> {
        self.table(name, self.fields.get(name)?)
    }

    /// Reads an optional whole number from 1 to `most`.
    pub fn number_opt(&self, field: &str, most: u64) -> Option<u64> {
        let value = self.fields.get(field)?;
        let number = value.as_u64().filter(|number| (1..=most).contains(number));
        if number.is_none() {
            self.refuse(field, &format!("expected a whole number from 1 to {most}"));
        }
        number
    }

    /// Reads an optional list of at most `most` texts; an absent list is empty.
    pub fn texts(&self, field: &str, most: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        let list = match self.fields.get(field) {
            None => Some(&[][..]),
            Some(value) => value.as_array().map(Vec::as_slice).filter(|list| list.len() <= most),
        };
        let is_text = |value: &Value| value.as_str().is_some_and(|text| (1..=TEXT_MAX).contains(&text.len()));
        if !list.is_some_and(|list| list.iter().all(is_text)) {
            self.refuse(field, &format!("expected a list of at most {most} texts of 1 to {TEXT_MAX} bytes"));
        }
        list.unwrap_or_default().iter().filter_map(Value::as_str)
    }
}
