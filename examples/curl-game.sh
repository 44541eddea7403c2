#!/bin/sh
# A whole game of Kriegspiel, played only with curl.
set -eu
club=${1:-http://127.0.0.1:8080}

ask() { # ask TOKEN METHOD PATH [JSON]
    curl -sS --fail-with-body -X "$2" -H "authorization: Bearer $1" \
        ${4:+-H "content-type: application/json" -d "$4"} "$club$3"
}
field() { # field NAME: the value of the first field with this name in a line of JSON
    sed "s/.*[{,]\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/"
}

# Two guests. With "token" the answer holds a token; a browser gets a cookie instead.
white=$(curl -sS --json '{"token":true}' "$club/api/guests" | field token)
black=$(curl -sS --json '{"token":true}' "$club/api/guests" | field token)

# White makes an invitation; Black, who has its code, accepts it.
terms='{"rules":"english","time":{"kind":"fischer","initial":300,"increment":3},"color":"white"}'
code=$(ask "$white" POST /api/invitations "$terms" | field code)
game=$(ask "$black" POST "/api/invitations/$code/accept" | field game)

say() { # say TOKEN ID TEXT: sends an attempt, after everything that was heard so far
    n=$(ask "$1" GET "/api/games/$game/view" | sed 's/{"n":\([0-9]*\),.*/\1/')
    ask "$1" POST "/api/games/$game/tries" "{\"id\":\"$2\",\"after\":$n,\"text\":\"$3\"}"
    echo
}

say "$white" w1 f3
say "$black" b1 e5
say "$white" w2 any     # has White a pawn capture?
say "$white" w3 g4
say "$black" b2 a6a3    # Black's own men cannot do that
say "$black" b3 exf4    # a try: is anything there?
say "$black" b4 Qh4     # mate

# Everything that Black heard. Without wait=0 the response stays open.
ask "$black" GET "/api/games/$game/heard?after=0&wait=0"

# The game is over: now everybody may see everything.
curl -sS "$club/api/games/$game/finished.txt"
