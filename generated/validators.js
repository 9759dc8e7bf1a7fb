/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

export const format = 1;

const pattern_3f06ab3f = /^((([0-9A-Fa-f]{1,4}:){6}|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,4})?::([0-9A-Fa-f]{1,4}:){0,5})?(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}|[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){7}|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?::([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?)$/u;
const pattern_73c15ddc = /^[0-9]{6}$/u;
const pattern_75938a7c = /^[0-9]{4,15}$/u;
const pattern_f98d87e6 = /^[1-9][0-9]{0,3}$/u;
const values_d28df585 = new Set(["api_key_invalid", "api_key_kind_forbidden", "api_key_missing", "auth_flow_unsupported", "content_too_large", "credentials_invalid", "internal_error", "malformed_content", "malformed_request", "method_not_allowed", "request_invalid", "route_not_found", "too_many_attempts", "totp_invalid", "totp_required", "unavailable", "unsupported_media_type", "webhook_not_found"]);

export function validateSubmitCommissionRequest(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const commission_1 = value.commission;
    if (commission_1 === undefined) report(problems, "/commission", "is required");
    else {
      const before_2 = problems.length;
      checkCommissionDefinition(commission_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/commission");
    }
    for (const key_5 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_5 === "commission") && value[key_5] !== undefined && Object.hasOwn(value, key_5)) report(problems, `/${escapeToken(key_5)}`, "is not a known property");
    }
  }
  return problems.length === before || settle(problems, before);
}

export function completeSubmitCommissionRequest(value) {
  const later = [];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const commission_1 = value.commission;
    fillCommissionDefinition(commission_1, later);
  }
  return setAbsent(value, later);
}

export function validateRequestId(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else {
    if (value.length === 0) report(problems, "", "must not be empty");
    if (value.length > 128 && codePoints(value) > 128) report(problems, "", "must be at most 128 characters");
  }
  return problems.length === before || settle(problems, before);
}

export function validateCacheControl(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value !== "no-store") report(problems, "", "must be \"no-store\"");
  return problems.length === before || settle(problems, before);
}

export function validateAcceptQuery(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateSubmitCommissionResponse(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const status_1 = value.status;
    if (status_1 === undefined) report(problems, "/status", "is required");
    else {
      const before_2 = problems.length;
      checkSucceeded(status_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/status");
    }
    const data_5 = value.data;
    if (data_5 === undefined) report(problems, "/data", "is required");
    else if (typeof data_5 !== "object" || data_5 === null || Array.isArray(data_5)) report(problems, "/data", "must be an object");
    else {
      const commission_6 = data_5.commission;
      if (commission_6 === undefined) report(problems, "/data/commission", "is required");
      else {
        const before_7 = problems.length;
        checkCommission(commission_6, problems);
        if (problems.length > before_7) prefix(problems, before_7, "/data/commission");
      }
    }
  }
  return problems.length === before || settle(problems, before);
}

export function projectSubmitCommissionResponse(value) {
  let out = value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const status_1 = value.status;
    if (status_1 !== undefined) {
      if (out.status === undefined) out.status = status_1;
    }
    const data_2 = value.data;
    if (data_2 !== undefined) {
      let copy_3 = out.data;
      if (copy_3 === undefined) copy_3 = data_2;
      if (typeof data_2 === "object" && data_2 !== null && !Array.isArray(data_2)) {
        if (copy_3 === data_2) copy_3 = {};
        const commission_4 = data_2.commission;
        if (commission_4 !== undefined) {
          let copy_5 = copy_3.commission;
          if (copy_5 === undefined) copy_5 = commission_4;
          copy_5 = pickCommission(commission_4, copy_5);
          copy_3.commission = copy_5;
        }
      }
      out.data = copy_3;
    }
  }
  return out;
}

export function validateError(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const status_1 = value.status;
    if (status_1 === undefined) report(problems, "/status", "is required");
    else if (typeof status_1 !== "boolean") report(problems, "/status", "must be a boolean");
    else if (status_1 !== false) report(problems, "/status", "must be false");
    const error_2 = value.error;
    if (error_2 === undefined) report(problems, "/error", "is required");
    else if (typeof error_2 !== "object" || error_2 === null || Array.isArray(error_2)) report(problems, "/error", "must be an object");
    else {
      const code_3 = error_2.code;
      if (code_3 === undefined) report(problems, "/error/code", "is required");
      else {
        const before_4 = problems.length;
        checkErrorCode(code_3, problems);
        if (problems.length > before_4) prefix(problems, before_4, "/error/code");
      }
      const message_7 = error_2.message;
      if (message_7 === undefined) report(problems, "/error/message", "is required");
      else if (typeof message_7 !== "string") report(problems, "/error/message", "must be a string");
      else if (message_7.length === 0) report(problems, "/error/message", "must not be empty");
      const request_id_8 = error_2.request_id;
      if (request_id_8 === undefined) report(problems, "/error/request_id", "is required");
      else if (typeof request_id_8 !== "string") report(problems, "/error/request_id", "must be a string");
      else if (request_id_8.length === 0) report(problems, "/error/request_id", "must not be empty");
      const problems_9 = error_2.problems;
      if (problems_9 !== undefined) {
        if (!Array.isArray(problems_9)) report(problems, "/error/problems", "must be an array");
        else {
          if (problems_9.length < 1) report(problems, "/error/problems", "must not be empty");
          if (problems_9.length > 100) report(problems, "/error/problems", "must have at most 100 items");
          for (let i_10 = 0; i_10 < problems_9.length; i_10 += 1) {
            if (problems.length >= mostProblems) break;
            const item_11 = problems_9[i_10];
            const before_12 = problems.length;
            checkProblem(item_11, problems);
            if (problems.length > before_12) prefix(problems, before_12, `/error/problems/${i_10}`);
          }
        }
      }
    }
  }
  return problems.length === before || settle(problems, before);
}

