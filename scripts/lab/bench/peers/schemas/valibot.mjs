/** The document's schemas as they are written by hand in Valibot. */
import * as v from "valibot";

const filled = v.pipe(v.string(), v.minLength(1));
const amount = v.pipe(v.number(), v.minValue(0));
const category = v.array(v.number());
const slab = v.strictObject({ from: amount, to: v.pipe(v.number(), v.minValue(-1)), value: amount });
const rule = v.variant("type", [
  v.strictObject({ category, type: v.literal(1), fixed_value: amount }),
  v.strictObject({ category, type: v.literal(2), slab_value: v.pipe(v.array(slab), v.minLength(1)) }),
]);

export const submitCommissionRequest = v.strictObject({
  commission: v.strictObject({
    title: filled,
    type: filled,
    default_value: amount,
    active: v.optional(v.boolean(), true),
    commission_data: v.optional(v.array(rule), []),
  }),
});

const matching = (pattern) => v.pipe(v.string(), v.regex(pattern));

export const loginUserRequest = v.strictObject({
  user: v.strictObject({
    uuid: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
    mobile: matching(/^[0-9]{4,15}$/),
    dial_code: matching(/^[1-9][0-9]{0,3}$/),
    password: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
    type: filled,
    auth_type: v.optional(v.number()),
    token: v.optional(matching(/^[0-9]{6}$/)),
  }),
});

export const getWebhookResponse = v.object({
  status: v.literal(true),
  data: v.object({
    webhook: v.object({
      id: v.pipe(v.number(), v.integer(), v.minValue(1)),
      url: v.pipe(v.string(), v.url()),
      events: v.array(filled),
    }),
  }),
});
