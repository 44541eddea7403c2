"""A bot that asks a language model at any address with the OpenAI chat API.

MODEL_URL=http://127.0.0.1:11434/v1 MODEL=llama3 MODEL_KEY=... \\
kriegspiel bot "cmd:python3 examples/bots/language_model.py" --url http://127.0.0.1:8080
"""
import json, os, random, re, sys, urllib.request

URL = os.environ.get("MODEL_URL", "http://127.0.0.1:11434/v1") + "/chat/completions"
SYSTEM = (
    "You play Kriegspiel: chess in which you see only your own men. You get what the referee told you, "
    "and the attempts worth making. Answer with one of these attempts and nothing else."
)
history = {}  # what was heard in each running game


def ask(game, tries):
    lines = history[game][-60:] + ["Attempts: " + " ".join(tries), "Your attempt?"]
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "\n".join(lines)}]
    body = {"model": os.environ.get("MODEL", "default"), "messages": messages}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("MODEL_KEY"):
        headers["Authorization"] = "Bearer " + key
    request = urllib.request.Request(URL, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = json.load(answer)["choices"][0]["message"]["content"]
    named = [word for word in re.findall(r"[\w@]+", text) if word in tries]
    if not named:
        print("the model named none of the attempts:", text[:200], file=sys.stderr)
    return named[-1] if named else None


for line in sys.stdin:
    said = json.loads(line)
    if new := said.get("new_game"):
        history[new["game"]] = [f"You are {new['color']}, under the rules {new['rules']}."]
    for heard in said.get("heard", []):
        history[said["game"]].append(json.dumps(heard))
    if "refused" in said:
        history[said["game"]].append("Refused: " + said["refused"])
    if "tries" in said:
        tries = said["tries"] or ["resign"]
        try:
            choice = ask(said["game"], tries)
        except (OSError, ValueError, LookupError) as fault:
            print("the model did not answer:", fault, file=sys.stderr)
            choice = None
        print(choice or random.choice(tries), flush=True)
    if "end_game" in said:
        history.pop(said["end_game"], None)
