// Counts what a page transfers, as Chromium receives it: compressed, with the headers of the answers.

/** Counts the bytes of a page from now on. `total`, `of` and `table` return what was counted so far. */
export async function weigh(context, page) {
  const cdp = await context.newCDPSession(page);
  const requests = new Map();
  const open = new Set();
  const counted = [];
  const count = (what, bytes) => counted.push({ what, bytes });
  cdp.on("Network.requestWillBeSent", ({ requestId }) => open.add(requestId));
  cdp.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  cdp.on("Network.responseReceived", ({ requestId, response }) => requests.set(requestId, response.url));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    open.delete(requestId);
    count(requests.get(requestId) ?? "?", encodedDataLength);
  });
  let view = null;
  cdp.on("Network.webSocketFrameReceived", ({ response }) => {
    const message = JSON.parse(response.payloadData);
    if (message.type === "view") view = message.view;
  });
  // A frame of a socket has a head of 2 to 4 bytes. A frame of the browser also has a mask of 4
  // bytes.
  const head = (text) => (Buffer.byteLength(text) < 126 ? 2 : 4);
  cdp.on("Network.webSocketFrameReceived", ({ response }) => count("socket", Buffer.byteLength(response.payloadData) + head(response.payloadData)));
  cdp.on("Network.webSocketFrameSent", ({ response }) => count("socket", Buffer.byteLength(response.payloadData) + head(response.payloadData) + 4));
  cdp.on("Network.webSocketHandshakeResponseReceived", ({ response }) => count("socket", (response.headersText ?? "").length));
  await cdp.send("Network.enable");
  return {
    cdp,
    counted,
    /** The latest view of the user's seat that the page received. */
    view: () => view,
    isIdle: () => open.size === 0,
    of: (kind) => counted.filter(({ what }) => what === kind).reduce((sum, { bytes }) => sum + bytes, 0),
    total: () => counted.reduce((sum, { bytes }) => sum + bytes, 0),
    /** The addresses with their numbers of bytes, the largest number first. */
    table: () => {
      const by = new Map();
      for (const { what, bytes } of counted) by.set(what, (by.get(what) ?? 0) + bytes);
      return [...by].sort((one, two) => two[1] - one[1]);
    },
  };
}
