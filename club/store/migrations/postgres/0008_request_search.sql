-- Appends whose time does not depend on the length of the log.

-- As in 0005_log_end.sql; but the ids of requests are searched row by row.
create or replace function append_rows(
    change_game text[],
    change_expected bigint[],
    change_others integer[],
    change_rows integer[],
    change_winner text[],
    change_reason text[],
    other_seat text[],
    other_request text[],
    row_at bigint[],
    row_event text[],
    row_seat text[],
    row_request text[],
    change_last_at bigint[]
) returns table (answer text, first_seq bigint)
language plpgsql as $$
#variable_conflict use_column
declare
    g text;
    expected bigint;
    ended text;
    next_seq bigint;
    before_row integer;
    before_other integer;
    rows_end integer := 0;
    others_end integer := 0;
    count_rows integer;
    added integer;
    may_follow boolean;
    is_known boolean;
begin
    for c in 1 .. coalesce(array_length(change_game, 1), 0) loop
        g := change_game[c];
        expected := change_expected[c];
        count_rows := change_rows[c];
        before_row := rows_end;
        rows_end := rows_end + count_rows;
        before_other := others_end;
        others_end := others_end + change_others[c];
        first_seq := 0;

        select games.reason, coalesce(
            (select max(events.seq) + 1 from events where events.game = games.id), 0)
        into ended, next_seq
        from games where games.id = g;
        if not found then
            answer := 'absent';
            return next;
            continue;
        end if;

        if change_last_at[c] is not null and not exists (
            select from events
            where events.game = g and events.seq = expected - 1
                and events.at = change_last_at[c])
        then
            answer := 'conflict';
            return next;
            continue;
        end if;

        if next_seq <> expected then
            may_follow := false;
            if next_seq > expected and change_others[c] > 0 then
                select bool_and(exists (
                    select from generate_series(before_other + 1, others_end) as o
                    where other_seat[o] = events.seat and other_request[o] = events.request))
                into may_follow
                from events where events.game = g and events.seq >= expected;
            end if;
            if may_follow is not true then
                answer := 'conflict';
                return next;
                continue;
            end if;
        end if;

        -- The id of a request occurs once in a log. Each row has its own search in the index: for all
        -- rows together, the server could choose to read the complete log.
        is_known := false;
        for r in before_row + 1 .. rows_end loop
            if row_request[r] is not null then
                select exists (
                    select from events
                    where events.game = g and events.seat = row_seat[r]
                        and events.request = row_request[r])
                into is_known;
                for s in before_row + 1 .. r - 1 loop
                    is_known := is_known or coalesce(
                        row_seat[s] = row_seat[r] and row_request[s] = row_request[r], false);
                end loop;
                exit when is_known;
            end if;
        end loop;
        if is_known then
            answer := 'conflict';
            return next;
            continue;
        end if;

        if change_reason[c] is not null and ended is not null then
            answer := 'taken';
            return next;
            continue;
        end if;

        if count_rows > 0 then
            -- From here on, no other transaction can append to this log.
            insert into events (game, seq, at, event, seat, request)
            values (g, next_seq, row_at[before_row + 1], row_event[before_row + 1],
                row_seat[before_row + 1], row_request[before_row + 1])
            on conflict do nothing;
            get diagnostics added = row_count;
            if added = 0 then
                answer := 'conflict';
                return next;
                continue;
            end if;
            if count_rows > 1 then
                insert into events (game, seq, at, event, seat, request)
                select g, next_seq + r - 1, row_at[before_row + r], row_event[before_row + r],
                    row_seat[before_row + r], row_request[before_row + r]
                from generate_series(2, count_rows) as r;
            end if;
        end if;

        if change_reason[c] is not null then
            update games set winner = change_winner[c], reason = change_reason[c]
            where games.id = g and games.reason is null;
            get diagnostics added = row_count;
            if added = 0 and count_rows > 0 then
                raise exception 'game % ended twice', g;
            elsif added = 0 then
                answer := 'taken';
                return next;
                continue;
            end if;
        end if;

        answer := 'appended';
        first_seq := next_seq;
        return next;
    end loop;
end
$$;
