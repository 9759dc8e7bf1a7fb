import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const submit = (body: unknown, key = service.acme.secretKey) =>
  service.send({ method: "GET", path: "/", key, body });

const definition = { title: "Flat", type: "supply", default_value: 12.5 };
const at = "/commission/commission_data";

const problemsOf = async (commission: unknown) => {
  const { status, body } = await submit({ commission });
  const { code, problems } = (body as { error: { code: string; problems: unknown } }).error;
  return { status, code, problems };
};
const invalid = (...problems: [pointer: string, message: string][]) => ({
  status: 422,
  code: "request_invalid",
  problems: problems.map(([pointer, message]) => ({ in: "body", pointer, message })),
});

describe("200", () => {
  it("returns a record whose rate is the default value", async () => {
    const { status, body } = await submit({
      commission: { ...definition, title: "Rate", default_value: 7.25 },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: true, data: { commission: { id: expect.any(Number), rate: 7.25 } } },
    });
  });

  it("returns the same record for an equal definition, even if its JSON is written differently", async () => {
    const first = await submit(
      '{"commission":{"title":"Same","type":"supply","default_value":3,"active":true,"commission_data":[]}}',
    );
    const again = await submit('{"commission":{"default_value":3.0,"type":"supply","title":"\\u0053ame"}}');
    expect(again.body).toEqual(first.body);
  });
});

describe("422", () => {
  it("rejects a new definition beyond the tenant's quota, but not a stored one", async () => {
    await using own = await startService({ settings: { DEFINITIONS_PER_TENANT: "1" } });
    const submitTo = (title: string, key = own.acme.secretKey) =>
      own.send({ method: "GET", path: "/", key, body: { commission: { ...definition, title } } });
    const first = await submitTo("First");
    expect(await submitTo("Second")).toMatchObject({
      status: 422,
      body: {
        error: {
          code: "request_invalid",
          problems: [
            {
              in: "body",
              pointer: "/commission",
              message: "must equal a stored definition, because the tenant has reached its limit of 1",
            },
          ],
        },
      },
    });
    expect((await submitTo("First")).body).toEqual(first.body);
    expect((await submitTo("Second", own.rival.secretKey)).status).toBe(200);
  });

  const slab = { from: 0, to: -1, value: 5 };
  it.each<[string, object, string, string]>([
    ["of type 1 without fixed_value", {}, "fixed_value", "is required"],
    [
      "of type 1 with slab_value",
      { fixed_value: 8, slab_value: [slab] },
      "slab_value",
      "is not allowed when type is 1",
    ],
    ["of an unknown type", { type: 3 }, "type", "must be one of 1, 2"],
  ])("rejects a rule %s, with exactly one problem", async (_, rule, property, message) => {
    const commission_data = [{ category: [1], type: 1, ...rule }];
    expect(await problemsOf({ ...definition, commission_data })).toEqual(
      invalid([`${at}/0/${property}`, message]),
    );
  });

  it("reports violations of the schema and of the commission rules together", async () => {
    const closed = { category: [1], type: 2, slab_value: [{ ...slab, to: 10 }] };
    const negative = { category: [1], type: 2, slab_value: [{ ...slab, to: 10, value: -1 }] };
    const response = await problemsOf({
      ...definition,
      titel: 1,
      commission_data: [closed, negative, null, 7],
    });
    expect(response).toEqual(
      invalid(
        [`${at}/1/slab_value/0/value`, "must be at least 0"],
        [`${at}/2`, "must be an object"],
        [`${at}/3`, "must be an object"],
        ["/commission/titel", "is not a known property"],
        [`${at}/0/slab_value/0/to`, "must be -1 in the last slab"],
      ),
    );
  });
});
