//! The slow oracle, the transcript runner, generators of games and of pairs that sound alike.
