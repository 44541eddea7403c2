"""Lets an agent play over a pipe: a seat of the arena, or of a club.

    python -m kriegspiel.pipe AGENT

    kriegspiel arena --players "cmd:python -m kriegspiel.pipe mymodule:Agent,level-1" --rules wild16
    kriegspiel bot "cmd:python -m kriegspiel.pipe mymodule:Agent" --url http://127.0.0.1:8080

AGENT is as in `kriegspiel.bench`. Reads what the seat hears from standard input, one line of JSON after
the other, and writes an attempt for each line with tries (docs/json.md).
"""

import json
import sys

from . import KriegspielError, View, action_name
from .bench import agent_factory


def serve(make, lines, out):
    """Plays the games of `lines`. `make(seed)` makes the agent of each game; the seed is its number.

    Raises `KriegspielError` for a line that is not one of the arena or of a club.
    """
    number, view, agent = 0, None, None
    for line in lines:
        try:
            said = json.loads(line)
            heard, asked = said.get("heard", []), "tries" in said
            if heard and heard[0]["kind"] == "start":
                view = View(heard[0]["rules"], heard[0]["men"].upper() == heard[0]["men"])
                agent, number = make(number), number + 1
        except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise KriegspielError(f"not a line of JSON as in docs/json.md: {line.strip()!r}") from error
        if view is None:
            raise KriegspielError("the first line has no start")
        view.hear(heard)
        if asked:
            attempt = agent.attempt(view)
            print(attempt if isinstance(attempt, str) else action_name(attempt), file=out, flush=True)


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if len(arguments) != 1:
            raise KriegspielError("say AGENT: a player of the package, or MODULE:CALLABLE")
        serve(agent_factory(arguments[0]), sys.stdin, sys.stdout)
    except KriegspielError as error:
        print(f"python -m kriegspiel.pipe: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
