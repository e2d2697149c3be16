import { afterAll, beforeAll, expect, test } from "vitest";
import * as responses from "@/app/v1/responses/route";
import { runExample } from "@/lib/testing/clients/run-example";
import { type ServedRoutes, serveRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const { server, lastMessages } = approvalServer({
  "Calculate it": [{ calls: [{ name: "calculate", args: { expression: "6 * 7" } }] }, { text: "It is 42." }],
  "And now?": [{ text: "Still 42." }],
});

let served: ServedRoutes;
beforeAll(async () => {
  served = await serveRoutes({ "/v1/responses": responses });
});
afterAll(() => served.close());

test("the example converses to the end of its input, and each answer continues the one before", async () => {
  const RINGMASTER_API_KEY = await server().addKey("member", ["read", "chat"]);
  const environment = { RINGMASTER_URL: served.url, RINGMASTER_API_KEY, RINGMASTER_AGENT: "asks" };
  const printed = await runExample({ file: "openai/converse.ts", environment, typed: "Calculate it\nAnd now?" });
  expect(printed).toContain('[calculate {"expression":"6 * 7"}]');
  expect(printed).toContain("It is 42.");
  expect(printed).toContain("Still 42.");
  expect(printed).not.toContain("Error");
  expect(JSON.stringify(lastMessages())).toContain("It is 42.");
});
