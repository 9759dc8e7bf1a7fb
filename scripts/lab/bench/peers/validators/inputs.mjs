/** What is validated, by the name of its schema in the document. */
const commission = {
  title: "Marketplace supply 2026",
  type: "supply",
  default_value: 12.5,
  active: true,
  commission_data: [
    { category: [101, 102], type: 1, fixed_value: 8 },
    {
      category: [205],
      type: 2,
      slab_value: [
        { from: 0, to: 1000, value: 10 },
        { from: 1000, to: 5000, value: 7.5 },
        { from: 6000, to: -1, value: 5 },
      ],
    },
  ],
};
const user = {
  uuid: "3f6c1b9e",
  mobile: "9876543210",
  dial_code: "91",
  password: "correct horse battery staple",
  type: "customer",
  auth_type: 3,
};
const webhook = { id: 1, url: "https://shop.test/hooks/orders", events: ["order.created", "order.paid"] };

/** Each invalid one has two faults, one of them deep. */
export const inputs = {
  SubmitCommissionRequest: {
    valid: { commission },
    invalid: {
      commission: {
        ...commission,
        default_value: -1,
        commission_data: [{ category: [101], type: 1, fixed_value: "8" }],
      },
    },
  },
  LoginUserRequest: {
    valid: { user },
    invalid: { user: { ...user, mobile: "98-76", dial_code: "+91" } },
  },
  GetWebhookResponse: {
    valid: { status: true, data: { webhook } },
    invalid: { status: false, data: { webhook: { ...webhook, events: ["order.created", ""] } } },
  },
};