export function projectError(value) {
  let out = value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const status_1 = value.status;
    if (status_1 !== undefined) {
      if (out.status === undefined) out.status = status_1;
    }
    const error_2 = value.error;
    if (error_2 !== undefined) {
      let copy_3 = out.error;
      if (copy_3 === undefined) copy_3 = error_2;
      if (typeof error_2 === "object" && error_2 !== null && !Array.isArray(error_2)) {
        if (copy_3 === error_2) copy_3 = {};
        const code_4 = error_2.code;
        if (code_4 !== undefined) {
          if (copy_3.code === undefined) copy_3.code = code_4;
        }
        const message_5 = error_2.message;
        if (message_5 !== undefined) {
          if (copy_3.message === undefined) copy_3.message = message_5;
        }
        const request_id_6 = error_2.request_id;
        if (request_id_6 !== undefined) {
          if (copy_3.request_id === undefined) copy_3.request_id = request_id_6;
        }
        const problems_7 = error_2.problems;
        if (problems_7 !== undefined) {
          let copy_8 = copy_3.problems;
          if (copy_8 === undefined) copy_8 = problems_7;
          if (Array.isArray(problems_7)) {
            if (copy_8 === problems_7) copy_8 = problems_7.slice();
            for (let i_9 = 0; i_9 < problems_7.length; i_9 += 1) {
              let item_10 = copy_8[i_9];
              if (item_10 === undefined) item_10 = problems_7[i_9];
              item_10 = pickProblem(problems_7[i_9], item_10);
              copy_8[i_9] = item_10;
            }
          }
          copy_3.problems = copy_8;
        }
      }
      out.error = copy_3;
    }
  }
  return out;
}

export function validateWwwAuthenticate(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateRetryAfter(value, problems) {
  const before = problems.length;
  if (!Number.isInteger(value)) report(problems, "", "must be an integer");
  else {
    if (value < 1) report(problems, "", "must be at least 1");
    if (!Number.isSafeInteger(value)) report(problems, "", "must be an integer from -9007199254740991 to 9007199254740991");
  }
  return problems.length === before || settle(problems, before);
}

export function validateLoginUserHeaderXEndUserAddress(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (!pattern_3f06ab3f.test(value)) report(problems, "", "must match the pattern ^((([0-9A-Fa-f]{1,4}:){6}|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,4})?::([0-9A-Fa-f]{1,4}:){0,5})?(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}|[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){7}|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?::([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?)$");
  return problems.length === before || settle(problems, before);
}

export function validateLoginUserRequest(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const user_1 = value.user;
    if (user_1 === undefined) report(problems, "/user", "is required");
    else {
      const before_2 = problems.length;
      checkCredentials(user_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/user");
    }
    for (const key_5 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_5 === "user") && value[key_5] !== undefined && Object.hasOwn(value, key_5)) report(problems, `/${escapeToken(key_5)}`, "is not a known property");
    }
  }
  return problems.length === before || settle(problems, before);
}

export function validateLoginUserResponse(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const status_1 = value.status;
    if (status_1 === undefined) report(problems, "/status", "is required");
    else {
      const before_2 = problems.length;
      checkSucceeded(status_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/status");
    }
    const data_5 = value.data;
    if (data_5 === undefined) report(problems, "/data", "is required");
    else if (typeof data_5 !== "object" || data_5 === null || Array.isArray(data_5)) report(problems, "/data", "must be an object");
    else {
      const user_6 = data_5.user;
      if (user_6 === undefined) report(problems, "/data/user", "is required");
      else {
        const before_7 = problems.length;
        checkUser(user_6, problems);
        if (problems.length > before_7) prefix(problems, before_7, "/data/user");
      }
    }
  }
  return problems.length === before || settle(problems, before);
}

