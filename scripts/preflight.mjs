/** Reports missing packages or an old Node, before a command fails because of them. Runs on any Node. */
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** If this package is missing, the development packages are not installed. */
const developmentPackage = "typescript";

/**
 * @param {string} version of Node, such as `20.20.2`
 * @param {"all" | "production" | "none"} packages that are installed
 * @returns {string | undefined} what is missing, with the fix
 */
export function missing(version, packages) {
  if (packages === "none") return "the packages are not installed: run `npm ci`";
  const { engines } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const least = engines.node.replace(">=", "");
  if (packages === "production")
    return `the development packages are not installed: run \`npm ci --include=dev\`. The server only needs Node ${least} or newer: \`node server\``;
  const [[major, minor], [leastMajor, leastMinor]] = [version, least].map((text) =>
    text.split(".").map(Number),
  );
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `this is Node ${version}, but ${least} or newer is required: install it, or run \`npm ci --include=dev\`, which installs it for the npm scripts`;
}

const installed = (path) => existsSync(new URL(`node_modules/${path}`, root));

// `node scripts/preflight.mjs --production` runs before commands that need no development packages.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  const isEnough = process.argv.includes("--production") || installed(developmentPackage);
  const packages = installed(".package-lock.json") ? (isEnough ? "all" : "production") : "none";
  const problem = missing(process.versions.node, packages);
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
  }
}
