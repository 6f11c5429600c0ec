//! Throughput beside a bare file.

use std::path::Path;

pub async fn run(_program: &Path) {}