export function projectLoginUserResponse(value) {
  let out = value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const status_1 = value.status;
    if (status_1 !== undefined) {
      if (out.status === undefined) out.status = status_1;
    }
    const data_2 = value.data;
    if (data_2 !== undefined) {
      let copy_3 = out.data;
      if (copy_3 === undefined) copy_3 = data_2;
      if (typeof data_2 === "object" && data_2 !== null && !Array.isArray(data_2)) {
        if (copy_3 === data_2) copy_3 = {};
        const user_4 = data_2.user;
        if (user_4 !== undefined) {
          let copy_5 = copy_3.user;
          if (copy_5 === undefined) copy_5 = user_4;
          copy_5 = pickUser(user_4, copy_5);
          copy_3.user = copy_5;
        }
      }
      out.data = copy_3;
    }
  }
  return out;
}

export function validateLoginRefusedRateLimit(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateLoginRefusedRateLimitPolicy(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateRateLimit(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateRateLimitPolicy(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

export function validateGetWebhookPathWebhookId(value, problems) {
  const before = problems.length;
  if (!Number.isInteger(value)) report(problems, "", "must be an integer");
  else {
    if (value < 1) report(problems, "", "must be at least 1");
    if (value > 9007199254740991) report(problems, "", "must be at most 9007199254740991");
  }
  return problems.length === before || settle(problems, before);
}

export function validateGetWebhookRequest(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    for (const key_1 in value) {
      if (problems.length >= mostProblems) break;
      if (value[key_1] !== undefined && Object.hasOwn(value, key_1)) report(problems, `/${escapeToken(key_1)}`, "is not a known property");
    }
  }
  return problems.length === before || settle(problems, before);
}

export function completeGetWebhookRequest(value) {
  if (value === undefined) value = {};
  return value;
}

export function validateGetWebhookResponse(value, problems) {
  const before = problems.length;
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const status_1 = value.status;
    if (status_1 === undefined) report(problems, "/status", "is required");
    else {
      const before_2 = problems.length;
      checkSucceeded(status_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/status");
    }
    const data_5 = value.data;
    if (data_5 === undefined) report(problems, "/data", "is required");
    else if (typeof data_5 !== "object" || data_5 === null || Array.isArray(data_5)) report(problems, "/data", "must be an object");
    else {
      const webhook_6 = data_5.webhook;
      if (webhook_6 === undefined) report(problems, "/data/webhook", "is required");
      else {
        const before_7 = problems.length;
        checkWebhook(webhook_6, problems);
        if (problems.length > before_7) prefix(problems, before_7, "/data/webhook");
      }
    }
  }
  return problems.length === before || settle(problems, before);
}

export function projectGetWebhookResponse(value) {
  let out = value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const status_1 = value.status;
    if (status_1 !== undefined) {
      if (out.status === undefined) out.status = status_1;
    }
    const data_2 = value.data;
    if (data_2 !== undefined) {
      let copy_3 = out.data;
      if (copy_3 === undefined) copy_3 = data_2;
      if (typeof data_2 === "object" && data_2 !== null && !Array.isArray(data_2)) {
        if (copy_3 === data_2) copy_3 = {};
        const webhook_4 = data_2.webhook;
        if (webhook_4 !== undefined) {
          let copy_5 = copy_3.webhook;
          if (copy_5 === undefined) copy_5 = webhook_4;
          copy_5 = pickWebhook(webhook_4, copy_5);
          copy_3.webhook = copy_5;
        }
      }
      out.data = copy_3;
    }
  }
  return out;
}

export function validateUnmatched405Allow(value, problems) {
  const before = problems.length;
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
  return problems.length === before || settle(problems, before);
}

function checkCommissionDefinition(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const title_1 = value.title;
    if (title_1 === undefined) report(problems, "/title", "is required");
    else if (typeof title_1 !== "string") report(problems, "/title", "must be a string");
    else if (title_1.length === 0) report(problems, "/title", "must not be empty");
    const type_2 = value.type;
    if (type_2 === undefined) report(problems, "/type", "is required");
    else if (typeof type_2 !== "string") report(problems, "/type", "must be a string");
    else if (type_2.length === 0) report(problems, "/type", "must not be empty");
    const default_value_3 = value.default_value;
    if (default_value_3 === undefined) report(problems, "/default_value", "is required");
    else if (!Number.isFinite(default_value_3)) report(problems, "/default_value", "must be a number");
    else if (default_value_3 < 0) report(problems, "/default_value", "must be at least 0");
    const active_4 = value.active;
    if (active_4 !== undefined) {
      if (typeof active_4 !== "boolean") report(problems, "/active", "must be a boolean");
    }
    const commission_data_5 = value.commission_data;
    if (commission_data_5 !== undefined) {
      if (!Array.isArray(commission_data_5)) report(problems, "/commission_data", "must be an array");
      else {
        for (let i_6 = 0; i_6 < commission_data_5.length; i_6 += 1) {
          if (problems.length >= mostProblems) break;
          const item_7 = commission_data_5[i_6];
          const before_8 = problems.length;
          checkCommissionRule(item_7, problems);
          if (problems.length > before_8) prefix(problems, before_8, `/commission_data/${i_6}`);
        }
      }
    }
    for (const key_11 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_11 === "title" || key_11 === "type" || key_11 === "default_value" || key_11 === "active" || key_11 === "commission_data") && value[key_11] !== undefined && Object.hasOwn(value, key_11)) report(problems, `/${escapeToken(key_11)}`, "is not a known property");
    }
  }
}

