import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("an option that does not exist is named, beside those that do", () => {
  const script = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];
  const { status, stderr } = spawnSync(process.execPath, [...script, "agents", "pull", "--dir", "x"], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Unknown option '--dir'/);
  expect(stderr).toContain("[--folder agents]");
  expect(stderr).not.toContain("    at ");
});
