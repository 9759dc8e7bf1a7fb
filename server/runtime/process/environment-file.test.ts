import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../scripts/testing/temporary-folder.ts";
import { ConfigError } from "../../config.ts";
import { readEnvironmentFile } from "./environment-file.ts";

const folder = temporaryFolder();
const file = join(folder, ".env");

async function environmentAfter(text: string, environment: Record<string, string> = {}) {
  await writeFile(file, text);
  readEnvironmentFile(file, environment);
  return environment;
}

async function problemsOf(text: string): Promise<readonly string[]> {
  try {
    await environmentAfter(text);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map((problem) => problem.replace(`${file}: `, ""));
    throw error;
  }
  return [];
}

describe("the file .env", () => {
  it("can be missing", () => {
    const environment = { PORT: "1" };
    readEnvironmentFile(join(folder, "none"), environment);
    expect(environment).toEqual({ PORT: "1" });
  });

  it("does not overwrite a variable of the environment, even if it is empty", async () => {
    expect(await environmentAfter("HOST=a\nPORT=2\nLOG_LEVEL=info\n", { PORT: "1", LOG_LEVEL: "" })).toEqual({
      HOST: "a",
      PORT: "1",
      LOG_LEVEL: "",
    });
  });

  it("can contain a byte order mark, comments, quotes, empty values and Windows line ends", async () => {
    const text =
      "\uFEFFFIRST=0\r\n# Settings\r\n\r\nexport HOST=a # here\r\nPORT = 2\r\nURL=file:a=b\r\nEMPTY=\r\nSPACES= \t\r\nTEXT=\"b # c\" # two\r\nQUOTE='c'\r\n#X\r\nLAST=`d`";
    expect(await environmentAfter(text)).toEqual({
      FIRST: "0",
      HOST: "a",
      PORT: "2",
      URL: "file:a=b",
      EMPTY: "",
      SPACES: "",
      TEXT: "b # c",
      QUOTE: "c",
      LAST: "d",
    });
  });

  it("is rejected with an error for each line that sets no variable, and the errors contain no value", async () => {
    expect(await problemsOf("PORT 3000\nHOST=a\n=b\n2X=c\nTOTP_SECRET_KEYS: secret\nA=b\rC=d\n")).toEqual(
      [1, 3, 4, 5, 6].map((line) => `line ${line} is neither NAME=VALUE nor a comment`),
    );
  });

  it("is rejected if a quote is not closed on its line, even if a later line closes it", async () => {
    const problem = "has a quote that is not closed on the same line; close it, or use another quote";
    expect(await problemsOf("PORT='3000\nTOTP_SECRET_KEYS='secret'\nHOST='a'\nLOG_LEVEL=\"info\n")).toEqual([
      `line 1 ${problem}`,
      `line 4 ${problem}`,
    ]);
  });

  it("is rejected if a value contains a line break", async () => {
    expect(await problemsOf('HOST=a\nPORT="1\\nTOTP_SECRET_KEYS=secret"\n')).toEqual([
      "line 2 has a value with more than one line, which no setting allows",
    ]);
  });

  it("must not set variables that Node has already read", async () => {
    expect(await problemsOf("NODE_OPTIONS=--inspect\nNODE_EXTRA_CA_CERTS=ca.pem\n")).toEqual([
      "NODE_OPTIONS has no effect in this file; set it in the environment",
      "NODE_EXTRA_CA_CERTS has no effect in this file; set it in the environment",
    ]);
  });

  it("must be a readable file", async () => {
    expect(() => readEnvironmentFile(folder, {})).toThrow(
      new ConfigError([`${folder} cannot be read (EISDIR: illegal operation on a directory, read)`]),
    );
  });
});
