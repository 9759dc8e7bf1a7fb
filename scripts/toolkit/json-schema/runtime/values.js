/** Helpers of the generated validators: functions for JSON values. Only helpers in use are emitted. */

/** Returns the object's own property. Returns undefined for inherited properties. */
export function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property with any name. A plain assignment to `__proto__` would change the prototype. */
export function put(object, key, value) {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Copies the object and changes a property; undefined removes it. Returns the object itself if nothing changes. */
export function replaced(object, key, value) {
  if (own(object, key) === value) return object;
  const copy = { ...object };
  if (value === undefined) delete copy[key];
  else put(copy, key, value);
  return copy;
}

/** Returns the value without its properties: an empty object for an object. */
export function blank(value) {
  if (Array.isArray(value)) return [];
  return typeof value === "object" && value !== null ? {} : value;
}

/** Sets each property that is still missing. `later` is a flat list: object, name, value, object, name, value, … */
export function setAbsent(value, later) {
  for (let i = 0; i < later.length; i += 3)
    if (own(later[i], later[i + 1]) === undefined) put(later[i], later[i + 1], later[i + 2]);
  return value;
}

/**
 * Keeps parts level by level, so that the order of schemas does not matter. `later` is a flat list that grows during the
 * work: function, value, copy of the value's parent, key, function, …
 */
export function keepParts(later, memory) {
  const kept = new Map();
  for (let i = 0; i < later.length; i += 4) {
    const keep = later[i];
    const value = later[i + 1];
    const copy = own(later[i + 2], later[i + 3]);
    if (copy === undefined || copy === value) continue;
    const copies = kept.get(keep) ?? new Set();
    if (copies.has(copy)) continue;
    kept.set(keep, copies.add(copy));
    keep(value, copy, later, memory);
  }
}

export function countProperties(object) {
  let count = 0;
  for (const key in object) if (object[key] !== undefined && Object.hasOwn(object, key)) count += 1;
  return count;
}

/** The length in JSON Schema counts Unicode code points (RFC 8259, section 1). */
export function codePoints(text) {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    count -= 1;
    i += 1;
  }
  return count;
}

/** Compares JSON values (JSON Schema core, 4.2.2). Not recursive, so deep values cannot cause a stack overflow. */
export function equal(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const pairs = [left, right];
  while (pairs.length > 0) {
    const b = pairs.pop();
    const a = pairs.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    if (Array.isArray(a)) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i += 1) pairs.push(a[i], b[i]);
    } else {
      if (countProperties(a) !== countProperties(b)) return false;
      for (const key of Object.keys(a)) {
        if (a[key] === undefined) continue;
        const other = own(b, key);
        if (other === undefined) return false;
        pairs.push(a[key], other);
      }
    }
  }
  return true;
}

/**
 * Whether the number is a whole multiple of the divisor, which is `digits` with `places` decimal places. Both are
 * compared as decimals: 0.3 is a multiple of 0.1, although the binary quotient is not whole.
 */
export function isMultiple(value, digits, places) {
  // Different decimals of up to fifteen digits have different doubles, and powers of ten up to 10^22 are exact.
  if (places <= 22 && digits <= 1e15) {
    const scale = 10 ** places;
    const scaled = Math.round(value * scale);
    if (Math.abs(scaled) <= 1e15) return scaled / scale === value && scaled % Number(digits) === 0;
  }
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(exponent) - fraction.length + places;
  const valueDigits = BigInt(whole + fraction);
  if (shift >= 0) return (valueDigits * 10n ** BigInt(shift)) % digits === 0n;
  return valueDigits % (digits * 10n ** BigInt(-shift)) === 0n;
}
