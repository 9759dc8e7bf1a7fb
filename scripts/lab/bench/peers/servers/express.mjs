/** Express with express-openapi-validator, which checks requests and responses by the document. */
import express from "express";
import { middleware } from "express-openapi-validator";
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

const app = express();
app.use(express.json());
app.use(
  middleware({
    apiSpec: document,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: {
      handlers: {
        apiKey: (request) => {
          request.principal = principalOf(request.headers.authorization);
          return request.principal !== undefined;
        },
      },
    },
  }),
);
app.use((_request, response, next) => {
  response.set({ "X-Request-Id": "peer", "Cache-Control": "no-store" });
  next();
});
app.get("/", (request, response) => {
  const { commission } = request.body;
  if (keepsSlabRules(commission))
    response.json(succeeded({ commission: submit(request.principal, commission) }));
  else response.status(422).json(failed("request_invalid"));
});
app.post("/v1/users/login", async (request, response) => {
  const user = await logIn(request.principal, request.body.user);
  if (user) response.json(succeeded({ user }));
  else response.status(401).json(failed("credentials_invalid"));
});
app.get("/v1/webhooks/:webhook_id", (request, response) => {
  const webhook = findWebhook(request.principal, Number(request.params.webhook_id));
  if (webhook) response.json(succeeded({ webhook }));
  else response.status(404).json(failed("webhook_not_found"));
});
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json(failed("request_invalid", error.message));
});
app.listen(port, host);
