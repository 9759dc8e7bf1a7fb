/** The project's tests, the likeliest to fail first: in the order of the file that `DRIFT_ORDER` names. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { mergeConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import config from "../../../vitest.config.ts";

const ranks = new Map(
  JSON.parse(readFileSync(process.env.DRIFT_ORDER, "utf8")).map((file, rank) => [file, rank]),
);
const rankOf = ({ moduleId }) => ranks.get(relative(process.cwd(), moduleId)) ?? ranks.size;

class LikeliestFirst extends BaseSequencer {
  async sort(files) {
    return files.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

export default mergeConfig(config, { test: { sequence: { sequencer: LikeliestFirst } } });
