import { expect, test } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Problem, validateGetWebhookResponse } from "../../generated/validators.js";
import { randomFrom } from "../testing/random.ts";
import { isDialCode, isEventName, isMobile, isWebhookUrl, longest } from "./registration.ts";

test("webhook URLs are absolute, http or https, and contain no character that needs encoding", () => {
  const good = ["https://example.com", "http://localhost:8080/a?b=c%20d", "HTTPS://[::1]/x"];
  expect(good.filter(isWebhookUrl)).toEqual(good);
  const bad = [
    "",
    "example.com",
    "ftp://a.example",
    "javascript:alert(1)",
    "https://",
    "https://a b",
    "https://a/%zz",
  ];
  expect(bad.filter(isWebhookUrl)).toEqual([]);
});

test("event names are lower-case words joined by dots", () => {
  expect(["order.created", "a.b_2.c"].filter(isEventName)).toHaveLength(2);
  expect(
    ["", "order", "Order.created", "order.", ".created", "order..x", "order.2x"].filter(isEventName),
  ).toEqual([]);
});

test("the limits of strings are the same as in the spec", () => {
  const { Credentials, User } = document.components.schemas;
  expect(longest).toEqual({
    name: User.properties.first_name.maxLength,
    email: User.properties.email.maxLength,
    password: Credentials.properties.password.maxLength,
  });
});

test.each([
  ["dial_code", isDialCode, ["91", "1", "1242", "0", "01", "12345", "+91", "9a", ""]],
  ["mobile", isMobile, ["1234", "123", "123456789012345", "1234567890123456", "12 34", "", "0123"]],
] as const)("a %s is valid if it matches the pattern in the spec", (name, isValid, texts) => {
  const { pattern } = document.components.schemas.Credentials.properties[name];
  expect(texts.map((text) => [text, isValid(text)])).toEqual(
    texts.map((text) => [text, new RegExp(pattern, "u").test(text)]),
  );
});

test("every webhook URL that can be registered is valid in a response", () => {
  const parts = "http:// HTTPS:// a.test [::1] [ ] # ? @ / : :80 %20 % é x=1 .".split(" ").concat(" ");
  const random = randomFrom(1);
  const next = (below: number) => Math.floor(random() * below);
  let accepted = 0;
  for (let count = 0; count < 50_000; count += 1) {
    const tail = Array.from({ length: next(6) }, () => parts[next(parts.length)]).join("");
    const url = `${parts[next(2)]}${parts[next(parts.length)]}${tail}`;
    if (!isWebhookUrl(url)) continue;
    accepted += 1;
    const response = { status: true, data: { webhook: { id: 1, url, events: [] } } };
    const problems: Problem[] = [];
    validateGetWebhookResponse(response, problems);
    expect({ url, problems }).toEqual({ url, problems: [] });
  }
  expect(accepted).toBeGreaterThan(1000);
});
