// A separate process that executes runs and answers MCP clients; see mcp-processes.test.ts. It prints its address, and
// ends when it is told to. Arguments: database URL, data folder, address of the scripted model.

import { once } from "node:events";
import { POST as mcp } from "@/app/mcp/route";
import { openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { startProcessHost, stopProcessHost } from "@/lib/server/wiring/process-host";
import { keepServices, processServices } from "@/lib/server/wiring/services";
import { serveRoute } from "@/lib/testing/mcp-clients/route-server";

const [url = "", dataDirectory = "", modelUrl = ""] = process.argv.slice(2);
const variables = {
  RINGMASTER_DATA_DIR: dataDirectory,
  DATABASE_URL: url,
  RINGMASTER_LOG_LEVEL: "silent",
  RINGMASTER_SCRIPTED_MODEL_URL: modelUrl,
};
processState("environment", () => parseEnvironment(variables, dataDirectory));
const database = await openDatabase(url);
keepServices(createServices(database));
await startProcessHost(processServices());
const server = await serveRoute(mcp, "/mcp");
process.stdout.write(`${server.url}\n`);
await once(process.stdin, "data");
await server.close();
await stopProcessHost(processServices());
await database.close();
process.exit();
