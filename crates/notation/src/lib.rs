//! Attempts, diagrams, the words of the calls and ruleset files as text, from own men and announcements only.
