-- The club that plays the built-in bots of a game: the number of a heartbeat in `alive`.
alter table games add column bot_club text;
