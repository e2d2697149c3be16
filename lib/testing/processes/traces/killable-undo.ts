// A separate process that undoes a run as `member` and kills itself with SIGKILL once it has changed so many files, before
// it can note the last of these changes; see undo-kill.test.ts. Arguments: database URL, the run, the preview's token, the
// number.

import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { undoRun } from "@/lib/server/traces/undo/undo-run";
import { keepServices, processServices } from "@/lib/server/wiring/services";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";

const [url = "", runId = "", token = "", changes = ""] = process.argv.slice(2);
const variables = { DATABASE_URL: url, RINGMASTER_LOG_LEVEL: "silent" };
processState("environment", () => parseEnvironment(variables, process.cwd()));

let left = Number(changes);
const real = await openDatabase(url);
const execute: Database["execute"] = (query, durability) => {
  const { sql } = "sql" in query ? query : query.compile();
  if (/^insert into "file_version"/.test(sql)) {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  }
  return real.execute(query, durability);
};
const database = new Proxy(real, {
  get: (target, name) => (name === "execute" ? execute : Reflect.get(target, name)),
}) as Database;
keepServices(createServices(database));
await undoRun(processServices(), runId, token, testViewer("member", "member"));
process.exit(1);