function fillCommissionDefinition(value, later) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (value.active === undefined) later.push(value, "active", true);
    if (value.commission_data === undefined) later.push(value, "commission_data", []);
  }
}

function checkCommissionRule(value, problems) {
  if (!(typeof value === "object" && value !== null && !Array.isArray(value))) report(problems, "", "must be an object");
  else {
    const type_3 = value.type;
    if (type_3 === 1) {
      const before_4 = problems.length;
      checkFixedRule(value, problems);
      if (problems.length > before_4) clarify(problems, before_4, "", ["/slab_value"], "is not allowed when type is " + JSON.stringify(type_3));
    } else if (type_3 === 2) {
      const before_7 = problems.length;
      checkSlabRule(value, problems);
      if (problems.length > before_7) clarify(problems, before_7, "", ["/fixed_value"], "is not allowed when type is " + JSON.stringify(type_3));
    } else {
      if (type_3 === undefined) report(problems, "/type", "is required");
      else report(problems, "/type", "must be one of 1, 2");
      const lists_10 = [];
       {
        const problems = [];
        checkFixedRule(value, problems);
        lists_10.push(problems);
      }
       {
        const problems = [];
        checkSlabRule(value, problems);
        lists_10.push(problems);
      }
      pushShared(problems, lists_10);
    }
  }
}

function checkFixedRule(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const category_1 = value.category;
    if (category_1 === undefined) report(problems, "/category", "is required");
    else {
      const before_2 = problems.length;
      checkCategories(category_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/category");
    }
    const type_5 = value.type;
    if (type_5 === undefined) report(problems, "/type", "is required");
    else if (!Number.isFinite(type_5)) report(problems, "/type", "must be a number");
    else if (type_5 !== 1) report(problems, "/type", "must be 1");
    const fixed_value_6 = value.fixed_value;
    if (fixed_value_6 === undefined) report(problems, "/fixed_value", "is required");
    else if (!Number.isFinite(fixed_value_6)) report(problems, "/fixed_value", "must be a number");
    else if (fixed_value_6 < 0) report(problems, "/fixed_value", "must be at least 0");
    for (const key_7 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_7 === "category" || key_7 === "type" || key_7 === "fixed_value") && value[key_7] !== undefined && Object.hasOwn(value, key_7)) report(problems, `/${escapeToken(key_7)}`, "is not a known property");
    }
  }
}

function checkSlabRule(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const category_1 = value.category;
    if (category_1 === undefined) report(problems, "/category", "is required");
    else {
      const before_2 = problems.length;
      checkCategories(category_1, problems);
      if (problems.length > before_2) prefix(problems, before_2, "/category");
    }
    const type_5 = value.type;
    if (type_5 === undefined) report(problems, "/type", "is required");
    else if (!Number.isFinite(type_5)) report(problems, "/type", "must be a number");
    else if (type_5 !== 2) report(problems, "/type", "must be 2");
    const slab_value_6 = value.slab_value;
    if (slab_value_6 === undefined) report(problems, "/slab_value", "is required");
    else if (!Array.isArray(slab_value_6)) report(problems, "/slab_value", "must be an array");
    else {
      if (slab_value_6.length < 1) report(problems, "/slab_value", "must not be empty");
      for (let i_7 = 0; i_7 < slab_value_6.length; i_7 += 1) {
        if (problems.length >= mostProblems) break;
        const item_8 = slab_value_6[i_7];
        const before_9 = problems.length;
        checkSlab(item_8, problems);
        if (problems.length > before_9) prefix(problems, before_9, `/slab_value/${i_7}`);
      }
    }
    for (const key_12 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_12 === "category" || key_12 === "type" || key_12 === "slab_value") && value[key_12] !== undefined && Object.hasOwn(value, key_12)) report(problems, `/${escapeToken(key_12)}`, "is not a known property");
    }
  }
}

function checkCategories(value, problems) {
  if (!Array.isArray(value)) report(problems, "", "must be an array");
  else {
    for (let i_1 = 0; i_1 < value.length; i_1 += 1) {
      if (problems.length >= mostProblems) break;
      const item_2 = value[i_1];
      if (!Number.isFinite(item_2)) report(problems, `/${i_1}`, "must be a number");
    }
  }
}

