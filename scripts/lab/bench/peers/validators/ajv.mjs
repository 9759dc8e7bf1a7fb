/** Ajv, which compiles the document's schemas when the program starts. */

import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import document from "../../../../../generated/openapi.json" with { type: "json" };

const ajv = new Ajv2020.default({ strict: false, allErrors: true, useDefaults: true });
addFormats.default(ajv);
ajv.addSchema({ $id: "document", components: document.components });
const compiled = (name) => ajv.compile({ $ref: `document#/components/schemas/${name}` });

export const validators = {
  SubmitCommissionRequest: compiled("SubmitCommissionRequest"),
  LoginUserRequest: compiled("LoginUserRequest"),
  GetWebhookResponse: compiled("GetWebhookResponse"),
};
