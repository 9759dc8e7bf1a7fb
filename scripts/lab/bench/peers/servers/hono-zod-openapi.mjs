/** This program validates responses and reads the body of a GET itself, because @hono/zod-openapi does neither. */
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { schemas } from "../zod-schemas.mjs";
import * as shop from "./commerce.mjs";

const json = (schema, description) => ({ content: { "application/json": { schema } }, description });
const invalid = (c, error) => c.json(shop.failed("request_invalid", error.message), 422);

const defaultHook = (result, c) => (result.success ? undefined : invalid(c, result.error));
const app = new OpenAPIHono({ defaultHook });
app.use(async (c, next) => {
  const principal = await shop.principalOf(c.req.header("authorization"));
  if (principal === undefined) return c.json(shop.failed("api_key_invalid"), 401);
  c.set("principal", principal);
  await next();
});
const bodyOf = async (c) => JSON.parse((await shop.textOf(c.env.incoming)) || "{}");

const routeOf = (method, path, response, request) =>
  createRoute({ method, path, request, responses: { 200: json(response, "success") } });

app.openapi(routeOf("get", "/", schemas.SubmitCommissionResponse), async (c) => {
  const { success, data, error } = schemas.SubmitCommissionRequest.safeParse(await bodyOf(c));
  if (!success) return invalid(c, error);
  if (!shop.keepsSlabRules(data.commission)) return c.json(shop.failed("request_invalid"), 422);
  const commission = await shop.submit(c.get("principal"), data.commission);
  return c.json(schemas.SubmitCommissionResponse.parse(shop.succeeded({ commission })), 200);
});

const body = { ...json(schemas.LoginUserRequest, "a login"), required: true };
app.openapi(routeOf("post", "/v1/users/login", schemas.LoginUserResponse, { body }), async (c) => {
  const user = await shop.logIn(c.get("principal"), c.req.valid("json").user);
  if (user === undefined) return c.json(shop.failed("credentials_invalid"), 401);
  return c.json(schemas.LoginUserResponse.parse(shop.succeeded({ user })), 200);
});

const params = z.object({ webhook_id: z.coerce.number().int().min(1) });
app.openapi(
  routeOf("get", "/v1/webhooks/{webhook_id}", schemas.GetWebhookResponse, { params }),
  async (c) => {
    const { success, error } = schemas.GetWebhookRequest.safeParse(await bodyOf(c));
    if (!success) return invalid(c, error);
    const webhook = await shop.findWebhook(c.get("principal"), c.req.valid("param").webhook_id);
    if (webhook === undefined) return c.json(shop.failed("webhook_not_found"), 404);
    return c.json(schemas.GetWebhookResponse.parse(shop.succeeded({ webhook })), 200);
  },
);
serve({ fetch: app.fetch, hostname: shop.host, port: shop.port });
