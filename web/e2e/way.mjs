// A proxy to a club that delays data.

import { connect, createServer } from "node:net";

/**
 * Opens a proxy to the club at `url`. Data in both directions are delayed and keep their
 * order. `holds` returns the delay in milliseconds for a chunk of bytes; `answers` says whether the club sends them,
 * `line` is their connection.
 */
export async function slowWay(url, holds) {
  const server = createServer((line) => {
    const club = connect(new URL(url).port, "127.0.0.1");
    for (const [one, other] of [
      [line, club],
      [club, line],
    ]) {
      let last = Promise.resolve();
      const later = (milliseconds, happens) => {
        const due = Date.now() + milliseconds;
        last = last.then(() => new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())))).then(happens);
      };
      one.on("data", (bytes) => later(holds(bytes, one === club, line), () => other.write(bytes)));
      one.on("close", () => later(0, () => other.destroy()));
      one.on("error", () => other.destroy());
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
