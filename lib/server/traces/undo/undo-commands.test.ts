import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { undoing, writeCall } from "@/lib/testing/traces/undo-runs";

const command = "printf 'a\\n' > made.txt; echo more >> kept.txt; rm old.txt; head -c 9 /dev/zero > binary";
const chat = approvalServer({
  Begin: [{ calls: [writeCall("old.txt", "old\n"), writeCall("kept.txt", "kept\n")] }, { text: "ok" }],
  Work: [{ calls: [{ name: "execute", args: { command } }] }, { text: "ok" }],
});
const { run, preview, undo, takeBack } = undoing(chat);

beforeAll(async () => {
  const raw = { name: "L", model: "scripted:m", retries: 0, backend: { type: "local", scope: "thread" } };
  await createAgent(processServices(), {
    agentId: "worker",
    raw: { ...raw, system_prompt: "You work." },
    createdById: null,
  });
});

/** What the thread's folder has, without binary files. */
function onDisk(threadId: string): Record<string, string> {
  const folder = path.join(chat.server().dataDirectory, "workspaces/by-thread/worker/member", threadId);
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}

test.skipIf(!requireMachine("linux", "bubblewrap"))(
  "what a command changed goes back where it is known what was there; the rest is left and counted",
  async () => {
    const thread = chat.newThread();
    await run("Begin", thread);
    const runId = await run("Work", thread);
    const { threadId } = await chat.server().database.run.findUniqueOrThrow({ where: { id: runId } });
    const after = onDisk(threadId);
    const shown = await preview(runId);
    expect(shown.files.map(({ path: file, action }) => `${action} ${file}`)).toEqual([
      "restore kept.txt",
      "leave made.txt",
      "restore old.txt",
    ]);
    expect(shown.sentence).toBe(
      "2 files go back. Everything is undone or nothing is. 1 file stays as it is: what was there before is not known. Commands changed 1 file that got no version.",
    );
    expect((await undo(runId)).status).toBe(200);
    expect(onDisk(threadId)).toEqual({ "made.txt": "a\n", "kept.txt": "kept\n", "old.txt": "old\n" });
    expect((await takeBack(runId)).status).toBe(200);
    expect(onDisk(threadId)).toEqual(after);
  },
);
