import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { runHook } from "ringmaster/testing";
import usageFile from "./index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "usage-file-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("every run leaves one line", async () => {
  const file = path.join(folder, "logs", "usage.jsonl");
  const reply = { text: "Hi.", usage: { inputTokens: 12, outputTokens: 3 } };
  await runHook(usageFile, { model: [reply], config: { file } });
  await runHook(usageFile, { model: [reply], config: { file } });
  const lines = readFileSync(file, "utf8").trim().split("\n");
  assert.equal(lines.length, 2);
  assert.deepEqual(JSON.parse(lines[0] ?? ""), {
    at: "2026-01-01T12:00:00.000Z",
    runId: "run_1",
    agentId: "agent",
    userId: "user_1",
    status: "completed",
    steps: 1,
    inputTokens: 12,
    outputTokens: 3,
  });
});

test("a file that cannot be written is logged, and the answer stands", async () => {
  const { response, log } = await runHook(usageFile, { model: ["Hi."], config: { file: "/dev/null/usage.jsonl" } });
  assert.equal(response, "Hi.");
  assert.match(log[0] ?? "", /^error hook usage-file after_agent:/);
});
