//! What each chair knows: folds of what one seat heard.
