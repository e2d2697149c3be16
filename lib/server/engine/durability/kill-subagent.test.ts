import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { loadHistory } from "@/lib/server/engine/transcript/load-history";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { addAgent, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";

const runParent = (...args: string[]) => runProcess("lib/testing/processes/killable-parent.ts", ...args);

test.each(["calling", "waiting"])(
  "a process killed while a subagent works and its parent is %s leaves one child that ends once, and its parent continues",
  { timeout: 60_000 },
  async (killWhen) => {
    const { database, url, close } = await createTestDatabase();
    const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-kill-"));
    const effects = path.join(directory, "effects");
    await seedThread(database, { subagents: [{ name: "worker", prompt: "You work." }] });
    const killed = await runParent(url, effects, "th1", killWhen);
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
    expect(await runParent(url, effects)).toMatchObject({ code: 0, errors: "" });
    const runs = await database.run.findMany({ orderBy: { depth: "asc" } });
    expect(runs.map(({ depth, status }) => [depth, status])).toEqual([
      [0, "completed"],
      [1, "completed"],
    ]);
    expect(readFileSync(effects, "utf8").trim().split("\n")).toEqual([runs[1]?.id]);
    const history = await loadHistory(database, { threadId: "th1" });
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ["user", "Go"],
      ["assistant", ""],
      ["tool", "child done"],
      ["assistant", "parent done"],
    ]);
    const { inputTokens, outputTokens, isUsagePartial } = await database.run.findUniqueOrThrow({
      where: { id: killed.output.trim() },
    });
    // The call that the kill cut off counts as estimated, if its start was stored by then.
    expect(outputTokens).toBe(4);
    if (isUsagePartial) expect(inputTokens).toBeGreaterThan(40);
    else expect(inputTokens).toBe(40);
    await close();
    rmSync(directory, { recursive: true });
  },
);

test.each(["calling", "waiting"])(
  "a process killed while another agent works for a run that is %s leaves one delegated run that ends once",
  { timeout: 60_000 },
  async (killWhen) => {
    const { database, url, close } = await createTestDatabase();
    const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-kill-"));
    const effects = path.join(directory, "effects");
    await seedThread(database, { delegates: ["other"] });
    await addAgent(database, "other", { name: "Other", model: "scripted:test" });
    const killed = await runParent(url, effects, "th1", killWhen, "other");
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
    expect(await runParent(url, effects, "", "", "other")).toMatchObject({ code: 0, errors: "" });
    const runs = await database.run.findMany({ orderBy: { depth: "asc" } });
    expect(runs.map(({ agentId, origin, status }) => [agentId, origin, status])).toEqual([
      ["agent", "chat", "completed"],
      ["other", "delegation", "completed"],
    ]);
    expect(readFileSync(effects, "utf8").trim().split("\n")).toEqual([runs[1]?.id]);
    const history = await loadHistory(database, { threadId: "th1" });
    expect(history[2]).toMatchObject({ role: "tool", content: "<answer_of_agent>\nchild done\n</answer_of_agent>" });
    await close();
    rmSync(directory, { recursive: true });
  },
);
