/** The numbers that the formats of the OpenAPI format registry allow. */
import type { Json } from "../document.ts";

export interface Range {
  readonly least: number;
  readonly most: number;
}

const ranges: { readonly [format: string]: Range } = {
  int8: { least: -(2 ** 7), most: 2 ** 7 - 1 },
  uint8: { least: 0, most: 2 ** 8 - 1 },
  int16: { least: -(2 ** 15), most: 2 ** 15 - 1 },
  uint16: { least: 0, most: 2 ** 16 - 1 },
  int32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint32: { least: 0, most: 2 ** 32 - 1 },
  int64: { least: -(2 ** 63), most: 2 ** 63 },
  uint64: { least: 0, most: 2 ** 64 },
};

export function formatRange(format: Json | undefined): Range | undefined {
  return typeof format === "string" && Object.hasOwn(ranges, format) ? ranges[format] : undefined;
}
