"""The smallest bot: makes a random one of the attempts worth making.

kriegspiel arena --players "cmd:python3 examples/bots/bot.py,level-1" --rules wild16 --games 10
kriegspiel bot "cmd:python3 examples/bots/bot.py" --url http://127.0.0.1:8080
"""
import json, random, sys

for line in sys.stdin:
    if "tries" in (said := json.loads(line)):
        print(random.choice(said["tries"] or ["resign"]), flush=True)
