/** The document's schemas as they are written by hand in TypeBox. */
import Type from "typebox";

const filled = Type.String({ minLength: 1 });
const amount = Type.Number({ minimum: 0 });
const category = Type.Array(Type.Number());
const closed = { additionalProperties: false };
const slab = Type.Object({ from: amount, to: Type.Number({ minimum: -1 }), value: amount }, closed);
const rule = Type.Union([
  Type.Object({ category, type: Type.Literal(1), fixed_value: amount }, closed),
  Type.Object({ category, type: Type.Literal(2), slab_value: Type.Array(slab, { minItems: 1 }) }, closed),
]);

const definition = Type.Object(
  {
    title: filled,
    type: filled,
    default_value: amount,
    active: Type.Optional(Type.Boolean()),
    commission_data: Type.Optional(Type.Array(rule)),
  },
  closed,
);

export const submitCommissionRequest = Type.Object({ commission: definition }, closed);

const credentials = Type.Object(
  {
    uuid: Type.String({ minLength: 1, maxLength: 128 }),
    mobile: Type.String({ pattern: "^[0-9]{4,15}$" }),
    dial_code: Type.String({ pattern: "^[1-9][0-9]{0,3}$" }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    type: filled,
    auth_type: Type.Optional(Type.Number()),
    token: Type.Optional(Type.String({ pattern: "^[0-9]{6}$" })),
  },
  closed,
);

export const loginUserRequest = Type.Object({ user: credentials }, closed);

const webhook = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  url: Type.String({ format: "uri" }),
  events: Type.Array(filled),
});

export const getWebhookResponse = Type.Object({
  status: Type.Literal(true),
  data: Type.Object({ webhook }),
});
