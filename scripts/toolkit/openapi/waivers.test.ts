import { expect, it } from "vitest";
import { withWaivers } from "./waivers.ts";

const added = `# These rules are not enforced anywhere in the document. \`at: "#/paths/..."\` limits a waiver to a place.
- rule: struct
  reason: Not enforced when this waiver was written, in 1 place.
`;

it.each([
  ["- rule: links\n  reason: x # soon\n", "- rule: links\n  reason: x # soon\n"],
  ["# Ours.\n[{ rule: links, reason: x }]\n", "# Ours.\n- { rule: links, reason: x }\n"],
  ["# Ours.\n  - rule: links\n    reason: x # soon\n", "# Ours.\n- rule: links\n  reason: x # soon\n"],
  ["[]\n", ""],
])("a waiver can be added to %j, and the comments stay", async (given, kept) => {
  expect(await withWaivers(given, [{ location: "a.yaml:1:1", message: "", rule: "struct" }])).toBe(
    kept + added,
  );
});
