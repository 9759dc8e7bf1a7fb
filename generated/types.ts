/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
/** Commerce Service */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Submit a commission definition
         * @description Stores a commission definition for the tenant of the key and returns its record.
         *
         *     Clients and proxies may repeat a GET, so the operation is idempotent. If the tenant submits an equal definition
         *     again, the response has the same record. Definitions are compared as canonical JSON (RFC 8785), with defaults
         *     filled in.
         *
         *     The schema cannot express these rules: the slabs of a rule ascend and do not overlap, but they may share a bound.
         *     In each slab, `from` is less than `to`. The last slab, and only the last, has `to: -1`. Gaps are allowed: the
         *     default value applies in a gap.
         *
         *     A server may limit the number of a tenant's definitions. A new definition beyond the limit is rejected with 422 and
         *     `request_invalid`. Its problem has the pointer `/commission`.
         */
        get: operations["submitCommission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a user in
         * @description Identifies a user of the key's tenant by `dial_code`, `mobile`, `password` and the role in `type`. Returns the user
         *     with new session keys.
         *
         *     `uuid` identifies the device or the anonymous session. A login creates the session of this `uuid` or replaces it.
         *     The keys of a replaced session no longer work.
         *
         *     The response is the same for an unknown number, a wrong role and a wrong password. If MFA is enabled for the
         *     account, `token` is checked only after a correct password. A code works once (RFC 6238, section 5.2).
         *
         *     Failed logins are limited for each account and, within the tenant, for each IP address or IPv6 network of 64 bits.
         *     Wrong codes are limited for each account and day. The response to a failed login has the number of remaining
         *     attempts in `RateLimit`. It counts only the failures of the caller's own address, so an account may be locked
         *     earlier. If an account is locked, a device that has a session still has separate attempts. The
         *     `uuid` identifies the device, so keep it secret.
         *
         *     A backend that logs in users with a secret key sends each user's IP address in `X-End-User-Address`. Otherwise
         *     all its users share the limit of the backend's address.
         */
        post: operations["loginUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook to retrieve. */
                webhook_id: number;
            };
            cookie?: never;
        };
        /**
         * Retrieve a webhook
         * @description Returns one webhook of the key's tenant: its target URL and the event kinds it subscribes to. For a webhook of
         *     another tenant, the response is the same as for one that does not exist.
         *
         *     The request body is an empty JSON object. Callers that cannot send a body with GET leave it out.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The request body of `submitCommission`. */
        SubmitCommissionRequest: {
            commission: components["schemas"]["CommissionDefinition"];
        };
        /** @description A default value and rules for categories. */
        CommissionDefinition: {
            /**
             * @description Name of the commission.
             * @example Marketplace supply 2026
             */
            title: string;
            /**
             * @description Type of the commission. Any non-empty string, for example `supply`.
             * @example supply
             */
            type: string;
            /**
             * @description The commission's value if no rule applies.
             * @example 12.5
             */
            default_value: number;
            /**
             * @description Whether the commission is active.
             * @default true
             */
            active?: boolean;
            /**
             * @description The rules. Each applies to one or more categories.
             * @default []
             */
            commission_data?: components["schemas"]["CommissionRule"][];
        };
        /** @description A rule for some categories, with a fixed value (`type` 1) or slabs (`type` 2). */
        CommissionRule: components["schemas"]["FixedRule"] | components["schemas"]["SlabRule"];
        /** @description One value for the categories. */
        FixedRule: {
            category: components["schemas"]["Categories"];
            /**
             * @description Marks a rule with a fixed value.
             * @constant
             */
            type: 1;
            /**
             * @description The commission's value.
             * @example 8
             */
            fixed_value: number;
        };
        /** @description A value for each slab of an amount. */
        SlabRule: {
            category: components["schemas"]["Categories"];
            /**
             * @description Marks a rule with slabs.
             * @constant
             */
            type: 2;
            /** @description The slabs, in ascending order. They do not overlap. Gaps are allowed. The last one has no upper bound. */
            slab_value: components["schemas"]["Slab"][];
        };
        /**
         * @description Identifiers of the categories that a rule applies to.
         * @example [
         *       101,
         *       102
         *     ]
         */
        Categories: number[];
        /** @description A range of amounts and the commission's value for it. */
        Slab: {
            /**
             * @description Lower bound of the slab.
             * @example 0
             */
            from: number;
            /**
             * @description Upper bound of the slab, greater than `from`. -1 in the last slab, which has no upper bound.
             * @example 1000
             */
            to: number;
            /**
             * @description The commission's value for the slab.
             * @example 10
             */
            value: number;
        };
        /** @description The response body with the record of a commission definition. */
        SubmitCommissionResponse: {
            status: components["schemas"]["Succeeded"];
            /** @description Contains the commission. */
            data: {
                commission: components["schemas"]["Commission"];
            };
        };
        /** @description The record of a commission definition. */
        Commission: {
            /**
             * @description Identifier of the record.
             * @example 1
             */
            id: number;
            /**
             * @description The definition's `default_value`, which applies if no rule does.
             * @example 12.5
             */
            rate: number;
        };
        /** @description The request body of `loginUser`. */
        LoginUserRequest: {
            user: components["schemas"]["Credentials"];
        };
        /** @description Identifies the user and the device. */
        Credentials: {
            /**
             * @description Unique identifier of the device or the anonymous session. The login creates or replaces the session with this identifier.
             * @example 7f4f3a52-8d0c-4f7e-9c35-0a4d9a3f9b11
             */
            uuid: string;
            /**
             * @description Registered mobile number of the account, digits only, without the dial code.
             * @example 9876543210
             */
            mobile: string;
            /**
             * @description Country dial code, without the `+` sign.
             * @example 91
             */
            dial_code: string;
            /**
             * Format: password
             * @description Password of the account.
             */
            password: string;
            /**
             * @description Role to log in as, for example `customer`.
             * @example customer
             */
            type: string;
            /**
             * @description Overrides the tenant's default authentication flow. 3 means mobile and password, which is the only supported
             *     flow. Others are rejected with `auth_flow_unsupported`.
             * @example 3
             */
            auth_type?: number;
            /**
             * Format: password
             * @description TOTP code. Required only if MFA is enabled for the account, and otherwise ignored.
             */
            token?: string;
        };
        /** @description The response body with the user who is logged in. */
        LoginUserResponse: {
            status: components["schemas"]["Succeeded"];
            /** @description Contains the user. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description A user and the keys of the new session. */
        User: {
            /**
             * Format: uuid
             * @description Identifier of the user.
             * @example 2f1c8a94-43a5-4f6b-8f0e-1f4d3f8a2b10
             */
            id: string;
            /**
             * @description Given name. Empty if the account has none.
             * @example Asha
             */
            first_name: string;
            /**
             * @description Family name. Empty if the account has none.
             * @example Rao
             */
            last_name: string;
            /**
             * @description E-mail address. Empty if the account has none.
             * @example asha.rao@mail.test
             */
            email: string;
            /**
             * @description URL of the profile picture. Empty if the account has none.
             * @example https://images.test/asha.png
             */
            profile_pic: string;
            /** @description Whether the e-mail address has been verified. */
            email_verified: boolean;
            key: components["schemas"]["SessionKeys"];
        };
        /** @description The keys of a session, each of 256 random bits. The service stores only their hashes. */
        SessionKeys: {
            /** @description Authenticates the session. The deployment sets its lifetime (an hour by default). */
            auth_key: string;
            /** @description Renews the session. Its lifetime is at least that of `auth_key` (30 days by default). */
            refresh_key: string;
        };
        /**
         * @description The request body of `getWebhook`, an empty object.
         * @default {}
         */
        GetWebhookRequest: Record<string, never>;
        /** @description The response body with a webhook. */
        GetWebhookResponse: {
            status: components["schemas"]["Succeeded"];
            /** @description Contains the webhook. */
            data: {
                webhook: components["schemas"]["Webhook"];
            };
        };
        /** @description A URL that receives the tenant's events. */
        Webhook: {
            /**
             * @description Identifier of the webhook.
             * @example 1
             */
            id: number;
            /**
             * Format: uri
             * @description Target URL of the webhook.
             * @example https://shop.test/hooks/orders
             */
            url: string;
            /** @description The event kinds that the webhook subscribes to. */
            events: components["schemas"]["EventKind"][];
        };
        /**
         * @description A name with dots, for example `order.created`. Newer servers may add kinds.
         * @example order.created
         */
        EventKind: string;
        /**
         * @description True, because the call succeeded.
         * @constant
         */
        Succeeded: true;
        /** @description The response body of every error. */
        Error: {
            /**
             * @description False, because the call failed.
             * @constant
             */
            status: false;
            /** @description The error. */
            error: {
                code: components["schemas"]["ErrorCode"];
                /** @description A description of the error for people. The wording may change at any time. */
                message: string;
                /** @description The value of `X-Request-Id`. Include it if you report the error. */
                request_id: string;
                /**
                 * @description All problems of the request, each with its place. If there are more than 100, the first 100 are listed, and
                 *     `message` says so.
                 */
                problems?: components["schemas"]["Problem"][];
            };
        };
        /**
         * @description The error for programs. The meaning of a code never changes. Newer servers may add codes.
         * @enum {string}
         */
        ErrorCode: "api_key_invalid" | "api_key_kind_forbidden" | "api_key_missing" | "auth_flow_unsupported" | "content_too_large" | "credentials_invalid" | "internal_error" | "malformed_content" | "malformed_request" | "method_not_allowed" | "request_invalid" | "route_not_found" | "too_many_attempts" | "totp_invalid" | "totp_required" | "unavailable" | "unsupported_media_type" | "webhook_not_found";
        /** @description A problem of the request. */
        Problem: {
            /**
             * @description The part of the request that has the problem.
             * @enum {string}
             */
            in: "body" | "path" | "query" | "header" | "cookie";
            /**
             * Format: json-pointer
             * @description JSON pointer (RFC 6901) into the request body, or to the parameter by its name. For a missing property, it is the
             *     place where the property should be.
             * @example /commission/commission_data/0/fixed_value
             */
            pointer: string;
            /**
             * @description A description of the problem for people.
             * @example is required
             */
            message: string;
        };
    };
    responses: {
        /** @description The record of the definition, which may be new. */
        CommissionSubmitted: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Accept-Query"?: components["headers"]["AcceptQuery"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SubmitCommissionResponse"];
            };
        };
        /** @description The webhook. */
        WebhookRetrieved: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Accept-Query"?: components["headers"]["AcceptQuery"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GetWebhookResponse"];
            };
        };
        /**
         * @description The request body is not JSON in UTF-8.
         *
         *     Code: `malformed_content`.
         */
        MalformedContent: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description No valid API key was sent.
         *
         *     Codes: `api_key_missing`, `api_key_invalid`.
         */
        ApiKeyRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description No valid API key was sent, or the user's credentials were rejected. In the second case, `RateLimit` has the number of
         *     remaining attempts.
         *
         *     Codes: `api_key_missing`, `api_key_invalid`, `credentials_invalid`, `totp_required`, `totp_invalid`.
         */
        LoginRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                /** @description As with 429. Only if the credentials or a code were wrong. */
                RateLimit?: string;
                /** @description As with 429. Only if the credentials or a code were wrong. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The key is valid, but it may not call this operation: its kind may not, or the key is restricted to others.
         *
         *     Code: `api_key_kind_forbidden`.
         */
        ApiKeyKindForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The tenant has no such webhook.
         *
         *     Code: `webhook_not_found`.
         */
        WebhookNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request body is larger than the limit.
         *
         *     Code: `content_too_large`.
         */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request body is not sent as `application/json` in UTF-8, or it is compressed.
         *
         *     Code: `unsupported_media_type`.
         */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Accept-Query"?: components["headers"]["AcceptQuery"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description One or more values are invalid. `problems` lists all of them, up to 100.
         *
         *     Code: `request_invalid`.
         */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description One or more values are invalid, `X-End-User-Address` was sent with a publishable key, or the authentication flow is
         *     not supported.
         *
         *     Codes: `request_invalid`, `auth_flow_unsupported`.
         */
        InvalidLogin: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description There were too many login attempts for the account or from the address, or too many wrong codes. `Retry-After` says
         *     when to try again, and `RateLimit` shows which limit was reached.
         *
         *     Code: `too_many_attempts`.
         */
        TooManyAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The service failed. Its log contains the cause, with the request's id.
         *
         *     Code: `internal_error`.
         */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The service cannot reach its database, or it has too much work, in total or for one caller.
         *     `Retry-After` says when to try again.
         *
         *     Code: `unavailable`.
         */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: {
        /** @description The commission definition. */
        CommissionDefinition: {
            content: {
                "application/json": components["schemas"]["SubmitCommissionRequest"];
            };
        };
        /** @description An empty object. */
        EmptyObject: {
            content: {
                "application/json": components["schemas"]["GetWebhookRequest"];
            };
        };
    };
    headers: {
        /**
         * @description Identifies this request in the server's log. It is the caller's `X-Request-Id` if that is a UUID, a ULID or a trace
         *     id of 32 hexadecimal digits. Otherwise it is a new UUID.
         */
        RequestId: string;
        /** @description Caches must not store the response (RFC 9111, section 5.2.2.5). */
        CacheControl: "no-store";
        /** @description The media type of request bodies with QUERY (RFC 10008, section 3). Absent if the path has no QUERY. */
        AcceptQuery: string;
        /** @description The scheme that the service accepts (RFC 6750, section 3). */
        WwwAuthenticate: string;
        /** @description Seconds to wait before the next attempt (RFC 9110, section 10.2.3). */
        RetryAfter: number;
        /**
         * @description The limits that apply to the attempt. `r` attempts remain until the window ends in `t` seconds
         *     (draft-ietf-httpapi-ratelimit-headers-11). Newer servers may add limits.
         */
        RateLimit: string;
        /**
         * @description The sizes of the limits in `RateLimit`: `q` attempts in a window of `w` seconds
         *     (draft-ietf-httpapi-ratelimit-headers-11).
         */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    /**
     * Submit a commission definition
     * @description Stores a commission definition for the tenant of the key and returns its record.
     *
     *     Clients and proxies may repeat a GET, so the operation is idempotent. If the tenant submits an equal definition
     *     again, the response has the same record. Definitions are compared as canonical JSON (RFC 8785), with defaults
     *     filled in.
     *
     *     The schema cannot express these rules: the slabs of a rule ascend and do not overlap, but they may share a bound.
     *     In each slab, `from` is less than `to`. The last slab, and only the last, has `to: -1`. Gaps are allowed: the
     *     default value applies in a gap.
     *
     *     A server may limit the number of a tenant's definitions. A new definition beyond the limit is rejected with 422 and
     *     `request_invalid`. Its problem has the pointer `/commission`.
     */
    submitCommission: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CommissionDefinition"];
        responses: {
            200: components["responses"]["CommissionSubmitted"];
            400: components["responses"]["MalformedContent"];
            401: components["responses"]["ApiKeyRefused"];
            403: components["responses"]["ApiKeyKindForbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Log a user in
     * @description Identifies a user of the key's tenant by `dial_code`, `mobile`, `password` and the role in `type`. Returns the user
     *     with new session keys.
     *
     *     `uuid` identifies the device or the anonymous session. A login creates the session of this `uuid` or replaces it.
     *     The keys of a replaced session no longer work.
     *
     *     The response is the same for an unknown number, a wrong role and a wrong password. If MFA is enabled for the
     *     account, `token` is checked only after a correct password. A code works once (RFC 6238, section 5.2).
     *
     *     Failed logins are limited for each account and, within the tenant, for each IP address or IPv6 network of 64 bits.
     *     Wrong codes are limited for each account and day. The response to a failed login has the number of remaining
     *     attempts in `RateLimit`. It counts only the failures of the caller's own address, so an account may be locked
     *     earlier. If an account is locked, a device that has a session still has separate attempts. The
     *     `uuid` identifies the device, so keep it secret.
     *
     *     A backend that logs in users with a secret key sends each user's IP address in `X-End-User-Address`. Otherwise
     *     all its users share the limit of the backend's address.
     */
    loginUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The user's IPv4 or IPv6 address without a port or a zone, as the backend sees it. Failed logins are then counted for this
                 *     address, not for the backend's address. A request with a publishable key must not have this header: it is
                 *     rejected with `request_invalid`.
                 */
                "X-End-User-Address"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The user, the device and the password. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginUserRequest"];
            };
        };
        responses: {
            /** @description The user with new session keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginUserResponse"];
                };
            };
            400: components["responses"]["MalformedContent"];
            401: components["responses"]["LoginRefused"];
            403: components["responses"]["ApiKeyKindForbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidLogin"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    /**
     * Retrieve a webhook
     * @description Returns one webhook of the key's tenant: its target URL and the event kinds it subscribes to. For a webhook of
     *     another tenant, the response is the same as for one that does not exist.
     *
     *     The request body is an empty JSON object. Callers that cannot send a body with GET leave it out.
     */
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook to retrieve. */
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["EmptyObject"];
        responses: {
            200: components["responses"]["WebhookRetrieved"];
            400: components["responses"]["MalformedContent"];
            401: components["responses"]["ApiKeyRefused"];
            403: components["responses"]["ApiKeyKindForbidden"];
            404: components["responses"]["WebhookNotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
/** Schemas of requests, if they differ from those of responses. */
export interface sent {
    schemas: {};
}
/** Requests for handlers, if they differ because defaults are filled in. */
export interface received {
    schemas: {
        /** @description The request body of `submitCommission`. */
        SubmitCommissionRequest: {
            commission: received["schemas"]["CommissionDefinition"];
        };
        /** @description A default value and rules for categories. */
        CommissionDefinition: {
            /**
             * @description Name of the commission.
             * @example Marketplace supply 2026
             */
            title: string;
            /**
             * @description Type of the commission. Any non-empty string, for example `supply`.
             * @example supply
             */
            type: string;
            /**
             * @description The commission's value if no rule applies.
             * @example 12.5
             */
            default_value: number;
            /**
             * @description Whether the commission is active.
             * @default true
             */
            active: boolean;
            /**
             * @description The rules. Each applies to one or more categories.
             * @default []
             */
            commission_data: components["schemas"]["CommissionRule"][];
        };
    };
    operations: {
        submitCommission: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description The commission definition. */
            requestBody: {
                content: {
                    "application/json": received["schemas"]["SubmitCommissionRequest"];
                };
            };
        };
        getWebhook: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The webhook to retrieve. */
                    webhook_id: number;
                };
                cookie?: never;
            };
            /** @description An empty object. */
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GetWebhookRequest"];
                };
            };
        };
    };
}
/** @description The request body of `submitCommission`. */
export type SubmitCommissionRequest = components["schemas"]["SubmitCommissionRequest"];
/** @description A default value and rules for categories. */
export type CommissionDefinition = components["schemas"]["CommissionDefinition"];
/** @description A rule for some categories, with a fixed value (`type` 1) or slabs (`type` 2). */
export type CommissionRule = components["schemas"]["CommissionRule"];
/** @description One value for the categories. */
export type FixedRule = components["schemas"]["FixedRule"];
/** @description A value for each slab of an amount. */
export type SlabRule = components["schemas"]["SlabRule"];
/**
 * @description Identifiers of the categories that a rule applies to.
 * @example [
 *       101,
 *       102
 *     ]
 */
