// A separate process that fires triggers; see trigger-kill.test.ts. Arguments: database URL, the current time, the
// place where it kills itself with SIGKILL ("claimed", "started" or "" for none), and the triggers.

import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { servicesOf } from "@/lib/testing/databases/services-of";

const [url = "", time = "", place = "", ...triggerIds] = process.argv.slice(2);

/** The last write before the process dies. */
const STORED: Readonly<Record<string, string>> = { claimed: 'insert into "firing"', started: 'insert into "run"' };

const real = await openDatabase(url);
const runAll: Database["runAll"] = async (statements, durability) => {
  const rows = await real.runAll(statements, durability);
  const text = STORED[place];
  if (text !== undefined && statements.some(({ sql }) => sql.includes(text))) process.kill(process.pid, "SIGKILL");
  return rows;
};
const database = new Proxy(real, {
  get: (target, name) => (name === "runAll" ? runAll : Reflect.get(target, name)),
});
await Promise.all(triggerIds.map((id) => fireTrigger(servicesOf(database), id, new Date(time))));
await real.close();
process.exit(0);
