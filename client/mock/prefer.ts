export interface Preference {
  readonly code?: number;
  readonly example?: string;
}

const preferenceForm = /^([^\s=]+)\s*=\s*(?:"([^"]*)"|([^\s"]*))$/;

/**
 * Reads `code=404`, `example=name`, or both separated by a comma. Ignores repetitions and other preferences
 * (RFC 7240, section 2).
 *
 * @returns undefined if the code is not a valid status, or one of the two preferences has no value
 */
export function parsePrefer(header: string): Preference | undefined {
  let preference: Preference = {};
  for (const part of header.split(/[,;]/)) {
    const [, name = part.trim(), quoted, plain] = preferenceForm.exec(part.trim()) ?? [];
    const value = quoted ?? plain ?? "";
    switch (name.toLowerCase()) {
      case "code":
        if (!/^[1-5]\d\d$/.test(value)) return undefined;
        preference = { code: Number(value), ...preference };
        break;
      case "example":
        if (value === "") return undefined;
        preference = { example: value, ...preference };
        break;
    }
  }
  return preference;
}
