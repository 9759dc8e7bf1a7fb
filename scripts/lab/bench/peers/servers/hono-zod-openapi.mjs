/**
 * Hono with zod schemas by @hono/zod-openapi. It checks no responses, and finds no content in a GET: its schemas are asked
 * by hand there.
 */
import { serve } from "@hono/node-server";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import * as schemas from "../schemas/zod.mjs";
import {
  failed,
  findWebhook,
  host,
  keepsSlabRules,
  logIn,
  port,
  principalOf,
  submit,
  succeeded,
  textOf,
} from "./commerce.mjs";

const json = (schema, description) => ({ content: { "application/json": { schema } }, description });
const errors = Object.fromEntries([401, 404, 422].map((status) => [status, json(schemas.error, "refused")]));
const invalid = (c, error) => c.json(failed("request_invalid", error.message), 422);

const app = new OpenAPIHono({
  defaultHook: (result, c) => (result.success ? undefined : invalid(c, result.error)),
});
app.use(async (c, next) => {
  const principal = principalOf(c.req.header("authorization"));
  if (principal === undefined) return c.json(failed("api_key_invalid"), 401);
  c.set("principal", principal);
  await next();
});
const contentOf = async (c) => JSON.parse((await textOf(c.env.incoming)) || "{}");

const submitCommission = createRoute({
  method: "get",
  path: "/",
  responses: { 200: json(schemas.submitCommissionResponse, "done"), ...errors },
});
app.openapi(submitCommission, async (c) => {
  const { success, data, error } = schemas.submitCommissionRequest.safeParse(await contentOf(c));
  if (!success) return invalid(c, error);
  if (!keepsSlabRules(data.commission)) return c.json(failed("request_invalid"), 422);
  const commission = submit(c.get("principal"), data.commission);
  return c.json(schemas.submitCommissionResponse.parse(succeeded({ commission })), 200);
});

const loginUser = createRoute({
  method: "post",
  path: "/v1/users/login",
  request: { body: { ...json(schemas.loginUserRequest, "a login"), required: true } },
  responses: { 200: json(schemas.loginUserResponse, "done"), ...errors },
});
app.openapi(loginUser, async (c) => {
  const user = await logIn(c.get("principal"), c.req.valid("json").user);
  if (user === undefined) return c.json(failed("credentials_invalid"), 401);
  return c.json(schemas.loginUserResponse.parse(succeeded({ user })), 200);
});

const getWebhook = createRoute({
  method: "get",
  path: "/v1/webhooks/{webhook_id}",
  request: { params: z.object({ webhook_id: z.coerce.number().int().min(1) }) },
  responses: { 200: json(schemas.getWebhookResponse, "done"), ...errors },
});
app.openapi(getWebhook, async (c) => {
  const { success, error } = schemas.getWebhookRequest.safeParse(await contentOf(c));
  if (!success) return invalid(c, error);
  const webhook = findWebhook(c.get("principal"), c.req.valid("param").webhook_id);
  if (webhook === undefined) return c.json(failed("webhook_not_found"), 404);
  return c.json(schemas.getWebhookResponse.parse(succeeded({ webhook })), 200);
});
serve({ fetch: app.fetch, hostname: host, port });