function checkSlab(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const from_1 = value.from;
    if (from_1 === undefined) report(problems, "/from", "is required");
    else if (!Number.isFinite(from_1)) report(problems, "/from", "must be a number");
    else if (from_1 < 0) report(problems, "/from", "must be at least 0");
    const to_2 = value.to;
    if (to_2 === undefined) report(problems, "/to", "is required");
    else if (!Number.isFinite(to_2)) report(problems, "/to", "must be a number");
    else if (to_2 < -1) report(problems, "/to", "must be at least -1");
    const value_3 = value.value;
    if (value_3 === undefined) report(problems, "/value", "is required");
    else if (!Number.isFinite(value_3)) report(problems, "/value", "must be a number");
    else if (value_3 < 0) report(problems, "/value", "must be at least 0");
    for (const key_4 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_4 === "from" || key_4 === "to" || key_4 === "value") && value[key_4] !== undefined && Object.hasOwn(value, key_4)) report(problems, `/${escapeToken(key_4)}`, "is not a known property");
    }
  }
}

function checkCommission(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const id_1 = value.id;
    if (id_1 === undefined) report(problems, "/id", "is required");
    else if (!Number.isInteger(id_1)) report(problems, "/id", "must be an integer");
    else {
      if (id_1 < 1) report(problems, "/id", "must be at least 1");
      if (!Number.isSafeInteger(id_1)) report(problems, "/id", "must be an integer from -9007199254740991 to 9007199254740991");
    }
    const rate_2 = value.rate;
    if (rate_2 === undefined) report(problems, "/rate", "is required");
    else if (!Number.isFinite(rate_2)) report(problems, "/rate", "must be a number");
    else if (rate_2 < 0) report(problems, "/rate", "must be at least 0");
  }
}

function pickCommission(value, out) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const id_1 = value.id;
    if (id_1 !== undefined) {
      if (out.id === undefined) out.id = id_1;
    }
    const rate_2 = value.rate;
    if (rate_2 !== undefined) {
      if (out.rate === undefined) out.rate = rate_2;
    }
  }
  return out;
}

function checkCredentials(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const uuid_1 = value.uuid;
    if (uuid_1 === undefined) report(problems, "/uuid", "is required");
    else if (typeof uuid_1 !== "string") report(problems, "/uuid", "must be a string");
    else {
      if (uuid_1.length === 0) report(problems, "/uuid", "must not be empty");
      if (uuid_1.length > 128 && codePoints(uuid_1) > 128) report(problems, "/uuid", "must be at most 128 characters");
    }
    const mobile_2 = value.mobile;
    if (mobile_2 === undefined) report(problems, "/mobile", "is required");
    else if (typeof mobile_2 !== "string") report(problems, "/mobile", "must be a string");
    else if (!pattern_75938a7c.test(mobile_2)) report(problems, "/mobile", "must match the pattern ^[0-9]{4,15}$");
    const dial_code_3 = value.dial_code;
    if (dial_code_3 === undefined) report(problems, "/dial_code", "is required");
    else if (typeof dial_code_3 !== "string") report(problems, "/dial_code", "must be a string");
    else if (!pattern_f98d87e6.test(dial_code_3)) report(problems, "/dial_code", "must match the pattern ^[1-9][0-9]{0,3}$");
    const password_4 = value.password;
    if (password_4 === undefined) report(problems, "/password", "is required");
    else if (typeof password_4 !== "string") report(problems, "/password", "must be a string");
    else {
      if (password_4.length === 0) report(problems, "/password", "must not be empty");
      if (password_4.length > 1024 && codePoints(password_4) > 1024) report(problems, "/password", "must be at most 1024 characters");
    }
    const type_5 = value.type;
    if (type_5 === undefined) report(problems, "/type", "is required");
    else if (typeof type_5 !== "string") report(problems, "/type", "must be a string");
    else if (type_5.length === 0) report(problems, "/type", "must not be empty");
    const auth_type_6 = value.auth_type;
    if (auth_type_6 !== undefined) {
      if (!Number.isFinite(auth_type_6)) report(problems, "/auth_type", "must be a number");
    }
    const token_7 = value.token;
    if (token_7 !== undefined) {
      if (typeof token_7 !== "string") report(problems, "/token", "must be a string");
      else if (!pattern_73c15ddc.test(token_7)) report(problems, "/token", "must match the pattern ^[0-9]{6}$");
    }
    for (const key_8 in value) {
      if (problems.length >= mostProblems) break;
      if (!(key_8 === "uuid" || key_8 === "mobile" || key_8 === "dial_code" || key_8 === "password" || key_8 === "type" || key_8 === "auth_type" || key_8 === "token") && value[key_8] !== undefined && Object.hasOwn(value, key_8)) report(problems, `/${escapeToken(key_8)}`, "is not a known property");
    }
  }
}

