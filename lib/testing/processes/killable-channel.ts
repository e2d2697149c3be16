// A bare process that receives for the channels; see channel-kill.test.ts. Arguments: database URL, data directory, the
// private host that it may reach, and when it kills itself with SIGKILL: before it stores a message ("received"), once it
// has ("claimed"), once it has stored the run ("started"), or never ("").

import { startChannels } from "@/lib/server/channels/hold-channels";
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { keepServices } from "@/lib/server/wiring/services";

const [url = "", dataDirectory = "", allowed = "", place = ""] = process.argv.slice(2);
const variables = {
  DATABASE_URL: url,
  RINGMASTER_DATA_DIR: dataDirectory,
  RINGMASTER_LOG_LEVEL: "silent",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: allowed,
};
processState("environment", () => parseEnvironment(variables, dataDirectory));

const STORED: Readonly<Record<string, string>> = {
  received: 'insert into "firing"',
  claimed: 'insert into "firing"',
  started: 'insert into "run"',
};

const real = await openDatabase(url);
const runAll: Database["runAll"] = async (statements, durability) => {
  const text = STORED[place];
  const isThere = text !== undefined && statements.some(({ sql }) => sql.includes(text));
  if (isThere && place === "received") process.kill(process.pid, "SIGKILL");
  const rows = await real.runAll(statements, durability);
  if (isThere) process.kill(process.pid, "SIGKILL");
  return rows;
};
const database = new Proxy(real, {
  get: (target, name) => (name === "runAll" ? runAll : Reflect.get(target, name)),
});
const services = keepServices(createServices(database));
await startChannels(services, { loadCompaction });
process.stdout.write("started\n");
// Without a channel to hold there is nothing else that keeps it going.
setInterval(() => undefined, 1_000);
