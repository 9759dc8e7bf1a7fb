/** The validators that this project generates. */
import {
  completeSubmitCommissionRequest,
  validateGetWebhookResponse,
  validateLoginUserRequest,
  validateSubmitCommissionRequest,
} from "../../../../../generated/validators.js";

export const validators = {
  SubmitCommissionRequest: (value) => {
    const isValid = validateSubmitCommissionRequest(value, []);
    if (isValid) completeSubmitCommissionRequest(value);
    return isValid;
  },
  LoginUserRequest: (value) => validateLoginUserRequest(value, []),
  GetWebhookResponse: (value) => validateGetWebhookResponse(value, []),
};
