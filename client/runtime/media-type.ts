/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essence(mediaType: string): string {
  return mediaType.replace(/;.*/s, "").trim().toLowerCase();
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essence(mediaType));
}
