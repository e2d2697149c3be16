import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/setup/require-machine";

/** The longer benchmarks, with few rows: nobody runs them daily, and one that no longer starts measures nothing. */
describe.skipIf(!requireMachine("postgresql"))("with --tiny", () => {
  test.each(["traces/trace-scale", "search/search-scale"])("bench/%s measures on both databases", async (name) => {
    const imports = ["./scripts/resolve-imports.ts", "./bench/prepare.ts"].flatMap((file) => ["--import", file]);
    const run = [...imports, `bench/${name}.ts`, "--tiny"];
    const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, run, { env: environment as NodeJS.ProcessEnv });
    expect(stdout).toMatch(/^sqlite: \d+ /m);
    expect(stdout).toMatch(/^postgresql: \d+ /m);
  });
});
