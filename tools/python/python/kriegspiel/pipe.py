"""Lets an agent play over a pipe: a seat of the arena, or of a club.

    python -m kriegspiel.pipe AGENT

    kriegspiel arena --players "cmd:python -m kriegspiel.pipe mymodule:Agent,level-1" --rules wild16
    kriegspiel bot "cmd:python -m kriegspiel.pipe mymodule:Agent" --url http://127.0.0.1:8080

AGENT is as in `kriegspiel.bench`. Reads lines of JSON from standard input (`kriegspiel arena --help`), and
writes an attempt for each line with tries. Plays several games at once.
"""

import json
import sys

from . import KriegspielError, Ruleset, View, action_name
from .bench import agent_factory

PROTOCOL = 2


def serve(make, lines, out):
    """Plays the games of `lines`. `make(seed)` makes the agent of a game.

    Raises `KriegspielError` for a line that is not one of the arena or of a club.
    """
    games = {}
    for line in lines:
        try:
            said = json.loads(line)
            if new := said.get("new_game"):
                if new["protocol"] != PROTOCOL:
                    raise KriegspielError(f"protocol {new['protocol']}; this package speaks {PROTOCOL}")
                games[new["game"]] = View(_ruleset(new), new["color"] == "white"), make(new["seed"])
            elif "end_game" in said:
                del games[said["end_game"]]
            else:
                view, agent = games[said["game"]]
                view.hear(said.get("heard", []))
        except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise KriegspielError(f"not a line of the arena or of a game begun: {line.strip()!r}") from error
        if "tries" in said:
            attempt = agent.attempt(view)
            print(attempt if isinstance(attempt, str) else action_name(attempt), file=out, flush=True)


def _ruleset(new):
    if new["rules"] in Ruleset.names() and Ruleset(new["rules"]).choices == new["choices"]:
        return Ruleset(new["rules"])
    return Ruleset().replace("changed-" + new["rules"], **new["choices"])


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
