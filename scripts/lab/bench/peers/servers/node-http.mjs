/** The limit: Node's own server, which looks nothing up and checks nothing. Of a login it verifies the password, and no more. */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { verify } from "@node-rs/argon2";
import { host, port, succeeded, textOf } from "./commerce.mjs";

const db = new DatabaseSync(process.env.DATABASE);
const { password_hash } = db.prepare("SELECT password_hash FROM users").get();
const { id, url, events } = db.prepare("SELECT id, url, events FROM webhooks").get();
db.close();
const webhookAnswer = JSON.stringify(succeeded({ webhook: { id, url, events: JSON.parse(events) } }));
const commissionAnswer = '{"status":true,"data":{"commission":{"id":1,"rate":12.5}}}';
const loginAnswer = '{"status":true,"data":{"user":{}}}';

function answer(outgoing, text) {
  outgoing.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  outgoing.end(text);
}

createServer(async (incoming, outgoing) => {
  if (incoming.url !== "/" && incoming.method === "GET") {
    answer(outgoing, webhookAnswer);
    return;
  }
  const body = JSON.parse(await textOf(incoming));
  if (incoming.method === "GET") answer(outgoing, commissionAnswer);
  else {
    await verify(password_hash, body.user.password);
    answer(outgoing, loginAnswer);
  }
}).listen(port, host);
