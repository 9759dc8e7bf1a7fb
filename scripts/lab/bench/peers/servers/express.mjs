import express from "express";
import { middleware } from "express-openapi-validator";
import * as shop from "./commerce.mjs";

const app = express();
app.use(express.json());
app.use(
  middleware({
    apiSpec: shop.document,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: {
      handlers: {
        apiKey: async (request) => {
          request.principal = await shop.principalOf(request.headers.authorization);
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
app.get("/", async (request, response) => {
  const { commission } = request.body;
  if (shop.keepsSlabRules(commission))
    response.json(shop.succeeded({ commission: await shop.submit(request.principal, commission) }));
  else response.status(422).json(shop.failed("request_invalid"));
});
app.post("/v1/users/login", async (request, response) => {
  const user = await shop.logIn(request.principal, request.body.user);
  if (user) response.json(shop.succeeded({ user }));
  else response.status(401).json(shop.failed("credentials_invalid"));
});
app.get("/v1/webhooks/:webhook_id", async (request, response) => {
  const webhook = await shop.findWebhook(request.principal, Number(request.params.webhook_id));
  if (webhook) response.json(shop.succeeded({ webhook }));
  else response.status(404).json(shop.failed("webhook_not_found"));
});
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json(shop.failed("request_invalid", error.message));
});
app.listen(shop.port, shop.host);
