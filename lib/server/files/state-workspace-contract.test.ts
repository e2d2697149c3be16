import { afterAll, beforeAll, describe } from "vitest";
import { workspaceContract } from "@/lib/testing/contracts/workspace-contract";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { WORKSPACE_LIMITS } from "@/lib/workspaces/limits";
import { createStateWorkspace } from "@/lib/workspaces/state-workspace";
import { createStateFileStore } from "./state-file-store";

const limits = { ...WORKSPACE_LIMITS, fileBytes: 2 ** 20, quotaBytes: 2 * 2 ** 20 };

describe("files in rows", () => {
  let test: TestDatabase;
  let count = 0;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.agent.create({ data: { id: "writer" } });
  });
  afterAll(() => test.close());

  workspaceContract("state on a database", async () => {
    count += 1;
    const id = `ws_${count}`;
    await test.database.workspace.create({ data: { id, agentId: "writer", scopeKey: id } });
    return createStateWorkspace(createStateFileStore(test.database, id), limits);
  });
});
