import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { seedThread } from "@/lib/testing/run-fixture";
import { createTestDatabase } from "@/lib/testing/test-database";
import { loadHistory } from "../threads/load-history";

const REGISTER = path.resolve("scripts/register-typescript.mjs");
const CHILD = path.resolve("lib/testing/killable-parent.ts");

async function runProcess(...args: string[]) {
  const child = spawn(process.execPath, ["--no-warnings", "--import", REGISTER, CHILD, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { out: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    texts.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    texts.errors += text;
  });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  expect(texts.errors).toBe("");
  return { code, signal, runId: texts.out.split("\n").find((line) => line.startsWith("run_")) ?? "" };
}

test.each(["calling", "waiting"])(
  "a process killed while a subagent works and its parent is %s leaves one child that ends once, and its parent goes on",
  { timeout: 60_000 },
  async (killWhen) => {
    const { database, url, close } = await createTestDatabase();
    const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-kill-"));
    const effects = path.join(directory, "effects");
    await seedThread(database, { subagents: [{ name: "worker", prompt: "You work." }] });
    const { signal, runId } = await runProcess(url, effects, "th1", killWhen);
    expect(signal).toBe("SIGKILL");
    expect((await runProcess(url, effects)).code).toBe(0);
    const runs = await database.run.findMany({ orderBy: { depth: "asc" } });
    expect(runs.map(({ depth, status }) => [depth, status])).toEqual([
      [0, "completed"],
      [1, "completed"],
    ]);
    expect(readFileSync(effects, "utf8").trim().split("\n")).toEqual([runs[1]?.id]);
    const history = await loadHistory(database, "th1");
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Go"],
      ["assistant", ""],
      ["tool", "child done"],
      ["assistant", "parent done"],
    ]);
    expect(await database.run.findUnique({ where: { id: runId } })).toMatchObject({ inputTokens: 40, outputTokens: 4 });
    await close();
    rmSync(directory, { recursive: true });
  },
);
