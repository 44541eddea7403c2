-- Indexes for lists of a large club. SQLite does not know how many rows have a value, so each
-- statement on games leaves it one good index to choose.

create index games_finished_of_result on games (winner, at, rules) where reason is not null;

-- `winner` and `reason` are null in the same rows. With `winner`, the index has all that is counted.
drop index games_results_of_white;
drop index games_results_of_black;
create index games_results_of_white on games (white, black, rules, winner) where winner is not null;
create index games_results_of_black on games (black, white, rules, winner) where winner is not null;

drop index games_uncounted;
create index games_uncounted on games (counted, at) where rated and reason is not null and not counted;

drop index games_to_end;
create index games_to_end on games (end_ordered) where end_ordered and reason is null;
