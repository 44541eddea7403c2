//! Games as text that may use the truth: transcripts.
