/** TypeBox, as its schemas are written by hand, compiled when the program starts. It stops at the first fault, and is asked for all. */
import { Compile } from "typebox/compile";
import { getWebhookResponse, loginUserRequest, submitCommissionRequest } from "../schemas/typebox.mjs";

function validator(schema) {
  const compiled = Compile(schema);
  return (value) => compiled.Check(value) || [...compiled.Errors(value)].length === 0;
}

export const validators = {
  SubmitCommissionRequest: validator(submitCommissionRequest),
  LoginUserRequest: validator(loginUserRequest),
  GetWebhookResponse: validator(getWebhookResponse),
};
