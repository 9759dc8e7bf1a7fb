import { serve } from "@hono/node-server";
import { Hono } from "hono";
import * as shop from "./commerce.mjs";

const app = new Hono();
app.use(async (c, next) => {
  const principal = await shop.principalOf(c.req.header("authorization"));
  if (principal === undefined) return c.json(shop.failed("api_key_invalid"), 401);
  c.set("principal", principal);
  await next();
});
app.get("/", async (c) => {
  const { commission } = JSON.parse(await shop.textOf(c.env.incoming));
  return c.json(shop.succeeded({ commission: await shop.submit(c.get("principal"), commission) }));
});
app.post("/v1/users/login", async (c) => {
  const { user } = await c.req.json();
  const found = await shop.logIn(c.get("principal"), user);
  return found ? c.json(shop.succeeded({ user: found })) : c.json(shop.failed("credentials_invalid"), 401);
});
app.get("/v1/webhooks/:webhook_id", async (c) => {
  const webhook = await shop.findWebhook(c.get("principal"), Number(c.req.param("webhook_id")));
  return webhook ? c.json(shop.succeeded({ webhook })) : c.json(shop.failed("webhook_not_found"), 404);
});
serve({ fetch: app.fetch, hostname: shop.host, port: shop.port });
