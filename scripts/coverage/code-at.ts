/** The JSON pointer (RFC 6901) of the code in this service's error responses. */
export const codeAt = "/error/code";
