/** Bare node:http, the reference for the other servers: no look-ups and no checks. A login only verifies the password. */
import { createServer } from "node:http";
import { verify } from "@node-rs/argon2";
import { host, port, succeeded, textOf } from "./commerce.mjs";

const { first } = await import(process.env.STORE);
const { password_hash } = await first("SELECT password_hash FROM users")({});
const webhook = await first("SELECT id, url, events FROM webhooks")({});
const webhookText = JSON.stringify(succeeded({ webhook }));
const commissionText = '{"status":true,"data":{"commission":{"id":1,"rate":12.5}}}';
const loginText = '{"status":true,"data":{"user":{}}}';

function send(outgoing, text) {
  outgoing.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  outgoing.end(text);
}

createServer(async (incoming, outgoing) => {
  if (incoming.url !== "/" && incoming.method === "GET") {
    send(outgoing, webhookText);
    return;
  }
  const body = JSON.parse(await textOf(incoming));
  if (incoming.method === "GET") send(outgoing, commissionText);
  else {
    await verify(password_hash, body.user.password);
    send(outgoing, loginText);
  }
}).listen(port, host);
