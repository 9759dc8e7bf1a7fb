import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const programs = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export function launchBrowser(): Promise<Browser> {
  const executablePath = programs.find((program) => program !== undefined && existsSync(program));
  if (executablePath === undefined)
    throw new Error(
      "no browser: install Chromium (Debian: apt-get install chromium), or set CHROMIUM to its path",
    );
  return chromium.launch({ executablePath });
}
