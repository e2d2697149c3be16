import { expect, test } from "vitest";
import { loadHistory } from "@/lib/server/engine/transcript/load-history";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";

const CRASH_POINTS = ["accepted", "read", "answered"] as const;

test("a steer of a run that is killed is read once by the next process, in its place", {
  timeout: 110_000,
}, async () => {
  const { database, url, close } = await createTestDatabase();
  await seedThread(database);
  const runIds = new Map<string, string>();
  const host = (...args: string[]) => runProcess("lib/testing/processes/killable-steered.ts", url, ...args);
  for (const place of CRASH_POINTS) {
    await addThread(database, `killed_${place}`);
    const killed = await host(`killed_${place}`, place);
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
    runIds.set(place, killed.output.trim());
  }
  expect(await host()).toMatchObject({ code: 0, errors: "" });
  for (const place of CRASH_POINTS) {
    const runId = runIds.get(place) ?? "";
    const run = await database.run.findUniqueOrThrow({ where: { id: runId } });
    expect(run).toMatchObject({ status: "completed", takeovers: 1, unreadSteers: 0, errorMessage: null });
    const threadId = `killed_${place}`;
    const history = await loadHistory(database, { threadId });
    const before = place === "answered" ? ["assistant: Done."] : [];
    expect(history.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: Go",
      "assistant: ",
      "tool: seen",
      ...before,
      "user: Use node 22",
      "assistant: With node 22.",
    ]);
    const transcript = await database.transcriptMessage.findMany({ where: { threadId }, orderBy: { position: "asc" } });
    expect(transcript.map(({ role, runId: of }) => [role, of])).toEqual([
      ["user", runId],
      ["user", runId],
      ["assistant", runId],
    ]);
    expect(await database.run.count({ where: { threadId } })).toBe(1);
  }
  await close();
});
