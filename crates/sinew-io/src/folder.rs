//! Placeholder until merged.
/// Placeholder.
#[derive(Debug, thiserror::Error)]
#[error("placeholder")]
pub struct ResourceError;
impl ResourceError {
    /// Placeholder.
    pub fn is_missing(&self) -> bool {
        false
    }
}
