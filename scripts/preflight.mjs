/**
 * Says what is missing before a command that cannot even be loaded without it: the project's packages, with the Node that runs
 * TypeScript as it is. Plain JavaScript, for any Node.
 */
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/**
 * @param {string} version of Node, such as `20.20.2`
 * @param {boolean} hasPackages whether they are installed
 * @returns {string | undefined} what is missing, with the remedy
 */
export function missing(version, hasPackages) {
  if (!hasPackages) return "the packages are not installed: run `npm ci`";
  const { engines } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const least = engines.node.replace(">=", "");
  const [[major, minor], [leastMajor, leastMinor]] = [version, least].map((text) =>
    text.split(".").map(Number),
  );
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `this is Node ${version}, and ${least} or newer is needed: run \`npm ci\`, which installs one for npm's scripts`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const fault = missing(process.versions.node, existsSync(new URL("node_modules/.package-lock.json", root)));
  if (fault !== undefined) {
    console.error(fault);
    process.exitCode = 1;
  }
}
