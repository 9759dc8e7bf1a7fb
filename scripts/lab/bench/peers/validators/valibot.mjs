/** Valibot, as its schemas are written by hand. */
import { safeParse } from "valibot";
import { getWebhookResponse, loginUserRequest, submitCommissionRequest } from "../schemas/valibot.mjs";

export const validators = {
  SubmitCommissionRequest: (value) => safeParse(submitCommissionRequest, value).success,
  LoginUserRequest: (value) => safeParse(loginUserRequest, value).success,
  GetWebhookResponse: (value) => safeParse(getWebhookResponse, value).success,
};
