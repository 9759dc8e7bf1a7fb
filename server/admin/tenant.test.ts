import { describe, expect, test } from "vitest";
import { databases } from "../testing/databases.ts";
import { adminOn, uuid } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { resultOf, run } = admin;

  test("a tenant is created with auth flow 3 by default and then listed", async () => {
    const acme = await resultOf("tenant create --name Acme");
    const other = await resultOf("tenant create --name Other --auth-type 7");
    expect(acme).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Acme", auth_type: 3 } });
    expect(other).toEqual({ tenant: { id: expect.stringMatching(uuid), name: "Other", auth_type: 7 } });
    expect(await resultOf("tenant list")).toEqual({ tenants: [acme.tenant, other.tenant] });
  });

  test("without --json, output is a sentence or a table", async () => {
    const created = await run("tenant create --name Acme");
    const id = created.stdout.trim().split(": ")[1] ?? "";
    expect(created).toEqual({ code: 0, stdout: `Created tenant Acme: ${id}\n`, stderr: "" });
    expect(await run("tenant list")).toEqual({
      code: 0,
      stdout: `ID${" ".repeat(36)}AUTH TYPE  NAME\n${id}  3          Acme\n`,
      stderr: "",
    });
  });

  test("a tenant with an unsupported auth flow is created with a warning", async () => {
    const { stdout } = await run("tenant create --name Acme --auth-type 1");
    expect(stdout).toContain(
      "\nOnly authentication flow 3 is supported: logins that do not set auth_type will be rejected.\n",
    );
  });
});
