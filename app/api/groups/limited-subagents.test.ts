import { expect, test } from "vitest";
import { DELEGATES, resultsOf, subagentTests } from "@/lib/testing/servers/subagent-server";
import { POST as addGroup } from "./route";

const { start, use, say, follow, childrenOf } = subagentTests();

test("a subagent that is limited to groups that a person is not in is not offered to their runs, nor started", async () => {
  await start(DELEGATES);
  const group = { name: "Builders", agents: ["worker"] };
  expect((await use().server.call(addGroup, { as: "admin", body: group })).status).toBe(201);
  const runId = await say("go");
  expect(resultsOf(await follow(runId)).join()).not.toContain("It is 42");
  expect(await childrenOf(runId)).toEqual([]);
  expect(JSON.stringify(use().server.provider.requests[0])).not.toContain("Works hard.");
});
