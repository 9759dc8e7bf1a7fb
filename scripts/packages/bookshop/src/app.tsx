import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { logger } from "hono/logger";
import { type RequestIdVariables, requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { timeout } from "hono/timeout";
import { timing } from "hono/timing";
import { Page } from "./page.js";

export interface AppEnv {
  Variables: RequestIdVariables & { readonly member: string | undefined };
}

const members = new Map([["token-of-ann", "ann"]]);

export const app = new Hono<AppEnv>();

app.use(requestId());
app.use(logger());
app.use(timing());
app.use(secureHeaders());
app.use(cors());
app.use(compress());
app.use(etag());
app.use(timeout(10_000));
app.use("/feedback", bodyLimit({ maxSize: 200_000 }));
app.use("/admin/*", bearerAuth({ token: "token-of-the-boss" }));
app.use(async (c, next) => {
  const [, token = ""] = c.req.header("authorization")?.split(" ") ?? [];
  c.set("member", members.get(token));
  await next();
});

app.get("/", (c) => c.html(<Page title="Bookshop" text="Welcome" />));
app.get("/public/*", serveStatic({ root: "." }));
app.get("/admin/report", (c) => c.json({ sold: 3 }));
app.post("/feedback", async (c) => c.json(await c.req.json(), 201));
app.get("/broken", () => {
  throw new Error("broken");
});

app.notFound((c) => c.html(<Page title="Not found" text={c.req.path} />, 404));
app.onError((error, c) =>
  error instanceof HTTPException
    ? error.getResponse()
    : c.html(<Page title="Sorry" text={c.var.requestId} />, 500),
);
