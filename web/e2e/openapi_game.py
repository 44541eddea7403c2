"""Plays a game with the client that `openapi-python-client` makes of the club's document.

`openapi.test.mjs` makes the package `client` and gives the address of the club.
"""

import json
import sys

from client import AuthenticatedClient, Client
from client.api.finished_games import transcript
from client.api.games import facts, heard, try_it, view
from client.api.lobby import accept_invitation, invite
from client.api.people import guest
from client.models import ColorWish, GuestJson, RefusedJson, TermsJson, TryJson
from client.models import TimeControlJsonFischer, TimeControlJsonFischerKind

URL = sys.argv[1]


def told(answer):
    if answer is None or isinstance(answer, RefusedJson):
        raise SystemExit(f"refused: {answer}")
    return answer


def player():
    token = told(guest.sync(client=Client(URL), body=GuestJson(token=True))).token
    return AuthenticatedClient(URL, token=token)


white, black = player(), player()
time = TimeControlJsonFischer(kind=TimeControlJsonFischerKind.FISCHER, increment=3, initial=300)
terms = TermsJson(rules="english", time=time, color=ColorWish.WHITE)
code = told(invite.sync(client=white, body=terms)).code
game = told(accept_invitation.sync(code, client=black)).game

answers = []
for seat, text in [(white, "f3"), (black, "e5"), (white, "any"), (white, "g4"), (black, "exf4"), (black, "Qh4")]:
    after = told(view.sync(game, client=seat)).n
    said = told(try_it.sync(game, client=seat, body=TryJson(id=f"say-{len(answers)}", after=after, text=text)))
    answers.append(said.answer)

over = told(facts.sync(game, client=black)).over
print(
    json.dumps(
        {
            "answers": answers,
            "over": over.to_dict(),
            "heard": heard.sync_detailed(game, client=black, after=0, wait=0).content.decode(),
            "finished": transcript.sync(game, client=black),
            "refused": try_it.sync(game, client=white, body=TryJson(id="late", after=0, text="e4")).refused,
        }
    )
)
