// A separate process that exports traces and kills itself with SIGKILL before it can note that the collector has taken
// them; see export-runs.test.ts. Arguments: database URL, the collector's address.
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { exportRuns } from "@/lib/server/traces/otlp/export-runs";

const [databaseUrl = "", url = ""] = process.argv.slice(2);
const variables = { DATABASE_URL: databaseUrl, RINGMASTER_LOG_LEVEL: "silent" };
processState("environment", () => parseEnvironment(variables, process.cwd()));

const real = await openDatabase(databaseUrl);
const dying = new Proxy(real.traceExport, {
  get: (target, name) =>
    name === "deleteMany" ? () => process.kill(process.pid, "SIGKILL") : Reflect.get(target, name),
});
const database = new Proxy(real, {
  get: (target, name) => (name === "traceExport" ? dying : Reflect.get(target, name)),
}) as Database;
await exportRuns(createServices(database), {
  url,
  headers: {},
  serviceName: "agents",
  resource: {},
  withContent: false,
});
process.exit(1);