function checkUser(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const id_1 = value.id;
    if (id_1 === undefined) report(problems, "/id", "is required");
    else if (typeof id_1 !== "string") report(problems, "/id", "must be a string");
    else if (!formatUuid(id_1)) report(problems, "/id", "must be a valid uuid");
    const first_name_2 = value.first_name;
    if (first_name_2 === undefined) report(problems, "/first_name", "is required");
    else if (typeof first_name_2 !== "string") report(problems, "/first_name", "must be a string");
    else if (first_name_2.length > 100 && codePoints(first_name_2) > 100) report(problems, "/first_name", "must be at most 100 characters");
    const last_name_3 = value.last_name;
    if (last_name_3 === undefined) report(problems, "/last_name", "is required");
    else if (typeof last_name_3 !== "string") report(problems, "/last_name", "must be a string");
    else if (last_name_3.length > 100 && codePoints(last_name_3) > 100) report(problems, "/last_name", "must be at most 100 characters");
    const email_4 = value.email;
    if (email_4 === undefined) report(problems, "/email", "is required");
    else if (typeof email_4 !== "string") report(problems, "/email", "must be a string");
    else if (email_4.length > 254 && codePoints(email_4) > 254) report(problems, "/email", "must be at most 254 characters");
    const profile_pic_5 = value.profile_pic;
    if (profile_pic_5 === undefined) report(problems, "/profile_pic", "is required");
    else if (typeof profile_pic_5 !== "string") report(problems, "/profile_pic", "must be a string");
    else if (profile_pic_5.length > 2048 && codePoints(profile_pic_5) > 2048) report(problems, "/profile_pic", "must be at most 2048 characters");
    const email_verified_6 = value.email_verified;
    if (email_verified_6 === undefined) report(problems, "/email_verified", "is required");
    else if (typeof email_verified_6 !== "boolean") report(problems, "/email_verified", "must be a boolean");
    const key_7 = value.key;
    if (key_7 === undefined) report(problems, "/key", "is required");
    else {
      const before_8 = problems.length;
      checkSessionKeys(key_7, problems);
      if (problems.length > before_8) prefix(problems, before_8, "/key");
    }
  }
}

function pickUser(value, out) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const id_1 = value.id;
    if (id_1 !== undefined) {
      if (out.id === undefined) out.id = id_1;
    }
    const first_name_2 = value.first_name;
    if (first_name_2 !== undefined) {
      if (out.first_name === undefined) out.first_name = first_name_2;
    }
    const last_name_3 = value.last_name;
    if (last_name_3 !== undefined) {
      if (out.last_name === undefined) out.last_name = last_name_3;
    }
    const email_4 = value.email;
    if (email_4 !== undefined) {
      if (out.email === undefined) out.email = email_4;
    }
    const profile_pic_5 = value.profile_pic;
    if (profile_pic_5 !== undefined) {
      if (out.profile_pic === undefined) out.profile_pic = profile_pic_5;
    }
    const email_verified_6 = value.email_verified;
    if (email_verified_6 !== undefined) {
      if (out.email_verified === undefined) out.email_verified = email_verified_6;
    }
    const key_7 = value.key;
    if (key_7 !== undefined) {
      let copy_8 = out.key;
      if (copy_8 === undefined) copy_8 = key_7;
      copy_8 = pickSessionKeys(key_7, copy_8);
      out.key = copy_8;
    }
  }
  return out;
}

function checkSessionKeys(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const auth_key_1 = value.auth_key;
    if (auth_key_1 === undefined) report(problems, "/auth_key", "is required");
    else if (typeof auth_key_1 !== "string") report(problems, "/auth_key", "must be a string");
    else {
      if (auth_key_1.length < 43 || (auth_key_1.length < 86 && codePoints(auth_key_1) < 43)) report(problems, "/auth_key", "must be at least 43 characters");
      if (auth_key_1.length > 128 && codePoints(auth_key_1) > 128) report(problems, "/auth_key", "must be at most 128 characters");
    }
    const refresh_key_2 = value.refresh_key;
    if (refresh_key_2 === undefined) report(problems, "/refresh_key", "is required");
    else if (typeof refresh_key_2 !== "string") report(problems, "/refresh_key", "must be a string");
    else {
      if (refresh_key_2.length < 43 || (refresh_key_2.length < 86 && codePoints(refresh_key_2) < 43)) report(problems, "/refresh_key", "must be at least 43 characters");
      if (refresh_key_2.length > 128 && codePoints(refresh_key_2) > 128) report(problems, "/refresh_key", "must be at most 128 characters");
    }
  }
}

function pickSessionKeys(value, out) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const auth_key_1 = value.auth_key;
    if (auth_key_1 !== undefined) {
      if (out.auth_key === undefined) out.auth_key = auth_key_1;
    }
    const refresh_key_2 = value.refresh_key;
    if (refresh_key_2 !== undefined) {
      if (out.refresh_key === undefined) out.refresh_key = refresh_key_2;
    }
  }
  return out;
}

