/** Where error responses of this service have their code, as a JSON pointer (RFC 6901). */
export const codeAt = "/error/code";
