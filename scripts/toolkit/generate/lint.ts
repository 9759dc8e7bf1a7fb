/** Lints a spec like `redocly lint`, but in this process and without network access. */
import { relative, resolve } from "node:path";
import {
  BaseResolver,
  getLineColLocation,
  isAbsoluteUrl,
  lint,
  loadConfig,
  type NormalizedProblem,
  ResolveError,
  type Source,
} from "@redocly/openapi-core";
import { SpecFiles } from "../openapi/files.ts";
import { inOrder, type SpecProblem } from "../openapi/spec-problems.ts";
import { covers, readWaivers } from "../openapi/waivers.ts";

class OnlyFiles extends BaseResolver {
  override async loadExternalRef(reference: string): Promise<Source> {
    if (!isAbsoluteUrl(reference)) return super.loadExternalRef(reference);
    throw new ResolveError(
      new Error("a reference to another host is not followed; keep a copy next to the spec"),
    );
  }
}

/** @param waiversPath as in `readWaivers`. A waived rule is not reported. */
export async function lintSpec(
  specPath: string,
  configPath: string,
  waiversPath?: string,
): Promise<SpecProblem[]> {
  const waivers = await readWaivers(specPath, waiversPath, new SpecFiles());
  const config = await loadConfig({ configPath });
  const externalRefResolver = new OnlyFiles(config.resolve);
  const found = await lint({ ref: resolve(specPath), config, externalRefResolver });
  const isWaived = ({ ruleId, location: [place] }: NormalizedProblem): boolean =>
    waivers.some(
      (waiver) =>
        waiver.rule === ruleId &&
        covers(waiver, place?.source.absoluteRef ?? "", place?.pointer?.slice(1) ?? ""),
    );
  return inOrder(
    found
      .filter((problem) => !isWaived(problem))
      .map((problem) => ({
        location: locationOf(problem),
        message: `${problem.message} (${problem.ruleId})`,
      })),
  );
}

function locationOf({ location: [place] }: NormalizedProblem): string {
  if (place === undefined) return "spec";
  const { start } = getLineColLocation(place);
  return `${relative(process.cwd(), place.source.absoluteRef)}:${start.line}:${start.col}`;
}
