//! The proof that a store keeps the object that stands at a path: everything else relies on this.

use super::{ArchiveFault, GameArchive};

/// The object with which the proof is made. It stays, so that no right to delete is needed.
const PATH: &str = "probe/first-put-stays";

impl GameArchive {
    /// Checks once that the store refuses the second of two puts at one path. Every put makes sure of this first, so an
    /// archive that does not answer when the program starts may answer later.
    ///
    /// # Errors
    /// If the store replaces objects, or does not answer.
    pub async fn prove(&self) -> Result<(), ArchiveFault> {
        self.proven.get_or_try_init(|| self.probe()).await.copied()
    }

    async fn probe(&self) -> Result<(), ArchiveFault> {
        // The first put may find the object of an earlier proof.
        self.create(PATH, b"first\n").await?;
        let is_replaced = self.create(PATH, b"second\n").await?;
        let found = match self.get(PATH).await {
            Err(ArchiveFault::Missing(_)) => {
                return Err(refused("refuses a put where no object is"));
            }
            found => found?,
        };
        if is_replaced || found != b"first\n" {
            return Err(refused("replaces an object although the put says \"unless there is one\""));
        }
        Ok(())
    }
}

fn refused(problem: &str) -> ArchiveFault {
    let hint = "expected a store that honours If-None-Match (S3 has since August 2024)";
    ArchiveFault::Unusable(format!("the archive {problem}: {hint}"))
}
