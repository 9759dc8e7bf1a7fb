import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("every installed package has a digest in the lockfile, including the Node binary of each platform", () => {
  const { packages }: { packages: { [path: string]: { integrity?: string; link?: boolean } } } = JSON.parse(
    textOf("package-lock.json"),
  );
  const unverified = Object.keys(packages).filter(
    (path) => path.startsWith("node_modules/") && !packages[path]?.link && !packages[path]?.integrity,
  );
  expect(unverified).toEqual([]);
  const { optionalDependencies } = JSON.parse(textOf("scripts/node/package.json"));
  for (const name of Object.keys(optionalDependencies))
    expect(packages).toHaveProperty([`node_modules/${name}`]);
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
});

test("`npm run sbom` lists the server's packages with their digests, and no development packages", () => {
  const { components }: { components: { name: string; hashes?: object[] }[] } = JSON.parse(
    execFileSync("npm", ["run", "-s", "sbom"], { encoding: "utf8" }),
  );
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["hono", "@node-rs/argon2"]));
  expect(names).not.toContain("vitest");
  expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
});

test("the programs of recheck, 52 MB, are not installed: only its JavaScript is used", () => {
  const { packages }: { packages: { [path: string]: { os?: string[] } } } = JSON.parse(
    textOf("package-lock.json"),
  );
  const programs = Object.entries(packages).filter(([path]) => path.startsWith("node_modules/recheck-"));
  expect(programs.length).toBeGreaterThan(0);
  expect(programs.filter(([, { os }]) => String(os) !== "win32")).toEqual([]);
});
