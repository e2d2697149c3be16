// A separate process that executes one run whose only call needs a connection to an MCP server; see
// connect-kill.test.ts. It kills itself with SIGKILL as soon as the run waits for the connection. Arguments: database
// URL, data folder, host of the MCP server, thread of the run.

import { setTimeout as sleep } from "node:timers/promises";
import { startRun } from "@/lib/server/engine/accept";
import { openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { keepServices } from "@/lib/server/wiring/services";
import { connectingParts } from "@/lib/testing/fixtures/connecting-parts";
import { testHost } from "@/lib/testing/fixtures/run-fixture";

const [url = "", dataDirectory = "", mcpHost = "", threadId = ""] = process.argv.slice(2);
const variables = {
  RINGMASTER_DATA_DIR: dataDirectory,
  DATABASE_URL: url,
  RINGMASTER_LOG_LEVEL: "silent",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: mcpHost,
};
processState("environment", () => parseEnvironment(variables, dataDirectory));
const database = await openDatabase(url);
keepServices(createServices(database));
await testHost(database, await connectingParts()).start();
const messages = [{ role: "user" as const, content: "Who am I?" }];
const { runId } = await startRun(database, { ownerId: "member", threadId, agentId: "caller", messages });
process.stdout.write(`${runId}\n`);
while ((await database.run.count({ where: { id: runId, status: "waiting" } })) === 0) await sleep(5);
process.kill(process.pid, "SIGKILL");
