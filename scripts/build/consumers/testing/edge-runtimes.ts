/** Runs a bundled worker, which is a module whose default export has a `fetch`, in the runtimes of edge platforms. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { tools } from "./installed.ts";

const load = createRequire(join(tools, "package.json"));

/** Sends a POST with this body to the worker, and returns the response body. */
export type RunWorker = (bundle: string, body: string) => Promise<string>;

/** Cloudflare's runtime, in a separate process. The bundle is an ES module. */
export const inWorkerd: RunWorker = async (bundle, body) => {
  const program: { default: string } = load("workerd");
  const config = `${bundle}.capnp`;
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          modules = [(name = "worker", esModule = embed "${basename(bundle)}")],
          compatibilityDate = "2025-01-01",
        )),
        (name = "internet", network = (allow = ["private", "public"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
    );`,
  );
  const child = spawn(program.default, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const exited = once(child, "exit");
  try {
    const listening = once(child.stdio[3] as NodeJS.ReadableStream, "data").then(([line]) => String(line));
    const early = exited.then(([status]) => Promise.reject(new Error(`workerd ended with ${status}`)));
    const { port }: { port: number } = JSON.parse(await Promise.race([listening, early]));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
    return await response.text();
  } finally {
    child.kill();
    await exited;
  }
};

/** Vercel's runtime, in this process. The bundle is a script that assigns the module to `worker`. */
export const inEdgeRuntime: RunWorker = async (bundle, body) => {
  const { EdgeVM }: { EdgeVM: new () => { evaluate(code: string): Promise<string> } } =
    load("@edge-runtime/vm");
  const vm = new EdgeVM();
  vm.evaluate(await readFile(bundle, "utf8"));
  const init = JSON.stringify({ method: "POST", body });
  return vm.evaluate(
    `worker.default.fetch(new Request("http://worker.test/", ${init})).then((response) => response.text())`,
  );
};
