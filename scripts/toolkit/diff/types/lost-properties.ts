/** Finds properties that are missing in a newer type, at any depth. Returns the path of each. */
import ts from "typescript";

/**
 * A type without an optional property of another type is still assignable to it. But code that reads or writes the
 * property no longer compiles.
 */
export function lostPropertiesOf(checker: ts.TypeChecker, old: ts.Type, now: ts.Type): string[][] {
  return lostIn(checker, old, now, new Map());
}

function lostIn(
  checker: ts.TypeChecker,
  old: ts.Type,
  now: ts.Type,
  seen: Map<ts.Type, Set<ts.Type>>,
): string[][] {
  const [was, is] = [elementOf(checker, old), elementOf(checker, now)];
  const known = seen.get(was) ?? new Set();
  if (known.has(is) || was === is) return [];
  seen.set(was, known.add(is));
  // The non-nullable form of `unknown` is `{}`, so `now` is checked too.
  const isAny =
    ((is.flags | now.flags) & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) !== 0;
  // The compiler already checks tuples.
  if (isAny || !isPlainObject(was) || checker.isTupleType(was)) return [];
  const candidates = is.isUnion() ? is.types : [is];
  if (!candidates.every(isPlainObject) || candidates.some((each) => each.getStringIndexType() !== undefined))
    return [];
  return checker.getPropertiesOfType(was).flatMap((property) => {
    const type = checker.getTypeOfSymbol(property);
    // `?: never` means that there is no such property.
    if (isAbsent(checker, type)) return [];
    const kept = candidates.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? []);
    const [first] = kept;
    if (first === undefined || kept.every((each) => isAbsent(checker, checker.getTypeOfSymbol(each))))
      return [[property.name]];
    if (kept.length > 1) return [];
    return lostIn(checker, type, checker.getTypeOfSymbol(first), seen).map((path) => [
      property.name,
      ...path,
    ]);
  });
}

function isAbsent(checker: ts.TypeChecker, type: ts.Type): boolean {
  return (checker.getNonNullableType(type).flags & ts.TypeFlags.Never) !== 0;
}

function isPlainObject(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
}

/** Returns the type of the items for a list, and the type itself for any other type. */
function elementOf(checker: ts.TypeChecker, type: ts.Type): ts.Type {
  const present = checker.getNonNullableType(type);
  return checker.isArrayType(present) ? elementOf(checker, present.getNumberIndexType() ?? present) : present;
}
