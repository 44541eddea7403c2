//! Kriegspiel Umpire: the referee of every historic ruleset, as a library and a command.
