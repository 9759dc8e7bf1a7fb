import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const submit = (content: unknown, key = service.acme.secretKey) =>
  service.send({ method: "GET", path: "/", key, content });

const definition = { title: "Flat", type: "supply", default_value: 12.5 };
const fixed = { category: [1], type: 1, fixed_value: 8 };
const slab = { from: 0, to: -1, value: 5 };

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
  it("answers a record whose rate is the default value", async () => {
    const { status, body } = await submit({
      commission: { ...definition, title: "Rate", default_value: 7.25 },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: true, data: { commission: { id: expect.any(Number), rate: 7.25 } } },
    });
  });

  it("takes fixed rules, and slabs with gaps and a shared bound whose last one is open", async () => {
    const commission_data = [
      { ...fixed, category: [101, 102] },
      {
        category: [205],
        type: 2,
        slab_value: [
          { from: 0, to: 1000, value: 10 },
          { from: 1000, to: 5000, value: 7.5 },
          { from: 6000, to: -1, value: 5 },
        ],
      },
    ];
    expect((await submit({ commission: { ...definition, commission_data } })).status).toBe(200);
  });

  it("answers an equal definition with the same record, whatever its spelling", async () => {
    const first = await submit(
      '{"commission":{"title":"Same","type":"supply","default_value":3,"active":true,"commission_data":[]}}',
    );
    const again = await submit('{"commission":{"default_value":3.0,"type":"supply","title":"\\u0053ame"}}');
    expect(again.body).toEqual(first.body);
  });

  it("keeps a different definition apart", async () => {
    const first = await submit({ commission: { ...definition, title: "One" } });
    const other = await submit({ commission: { ...definition, title: "Two" } });
    expect(other.body).not.toEqual(first.body);
  });

  it("keeps the tenants apart", async () => {
    const own = await submit({ commission: { ...definition, title: "Shared" } });
    const theirs = await submit({ commission: { ...definition, title: "Shared" } }, service.rival.secretKey);
    expect(theirs.body).not.toEqual(own.body);
  });

  it("gives simultaneous equal definitions one record", async () => {
    const commission = { ...definition, title: "At once" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit({ commission })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

describe("422 by the schema", () => {
  it.each<[string, unknown, [string, string][]]>([
    [
      "a definition without its required fields",
      {},
      [
        ["/commission/title", "is required"],
        ["/commission/type", "is required"],
        ["/commission/default_value", "is required"],
      ],
    ],
    [
      "an unknown property, by its name",
      { ...definition, titel: "x" },
      [["/commission/titel", "is not a known property"]],
    ],
    ["an empty title", { ...definition, title: "" }, [["/commission/title", "must not be empty"]]],
    [
      "an amount as text",
      { ...definition, default_value: "12" },
      [["/commission/default_value", "must be a number"]],
    ],
    [
      "a negative amount",
      { ...definition, default_value: -1 },
      [["/commission/default_value", "must be at least 0"]],
    ],
    ["a flag as text", { ...definition, active: "yes" }, [["/commission/active", "must be a boolean"]]],
    [
      "a rule of type 1 without fixed_value, as exactly one problem",
      { ...definition, commission_data: [{ category: [1], type: 1 }] },
      [["/commission/commission_data/0/fixed_value", "is required"]],
    ],
    [
      "a rule of type 2 without slab_value, as exactly one problem",
      { ...definition, commission_data: [{ category: [1], type: 2 }] },
      [["/commission/commission_data/0/slab_value", "is required"]],
    ],
    [
      "a rule of type 1 with slab_value",
      { ...definition, commission_data: [{ ...fixed, slab_value: [slab] }] },
      [["/commission/commission_data/0/slab_value", "is not allowed when type is 1"]],
    ],
    [
      "a rule of type 2 with fixed_value",
      { ...definition, commission_data: [{ category: [1], type: 2, slab_value: [slab], fixed_value: 1 }] },
      [["/commission/commission_data/0/fixed_value", "is not allowed when type is 2"]],
    ],
    [
      "a rule of no known type",
      { ...definition, commission_data: [{ ...fixed, type: 3 }] },
      [["/commission/commission_data/0/type", "must be one of 1, 2"]],
    ],
    [
      "a rule without a type",
      { ...definition, commission_data: [{ category: [1], fixed_value: 1 }] },
      [["/commission/commission_data/0/type", "is required"]],
    ],
    [
      "a rule without slabs",
      { ...definition, commission_data: [{ category: [1], type: 2, slab_value: [] }] },
      [["/commission/commission_data/0/slab_value", "must not be empty"]],
    ],
    [
      "every fault at once, each with its place",
      {
        ...definition,
        default_value: -2,
        commission_data: [fixed, { category: ["a"], type: 1, fixed_value: -1 }],
      },
      [
        ["/commission/default_value", "must be at least 0"],
        ["/commission/commission_data/1/category/0", "must be a number"],
        ["/commission/commission_data/1/fixed_value", "must be at least 0"],
      ],
    ],
  ])("refuses %s", async (_, commission, problems) => {
    expect(await problemsOf(commission)).toEqual(invalid(...problems));
  });

  it.each([[null], [[]], ["text"], [7]])("refuses %j as the content", async (content) => {
    expect((await submit(JSON.stringify(content))).body).toMatchObject({
      error: {
        code: "request_invalid",
        problems: [{ in: "body", pointer: "", message: "must be an object" }],
      },
    });
  });
});

describe("422 by the rules of commissions", () => {
  const slabs = (...slab_value: unknown[]) => ({
    ...definition,
    commission_data: [{ category: [1], type: 2, slab_value }],
  });
  const at = (rest: string) => `/commission/commission_data/0/slab_value/${rest}`;

  it.each<[string, unknown, string]>([
    [
      "a slab that ends where it starts",
      slabs({ from: 5, to: 5, value: 1 }, { from: 6, to: -1, value: 1 }),
      at("0/to"),
    ],
    [
      "a slab that overlaps the one before",
      slabs({ from: 0, to: 10, value: 1 }, { from: 9, to: -1, value: 1 }),
      at("1/from"),
    ],
    ["slabs whose last one is closed", slabs({ from: 0, to: 10, value: 1 }), at("0/to")],
    [
      "an open slab that is not the last",
      slabs({ from: 0, to: -1, value: 1 }, { from: 5, to: -1, value: 1 }),
      at("0/to"),
    ],
  ])("refuses %s, at its place", async (_, commission, pointer) => {
    expect(await problemsOf(commission)).toEqual({
      status: 422,
      code: "request_invalid",
      problems: [{ in: "body", pointer, message: expect.any(String) }],
    });
  });
});

describe("every fault at once", () => {
  it("by the schema and by the rules of commissions, wherever each can be judged", async () => {
    const closed = { category: [1], type: 2, slab_value: [{ from: 0, to: 10, value: 1 }] };
    const faulty = { category: [1], type: 2, slab_value: [{ from: 0, to: 10, value: -1 }] };
    const answer = await problemsOf({ ...definition, titel: 1, commission_data: [closed, faulty, null, 7] });
    expect(answer).toEqual(
      invalid(
        ["/commission/commission_data/1/slab_value/0/value", "must be at least 0"],
        ["/commission/commission_data/2", "must be an object"],
        ["/commission/commission_data/3", "must be an object"],
        ["/commission/titel", "is not a known property"],
        ["/commission/commission_data/0/slab_value/0/to", "must be -1 in the last slab"],
      ),
    );
  });

  it("of a rule without a type, as far as they are faults of every rule", async () => {
    expect(
      await problemsOf({ ...definition, commission_data: [{ type: 3, category: "x", more: 1 }, {}] }),
    ).toEqual(
      invalid(
        ["/commission/commission_data/0/type", "must be one of 1, 2"],
        ["/commission/commission_data/0/category", "must be an array"],
        ["/commission/commission_data/0/more", "is not a known property"],
        ["/commission/commission_data/1/type", "is required"],
        ["/commission/commission_data/1/category", "is required"],
      ),
    );
  });
});

describe("403", () => {
  it("refuses a publishable key", async () => {
    const { status, body } = await submit({ commission: definition }, service.acme.publishableKey);
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { error: { code: "api_key_kind_forbidden" } },
    });
  });
});