export type Categories = components["schemas"]["Categories"];
/** @description A range of amounts and the commission's value for it. */
export type Slab = components["schemas"]["Slab"];
/** @description The response body with the record of a commission definition. */
export type SubmitCommissionResponse = components["schemas"]["SubmitCommissionResponse"];
/** @description The record of a commission definition. */
export type Commission = components["schemas"]["Commission"];
/** @description The request body of `loginUser`. */
export type LoginUserRequest = components["schemas"]["LoginUserRequest"];
/** @description Identifies the user and the device. */
export type Credentials = components["schemas"]["Credentials"];
/** @description The response body with the user who is logged in. */
export type LoginUserResponse = components["schemas"]["LoginUserResponse"];
/** @description A user and the keys of the new session. */
export type User = components["schemas"]["User"];
/** @description The keys of a session, each of 256 random bits. The service stores only their hashes. */
export type SessionKeys = components["schemas"]["SessionKeys"];
/**
 * @description The request body of `getWebhook`, an empty object.
 * @default {}
 */
export type GetWebhookRequest = components["schemas"]["GetWebhookRequest"];
/** @description The response body with a webhook. */
export type GetWebhookResponse = components["schemas"]["GetWebhookResponse"];
/** @description A URL that receives the tenant's events. */
export type Webhook = components["schemas"]["Webhook"];
/**
 * @description A name with dots, for example `order.created`. Newer servers may add kinds.
 * @example order.created
 */
export type EventKind = components["schemas"]["EventKind"];
/**
 * @description True, because the call succeeded.
 * @constant
 */
export type Succeeded = components["schemas"]["Succeeded"];
/** @description The response body of every error. */
export type Error = components["schemas"]["Error"];
/**
 * @description The error for programs. The meaning of a code never changes. Newer servers may add codes.
 * @enum {string}
 */
export type ErrorCode = components["schemas"]["ErrorCode"];
/** @description A problem of the request. */
export type Problem = components["schemas"]["Problem"];