function checkWebhook(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const id_1 = value.id;
    if (id_1 === undefined) report(problems, "/id", "is required");
    else if (!Number.isInteger(id_1)) report(problems, "/id", "must be an integer");
    else {
      if (id_1 < 1) report(problems, "/id", "must be at least 1");
      if (!Number.isSafeInteger(id_1)) report(problems, "/id", "must be an integer from -9007199254740991 to 9007199254740991");
    }
    const url_2 = value.url;
    if (url_2 === undefined) report(problems, "/url", "is required");
    else if (typeof url_2 !== "string") report(problems, "/url", "must be a string");
    else if (!formatUri(url_2)) report(problems, "/url", "must be a valid uri");
    const events_3 = value.events;
    if (events_3 === undefined) report(problems, "/events", "is required");
    else if (!Array.isArray(events_3)) report(problems, "/events", "must be an array");
    else {
      for (let i_4 = 0; i_4 < events_3.length; i_4 += 1) {
        if (problems.length >= mostProblems) break;
        const item_5 = events_3[i_4];
        const before_6 = problems.length;
        checkEventKind(item_5, problems);
        if (problems.length > before_6) prefix(problems, before_6, `/events/${i_4}`);
      }
    }
  }
}

function pickWebhook(value, out) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const id_1 = value.id;
    if (id_1 !== undefined) {
      if (out.id === undefined) out.id = id_1;
    }
    const url_2 = value.url;
    if (url_2 !== undefined) {
      if (out.url === undefined) out.url = url_2;
    }
    const events_3 = value.events;
    if (events_3 !== undefined) {
      if (out.events === undefined) out.events = events_3;
    }
  }
  return out;
}

function checkEventKind(value, problems) {
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (value.length === 0) report(problems, "", "must not be empty");
}

function checkSucceeded(value, problems) {
  if (typeof value !== "boolean") report(problems, "", "must be a boolean");
  else if (value !== true) report(problems, "", "must be true");
}

function checkErrorCode(value, problems) {
  if (typeof value !== "string") report(problems, "", "must be a string");
  else if (!values_d28df585.has(value)) report(problems, "", "must be one of \"api_key_invalid\", \"api_key_kind_forbidden\", \"api_key_missing\", \"auth_flow_unsupported\", \"content_too_large\", \"credentials_invalid\", \"internal_error\", \"malformed_content\", \"malformed_request\", \"method_not_allowed\", \"request_invalid\", \"route_not_found\", \"too_many_attempts\", \"totp_invalid\", \"totp_required\", \"unavailable\", \"unsupported_media_type\", \"webhook_not_found\"");
}

function checkProblem(value, problems) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) report(problems, "", "must be an object");
  else {
    const in_1 = value.in;
    if (in_1 === undefined) report(problems, "/in", "is required");
    else if (typeof in_1 !== "string") report(problems, "/in", "must be a string");
    else if (in_1 !== "body" && in_1 !== "path" && in_1 !== "query" && in_1 !== "header" && in_1 !== "cookie") report(problems, "/in", "must be one of \"body\", \"path\", \"query\", \"header\", \"cookie\"");
    const pointer_2 = value.pointer;
    if (pointer_2 === undefined) report(problems, "/pointer", "is required");
    else if (typeof pointer_2 !== "string") report(problems, "/pointer", "must be a string");
    else if (!formatJsonPointer(pointer_2)) report(problems, "/pointer", "must be a valid JSON pointer");
    const message_3 = value.message;
    if (message_3 === undefined) report(problems, "/message", "is required");
    else if (typeof message_3 !== "string") report(problems, "/message", "must be a string");
    else if (message_3.length === 0) report(problems, "/message", "must not be empty");
  }
}

function pickProblem(value, out) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (out === value) out = {};
    const in_1 = value.in;
    if (in_1 !== undefined) {
      if (out.in === undefined) out.in = in_1;
    }
    const pointer_2 = value.pointer;
    if (pointer_2 !== undefined) {
      if (out.pointer === undefined) out.pointer = pointer_2;
    }
    const message_3 = value.message;
    if (message_3 !== undefined) {
      if (out.message === undefined) out.message = message_3;
    }
  }
  return out;
}

/** Returns the object's own property. Returns undefined for inherited properties. */
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property with any name. A plain assignment to `__proto__` would change the prototype. */
function put(object, key, value) {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Sets each property that is still missing. `later` is a flat list: object, name, value, object, name, value, … */
function setAbsent(value, later) {
  for (let i = 0; i < later.length; i += 3)
    if (own(later[i], later[i + 1]) === undefined) put(later[i], later[i + 1], later[i + 2]);
  return value;
}

/** The length in JSON Schema counts Unicode code points (RFC 8259, section 1). */
function codePoints(text) {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    count -= 1;
    i += 1;
  }
  return count;
}

function report(problems, pointer, message) {
  problems.push({ pointer, message });
}

