/** Node's own server behind openapi-backend, which routes and checks by the document. */
import { createServer } from "node:http";
import addFormats from "ajv-formats";
import { OpenAPIBackend } from "openapi-backend";
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
  textOf,
} from "./commerce.mjs";

const refused = (status, code) => ({ status, body: failed(code) });
const backend = new OpenAPIBackend({
  definition: document,
  quick: true,
  customizeAjv: (ajv) => {
    addFormats.default(ajv);
    return ajv;
  },
  ajvOpts: { useDefaults: true, strict: false },
  securityHandlers: { apiKey: (c) => principalOf(c.request.headers.authorization) },
  handlers: {
    submitCommission: (c) => {
      const { commission } = c.request.requestBody;
      if (!keepsSlabRules(commission)) return refused(422, "request_invalid");
      return { status: 200, body: succeeded({ commission: submit(c.security.apiKey, commission) }) };
    },
    loginUser: async (c) => {
      const user = await logIn(c.security.apiKey, c.request.requestBody.user);
      return user ? { status: 200, body: succeeded({ user }) } : refused(401, "credentials_invalid");
    },
    getWebhook: (c) => {
      const webhook = findWebhook(c.security.apiKey, Number(c.request.params.webhook_id));
      return webhook ? { status: 200, body: succeeded({ webhook }) } : refused(404, "webhook_not_found");
    },
    unauthorizedHandler: () => refused(401, "api_key_invalid"),
    validationFail: () => refused(422, "request_invalid"),
    notFound: () => refused(404, "route_not_found"),
    postResponseHandler: (c) => {
      const { response, operation } = c;
      if (response.status !== 200) return response;
      const { valid } = c.api.validateResponse(response.body, operation, 200);
      return valid ? response : refused(500, "internal_error");
    },
  },
});
await backend.init();

createServer(async (incoming, outgoing) => {
  const text = await textOf(incoming);
  const { method, url, headers } = incoming;
  const body = text === "" ? undefined : JSON.parse(text);
  const answer = await backend.handleRequest({ method, path: url, headers, body });
  const content = JSON.stringify(answer.body);
  outgoing.writeHead(answer.status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(content),
  });
  outgoing.end(content);
}).listen(port, host);
