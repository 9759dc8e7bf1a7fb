/** Finds the media type or status of a document that covers one of the other document. */

/** The most specific media type of a list that covers a media type or range. */
export function coveringMediaType(name: string, list: readonly string[]): string | undefined {
  const own = parsedType(name);
  const isMet = (each: string): boolean =>
    parsedType(each).parameters.every((parameter) => own.parameters.includes(parameter));
  const ofEssence = (essence: string): string | undefined =>
    list
      .filter((each) => parsedType(each).essence === essence && isMet(each))
      .toSorted((a, b) => parsedType(b).parameters.length - parsedType(a).parameters.length)[0];
  return (
    list.find((each) => each === name) ??
    ofEssence(own.essence) ??
    ofEssence(`${own.essence.split("/")[0]}/*`) ??
    ofEssence("*/*")
  );
}

/** Ignores the charset: JSON and forms have only one (RFC 8259, section 8.1). */
function parsedType(name: string): { essence: string; parameters: string[] } {
  const [essence = "", ...parameters] = name.split(";").map((each) => each.trim().toLowerCase());
  return { essence, parameters: parameters.filter((each) => each !== "" && !each.startsWith("charset=")) };
}

export function coveringStatus(status: string, list: readonly string[]): string | undefined {
  return [status, `${status[0]}XX`, "default"].find((each) => list.includes(each));
}
