/** Fastify with the document's JSON schemas, for requests and for responses. */
import { fastifyResponseValidation } from "@fastify/response-validation";
import addFormats from "ajv-formats";
import fastify from "fastify";
import {
  document,
  failed,
  findWebhook,
  host,
  keepsSlabRules,
  logIn,
  port,
  principalOf,
  submit,
  succeeded,
} from "./commerce.mjs";

const { schemas } = document.components;
const shared = { $id: "document", components: { schemas } };
const options = { coerceTypes: "array", removeAdditional: false, useDefaults: true, strict: false };
const app = fastify({ ajv: { customOptions: options }, exposeHeadRoutes: false });
app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
app.addSchema(shared);
await app.register(fastifyResponseValidation, {
  ajv: { ...options, schemas: [shared], plugins: [addFormats] },
});

const ref = (name) => ({ $ref: `document#/components/schemas/${name}` });
const answers = (name) => ({ 200: ref(name), "4xx": ref("Error") });

app.setErrorHandler((error, _request, reply) => {
  const code = error.validation ? "request_invalid" : "internal_error";
  reply.code(error.validation ? 422 : (error.statusCode ?? 500)).send(failed(code, error.message));
});
app.decorateRequest("principal", null);
app.addHook("onRequest", async (request, reply) => {
  const principal = principalOf(request.headers.authorization);
  if (principal === undefined) return reply.code(401).send(failed("api_key_invalid"));
  request.principal = principal;
});
app.get(
  "/",
  { schema: { body: ref("SubmitCommissionRequest"), response: answers("SubmitCommissionResponse") } },
  async (request, reply) => {
    const { commission } = request.body;
    if (!keepsSlabRules(commission)) return reply.code(422).send(failed("request_invalid"));
    return succeeded({ commission: submit(request.principal, commission) });
  },
);
app.post(
  "/v1/users/login",
  { schema: { body: ref("LoginUserRequest"), response: answers("LoginUserResponse") } },
  async (request, reply) => {
    const user = await logIn(request.principal, request.body.user);
    return user ? succeeded({ user }) : reply.code(401).send(failed("credentials_invalid"));
  },
);
const params = {
  type: "object",
  required: ["webhook_id"],
  properties: { webhook_id: { type: "integer", minimum: 1 } },
};
app.get(
  "/v1/webhooks/:webhook_id",
  { schema: { params, body: ref("GetWebhookRequest"), response: answers("GetWebhookResponse") } },
  async (request, reply) => {
    const webhook = findWebhook(request.principal, request.params.webhook_id);
    return webhook ? succeeded({ webhook }) : reply.code(404).send(failed("webhook_not_found"));
  },
);
await app.listen({ host, port });
