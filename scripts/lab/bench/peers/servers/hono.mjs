/** Hono alone: keys and statements, and no validation at all. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import {
  failed,
  findWebhook,
  host,
  logIn,
  port,
  principalOf,
  submit,
  succeeded,
  textOf,
} from "./commerce.mjs";

const app = new Hono();
app.use(async (c, next) => {
  const principal = principalOf(c.req.header("authorization"));
  if (principal === undefined) return c.json(failed("api_key_invalid"), 401);
  c.set("principal", principal);
  await next();
});
app.get("/", async (c) => {
  const { commission } = JSON.parse(await textOf(c.env.incoming));
  return c.json(succeeded({ commission: submit(c.get("principal"), commission) }));
});
app.post("/v1/users/login", async (c) => {
  const { user } = await c.req.json();
  const found = await logIn(c.get("principal"), user);
  return found ? c.json(succeeded({ user: found })) : c.json(failed("credentials_invalid"), 401);
});
app.get("/v1/webhooks/:webhook_id", (c) => {
  const webhook = findWebhook(c.get("principal"), Number(c.req.param("webhook_id")));
  return webhook ? c.json(succeeded({ webhook })) : c.json(failed("webhook_not_found"), 404);
});
serve({ fetch: app.fetch, hostname: host, port });
