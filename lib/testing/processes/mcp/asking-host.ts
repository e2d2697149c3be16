// A separate process that executes a run whose only call is of a tool of an MCP server that asks; see asks-kill.test.ts.
// It kills itself with SIGKILL as soon as the run waits for a person. Arguments: database URL, data folder, host of the
// MCP server, tool, and the thread of a new run; without one it takes over what others have left.

import { setTimeout as sleep } from "node:timers/promises";
import { startRun } from "@/lib/server/engine/accept";
import { openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { keepServices } from "@/lib/server/wiring/services";
import { connectingParts } from "@/lib/testing/fixtures/connecting-parts";
import { testHost } from "@/lib/testing/fixtures/run-fixture";

const [url = "", dataDirectory = "", mcpHost = "", tool = "", threadId] = process.argv.slice(2);
const variables = {
  RINGMASTER_DATA_DIR: dataDirectory,
  DATABASE_URL: url,
  RINGMASTER_LOG_LEVEL: "silent",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: mcpHost,
};
processState("environment", () => parseEnvironment(variables, dataDirectory));
const database = await openDatabase(url);
keepServices(createServices(database));
await testHost(database, await connectingParts(tool)).start();
const messages = [{ role: "user" as const, content: "Order something." }];
if (threadId !== undefined) await startRun(database, { ownerId: "member", threadId, agentId: "caller", messages });
const open = { status: "pending", run: { status: "waiting" } };
while ((await database.approval.count({ where: open })) === 0) await sleep(5);
process.kill(process.pid, "SIGKILL");
