import { fastifyResponseValidation } from "@fastify/response-validation";
import addFormats from "ajv-formats";
import fastify from "fastify";
import * as shop from "./commerce.mjs";

const { schemas } = shop.document.components;
const shared = { $id: "document", components: { schemas } };
const options = { coerceTypes: "array", removeAdditional: false, useDefaults: true, strict: false };
const app = fastify({ ajv: { customOptions: options }, exposeHeadRoutes: false });
app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
app.addSchema(shared);
await app.register(fastifyResponseValidation, {
  ajv: { ...options, schemas: [shared], plugins: [addFormats] },
});

const ref = (name) => ({ $ref: `document#/components/schemas/${name}` });
const schemaOf = (name, params) => {
  const response = { 200: ref(`${name}Response`), "4xx": ref("Error") };
  return { schema: { body: ref(`${name}Request`), response, ...params } };
};

app.setErrorHandler((error, _request, reply) => {
  const code = error.validation ? "request_invalid" : "internal_error";
  reply.code(error.validation ? 422 : (error.statusCode ?? 500)).send(shop.failed(code, error.message));
});
app.decorateRequest("principal", null);
app.addHook("onRequest", async (request, reply) => {
  const principal = await shop.principalOf(request.headers.authorization);
  if (principal === undefined) return reply.code(401).send(shop.failed("api_key_invalid"));
  request.principal = principal;
});
app.get("/", schemaOf("SubmitCommission"), async (request, reply) => {
  const { commission } = request.body;
  if (!shop.keepsSlabRules(commission)) return reply.code(422).send(shop.failed("request_invalid"));
  return shop.succeeded({ commission: await shop.submit(request.principal, commission) });
});
app.post("/v1/users/login", schemaOf("LoginUser"), async (request, reply) => {
  const user = await shop.logIn(request.principal, request.body.user);
  return user ? shop.succeeded({ user }) : reply.code(401).send(shop.failed("credentials_invalid"));
});
const properties = { webhook_id: { type: "integer", minimum: 1 } };
const params = { type: "object", required: ["webhook_id"], properties };
app.get("/v1/webhooks/:webhook_id", schemaOf("GetWebhook", { params }), async (request, reply) => {
  const webhook = await shop.findWebhook(request.principal, request.params.webhook_id);
  return webhook ? shop.succeeded({ webhook }) : reply.code(404).send(shop.failed("webhook_not_found"));
});
await app.listen({ host: shop.host, port: shop.port });
