import { z } from "zod";

const amount = z.number().min(0);
const category = z.array(z.number());
const slab = z.strictObject({ from: amount, to: z.number().min(-1), value: amount });
const rule = z.discriminatedUnion("type", [
  z.strictObject({ category, type: z.literal(1), fixed_value: amount }),
  z.strictObject({ category, type: z.literal(2), slab_value: z.array(slab).min(1) }),
]);
const commission = z.strictObject({
  title: z.string().min(1),
  type: z.string().min(1),
  default_value: amount,
  active: z.boolean().default(true),
  commission_data: z.array(rule).default([]),
});

const credentials = z.strictObject({
  uuid: z.string().min(1).max(128),
  mobile: z.string().regex(/^[0-9]{4,15}$/),
  dial_code: z.string().regex(/^[1-9][0-9]{0,3}$/),
  password: z.string().min(1).max(1024),
  type: z.string().min(1),
  auth_type: z.number().optional(),
  token: z.optional(z.string().regex(/^[0-9]{6}$/)),
});

const success = (data) => z.object({ status: z.literal(true), data: z.object(data) });
const id = z.number().int().min(1);
const sessionKey = z.string().min(43).max(128);
const user = z.object({
  id: z.uuid(),
  first_name: z.string().max(100),
  last_name: z.string().max(100),
  email: z.string().max(254),
  profile_pic: z.string().max(2048),
  email_verified: z.boolean(),
  key: z.object({ auth_key: sessionKey, refresh_key: sessionKey }),
});

export const schemas = {
  SubmitCommissionRequest: z.strictObject({ commission }),
  SubmitCommissionResponse: success({ commission: z.object({ id, rate: amount }) }),
  LoginUserRequest: z.strictObject({ user: credentials }),
  LoginUserResponse: success({ user }),
  GetWebhookRequest: z.strictObject({}),
  GetWebhookResponse: success({
    webhook: z.object({ id, url: z.url(), events: z.array(z.string().min(1)) }),
  }),
};
