/** Answers every request the same, and tells whoever forked it on which port; ends when that one lets go of it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const answer = JSON.stringify({ status: true, data: { commission: { id: 1, rate: 10 } } });
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  incoming.on("end", () => {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
    outgoing.end(answer);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
