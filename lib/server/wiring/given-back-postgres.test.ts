import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { buildRun } from "./build-run";

const HOOK = `import { defineHook } from "ringmaster";\nexport default defineHook({ name: "mine", create: () => ({}) });`;

/** What building a run gives whose hook this process does not have, with so many processes on the database. */
async function buildWithout(processes: number, takeovers: number): Promise<unknown> {
  const folder = await extensionFolder({ "mine.ts": HOOK });
  const server = await startTestServer();
  const notifiers = Array.from({ length: processes }, () => new PostgresNotifier(server.databaseUrl));
  onTestFinished(async () => {
    for (const notifier of notifiers) await notifier.close();
    await server.close();
    folder.close();
  });
  for (const notifier of notifiers) await notifier.start();
  await createAgent({ agentId: "a", raw: { name: "A", model: "demo:demo", hooks: ["mine"] }, createdById: null });
  folder.remove("mine.ts");
  await folder.reload();
  const run = { id: "run_1", takeovers, ownerId: "member", agentId: "a", threadId: "t", input: "{}" };
  const version = await loadCurrentVersion(server.database, "a");
  return buildRun(run as ClaimedRun, version).then(
    () => null,
    (error: unknown) => error,
  );
}

test("a process without an extension leaves the run to the others", async () => {
  expect(await buildWithout(2, 0)).toMatchObject({ name: "GivenBack" });
});

test("when the others have had the run too it fails", async () => {
  expect(await buildWithout(2, 2)).toMatchObject({ name: "AppError", code: "hook_failed" });
});

test("the only process fails the run at once, and says what is missing", async () => {
  expect(await buildWithout(1, 0)).toMatchObject({
    name: "AppError",
    message: expect.stringMatching(/^The agent can't run as it is configured\. hooks\.0: there is no hook "mine"/),
  });
});
