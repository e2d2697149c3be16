import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { previewPromptEnvironment, runPromptEnvironment } from "./prompt-environment";

describe("who is first", () => {
  let testDatabase: TestDatabase;
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    await seedThread(testDatabase.database);
  });
  afterEach(() => testDatabase.close());

  const environment = (id: string, threadId: string, ownerId = "u1") =>
    runPromptEnvironment(
      testDatabase.database,
      { id, threadId, ownerId, agentId: "agent" },
      { workspaceId: `ws_${ownerId}`, promptFiles: [] },
    );

  test("one of several simultaneous first runs seeds, and asking again gives the same answer", async () => {
    const runs = ["run_1", "run_2", "run_3"].map((id) => environment(id, "th1"));
    const answers = await Promise.all(runs.map((run) => run.isFirst("files")));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(runs.map((run) => run.isFirst("files")))).toEqual(answers);
  });

  test("the first chat stays the first for all of its runs, per user", async () => {
    expect(await environment("run_1", "th1").isFirst("chat")).toBe(true);
    expect(await environment("run_2", "th1").isFirst("chat")).toBe(true);
    expect(await environment("run_3", "th2").isFirst("chat")).toBe(false);
    expect(await environment("run_4", "th3", "u2").isFirst("chat")).toBe(true);
  });

  test("a preview claims nothing; names are those of users", async () => {
    const preview = previewPromptEnvironment(
      testDatabase.database,
      { agentId: "agent", ownerId: "u1", threadId: null },
      [],
    );
    expect([await preview.isFirst("chat"), await preview.isFirst("files")]).toEqual([true, false]);
    await environment("run_1", "th1").isFirst("chat");
    expect(await preview.isFirst("chat")).toBe(false);
    expect([await preview.userName(), await environment("r", "t", "nobody").userName()]).toEqual(["Ada", null]);
  });
});
