import { acceptedKeys, authenticate, credentialFor } from "../client/mock/keys.ts";
import { generateStale } from "./generate-stale.ts";
import { project } from "./project.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";
import { mockCommand } from "./toolkit/commands/mock.ts";

const command = mockCommand(project, {
  acceptedKeys,
  // Generated code is updated before it is imported.
  load: async (allowOutside) => {
    const status = generateStale(allowOutside);
    if (status !== 0) return status;
    const { contract } = await import("../generated/contract.ts");
    const { default: document } = await import("../generated/openapi.json", { with: { type: "json" } });
    return { contract, document, authenticate, credentialFor, passed: [] };
  },
  loadReject: async () => (await import("../server/rejections.ts")).rejectionResponse,
});

if (import.meta.main) await runProgram(command);
