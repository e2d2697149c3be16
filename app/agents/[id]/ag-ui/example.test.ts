import { afterAll, beforeAll, expect, test } from "vitest";
import { serveAgUi } from "@/lib/testing/clients/ag-ui-client";
import { runExample } from "@/lib/testing/clients/run-example";
import type { ServedRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const QUESTIONS = { questions: [{ question: "Which?", options: ["a", "b"] }] };

const { server } = approvalServer({
  "Write a.txt": [writes("a.txt"), { text: "Wrote it." }],
  Ask: [{ calls: [{ name: "ask_user", args: QUESTIONS }] }, { text: "Thanks." }],
});

let served: ServedRoutes;
beforeAll(async () => {
  served = await serveAgUi();
});
afterAll(() => served.close());

test("the example converses, asks in the terminal and prints the answers", async () => {
  const RINGMASTER_API_KEY = await server().addKey("member", ["read", "chat"]);
  const environment = { RINGMASTER_URL: served.url, RINGMASTER_API_KEY, RINGMASTER_AGENT: "asks" };
  const typed = ["Write a.txt", "allow", "Ask", "b", ""].join("\n");
  const printed = await runExample({ file: "ag-ui/converse.ts", environment, typed });
  expect(printed).toContain("Allow this call of write_file");
  expect(printed).toContain("Wrote it.");
  expect(printed).toContain("Which?");
  expect(printed).toContain("Thanks.");
  const approvals = await server().database.approval.findMany({
    orderBy: { createdAt: "asc" },
    select: { status: true },
  });
  expect(approvals).toEqual([{ status: "approved" }, { status: "answered" }]);
});
