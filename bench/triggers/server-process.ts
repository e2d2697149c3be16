// A separate process that is the server without its pages, like a worker (scripts/server/serve.ts). With a place it
// kills itself there by SIGKILL, once it has finished what the previous kill left; without one it works until asked to
// end. Arguments: place, after how many times.

import { createServer } from "node:http";
import path from "node:path";
import { createServices } from "@/lib/server/platform/services";
import { keepServices } from "@/lib/server/wiring/services";
import { createExtensionLoader } from "../../lib/server/extensions/load-natively";
import { EXTENSION_LOADER } from "../../lib/server/extensions/loaded-extension";
import { type Database, openDatabase } from "../../lib/server/platform/db/database";
import { env } from "../../lib/server/platform/env";
import { processState } from "../../lib/server/platform/process-state";
import { startServer } from "../../lib/server/wiring/start-server";
import type { CrashPoint } from "./crash-points";

/** It dies then at the latest: a place may not be reached again. */
const LONGEST_LIFE_MS = 6_000;
/** A kill at any moment comes within this time of the start, whatever the previous one left. */
const ANY_MOMENT_MS = 3_000;
const LOOK_EVERY_MS = 50;

const place = (process.argv[2] ?? "") as CrashPoint | "";
let left = Number(process.argv[3] ?? "1");
let isArmed = false;

function dieAt(here: CrashPoint): void {
  if (here !== place || !isArmed) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

/** The places reached by running this statement. */
function placesOf(sql: string): CrashPoint[] {
  if (sql.includes('insert into "firing"')) return ["claimed"];
  if (sql.includes('insert into "run"')) return ["started"];
  if (sql.includes('insert into "delivery"')) return ["queued"];
  return /^\s*update "run" set .*"endedAt" =/su.test(sql) ? ["ended"] : [];
}

function watched(real: Database): Database {
  const runAll: Database["runAll"] = async (statements, durability) => {
    const rows = await real.runAll(statements, durability);
    for (const here of statements.flatMap(({ sql }) => placesOf(sql))) dieAt(here);
    return rows;
  };
  const delivery = new Proxy(real.delivery, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (query: { data?: { sentAt?: unknown } }) => {
        if (name === "update" && query.data?.sentAt !== undefined) dieAt("sent");
        const result: unknown = await method.call(target, query);
        if (name === "updateMany") dieAt("begun");
        return result;
      };
    },
  });
  const replaced: Readonly<Record<PropertyKey, unknown>> = { runAll, delivery };
  return new Proxy(real, { get: (target, name) => replaced[name] ?? Reflect.get(target, name) });
}

const real = await openDatabase(env().databaseUrl);
keepServices(createServices(place === "" ? real : watched(real)));
processState(EXTENSION_LOADER, () => createExtensionLoader(path.join(env().dataDirectory, "extensions")));
await startServer();
if (place !== "") {
  const lifeMs = place === "any" ? Math.random() * ANY_MOMENT_MS : LONGEST_LIFE_MS;
  setTimeout(() => process.kill(process.pid, "SIGKILL"), lifeMs);
  const looking = setInterval(async () => {
    const open = await Promise.all([
      real.delivery.count({ where: { nextAt: { lte: new Date() } } }),
      real.run.count({ where: { endedAt: null } }),
      real.firing.count({ where: { state: "started", outcome: null } }),
    ]);
    if (open.some((count) => count > 0)) return;
    isArmed = true;
    clearInterval(looking);
  }, LOOK_EVERY_MS);
}
// A worker's health address would keep it running.
createServer().listen(0, "127.0.0.1");
process.stdout.write("ready\n");
