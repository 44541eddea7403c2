"""check.py KRIEGSPIEL RUST_BOT: each sample bot plays ten games; the one with a model against a fake address."""
import http.server, json, os, re, subprocess, sys, threading


class Model(http.server.BaseHTTPRequestHandler):
    """Answers as a chat API does: names the last of the attempts."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        attempts = re.search("Attempts: (.*)", asked["messages"][-1]["content"])[1].split()
        said = {"choices": [{"message": {"content": f"I try {attempts[len(attempts) // 2]}."}}]}
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ["MODEL_URL"] = f"http://127.0.0.1:{server.server_port}/v1"
folder = os.path.dirname(os.path.abspath(__file__))
for bot in [f"python3 {folder}/bot.py", f"node {folder}/bot.mjs", f"python3 {folder}/language_model.py", sys.argv[2]]:
    words = [sys.argv[1], "arena", "--players", f"cmd:{bot},random", "--rules", "wild16", "--games", "10",
             "--max-plies", "200", "--json"]
    done = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    faults = [player["faults"] for player in done["players"] if player["faults"]]
    assert done["games"] == 10 and not faults, done
    print(f"{bot}: ten games")