/** Escapes a property name as one token of a JSON pointer (RFC 6901, section 3). */
function escapeToken(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Adds the pointer of a part to the start of the pointers of its problems. */
function prefix(problems, from, place) {
  for (let i = from; i < problems.length; i += 1) problems[i].pointer = place + problems[i].pointer;
}

/** Replaces the message for properties that only another alternative allows. */
function clarify(problems, from, place, tokens, message) {
  for (let i = from; i < problems.length; i += 1) {
    const { pointer, message: said } = problems[i];
    if (said !== "is not a known property" && said !== "is not allowed") continue;
    if (pointer.startsWith(place) && tokens.includes(pointer.slice(place.length)))
      problems[i].message = message;
  }
}

/** Adds the problems that all lists have in common. */
function pushShared(problems, lists) {
  const [first, ...others] = lists;
  for (const problem of first) {
    const isSame = ({ pointer, message }) => pointer === problem.pointer && message === problem.message;
    if (others.every((list) => list.some(isSame))) problems.push(problem);
  }
}

/** Maximum number of collected problems, so that a body with many errors does not take unlimited time. */
const mostProblems = 1000;

/** Keeps one of several equal problems. It is called only if there is a problem, so it always returns false. */
function settle(problems, from) {
  if (problems.length >= mostProblems)
    problems.push({ pointer: "", message: "may have more problems than are listed" });
  const seen = new Set();
  let kept = from;
  for (let i = from; i < problems.length; i += 1) {
    const key = `${problems[i].pointer}\n${problems[i].message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    problems[kept] = problems[i];
    kept += 1;
  }
  problems.length = kept;
  return false;
}

/** RFC 4122, section 3. */
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu;

function formatUuid(text) {
  return uuidPattern.test(text);
}

/** RFC 6901, section 3. */
function formatJsonPointer(text) {
  return text === "" || (text[0] === "/" && !/~(?![01])/u.test(text));
}

/** Dotted quad of RFC 2673, section 3.2. */
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/u;

function formatIpv4(text) {
  return ipv4Pattern.test(text);
}

/** RFC 4291, section 2.2. */
function formatIpv6(text) {
  if (!/^[\da-f:.]{2,45}$/iu.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (let h = 0; h < halves.length; h += 1) {
    if (halves[h] === "") continue;
    const fields = halves[h].split(":");
    for (let i = 0; i < fields.length; i += 1) {
      // Only the last field may be an IPv4 address.
      if (h === halves.length - 1 && i === fields.length - 1 && fields[i].includes(".")) {
        if (!formatIpv4(fields[i])) return false;
        groups += 2;
      } else {
        if (!/^[\dA-Fa-f]{1,4}$/u.test(fields[i])) return false;
        groups += 1;
      }
    }
  }
  // "::" replaces at least one group of zeros.
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** Splits as in RFC 3986, appendix B, and checks the characters of each part (section 3; RFC 3987 for IRIs). */
function resource(text, absolute, international) {
  const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su.exec(text);
  if (parts === null) return false;
  const [, scheme, authority, path, query = "", fragment = ""] = parts;
  if (absolute && scheme === undefined) return false;
  if (scheme !== undefined && !/^[A-Za-z][\dA-Za-z+.-]*$/u.test(scheme)) return false;
  if (/%(?![\da-f]{2})/iu.test(text)) return false;
  const wrong = international
    ? /[^\w.~!$&'()*+,;=:@/%\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{efffd}-]/u
    : /[^\w.~!$&'()*+,;=:@/%-]/u;
  if (
    wrong.test(path) ||
    wrong.test(fragment.replaceAll("?", "")) ||
    wrong.test(queryText(query, international))
  )
    return false;
  if (authority === undefined) return scheme !== undefined || !/^[^/]*:/u.test(path);
  return authorityHolds(authority, wrong);
}

/** A query may contain question marks and, in an IRI, private characters (RFC 3987, section 2.2). */
function queryText(query, international) {
  const marks = query.replaceAll("?", "");
  return international
    ? marks.replace(/[\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu, "")
    : marks;
}

/** RFC 3986, section 3.2. */
function authorityHolds(authority, wrong) {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && (authority.slice(0, at).includes("@") || wrong.test(authority.slice(0, at)))) return false;
  const [, literal, name, port = ""] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/su.exec(authority.slice(at + 1)) ?? [];
  if ((literal === undefined && name === undefined) || !/^\d*$/u.test(port)) return false;
  if (literal !== undefined)
    return formatIpv6(literal) || /^[Vv][\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/u.test(literal);
  return !wrong.test(name) && !name.includes("@");
}

function formatUri(text) {
  // Handles the common case first: a name, an optional port, and no escapes.
  return (
    /^[A-Za-z][\dA-Za-z+.-]*:\/\/[\w.~-]+(?::\d+)?(?:[/?#][\w.~!$&'()*+,;=:@/?-]*)?$/u.test(text) ||
    resource(text, true, false)
  );
}
