/** zod, as its schemas are written by hand. */
import { getWebhookResponse, loginUserRequest, submitCommissionRequest } from "../schemas/zod.mjs";

export const validators = {
  SubmitCommissionRequest: (value) => submitCommissionRequest.safeParse(value).success,
  LoginUserRequest: (value) => loginUserRequest.safeParse(value).success,
  GetWebhookResponse: (value) => getWebhookResponse.safeParse(value).success,
};
