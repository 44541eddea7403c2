// Mail that a club sends.

import { createServer } from "node:net";
import { until } from "./club.mjs";

/** A server for mail that keeps the last text. */
export async function openMail() {
  const kept = { text: "" };
  const server = createServer((socket) => {
    let [text, data] = ["", false];
    socket.write("220 mail\r\n");
    socket.on("data", (bytes) => {
      text += bytes;
      if (data && text.endsWith("\r\n.\r\n")) {
        kept.text = text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
        [text, data] = ["", false];
        socket.write("250 taken\r\n");
      } else if (!data && text.endsWith("\r\n")) {
        data = text.startsWith("DATA");
        text = "";
        socket.write(data ? "354 go on\r\n" : "250 well\r\n");
      }
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  /** The part of a mail that fits the pattern. */
  const next = async (pattern) => {
    const found = () => kept.text.match(pattern)?.[0];
    await until(`a mail with ${pattern}`, found);
    const [part] = [found(), (kept.text = "")];
    return part;
  };
  return { port: server.address().port, next, close: () => server.close() };
}
