/** Where the code of an error stands in this service's answers, as a JSON pointer (RFC 6901). */
export const codeAt = "/error/code";
