// A separate process that gets a POST for a prompt with an `Idempotency-Key` and kills itself with SIGKILL before it can
// keep its answer; see idempotency.test.ts. Arguments: database URL, data directory, the caller's key, the
// `Idempotency-Key`, the prompt.

import { POST } from "@/app/api/prompts/route";
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { keepServices } from "@/lib/server/wiring/services";

const [url = "", dataDirectory = "", key = "", idempotencyKey = "", body = ""] = process.argv.slice(2);
const variables = { DATABASE_URL: url, RINGMASTER_DATA_DIR: dataDirectory, RINGMASTER_LOG_LEVEL: "silent" };
processState("environment", () => parseEnvironment(variables, dataDirectory));

const real = await openDatabase(url);
/** The prompt is read back for the answer. */
const prompts = new Proxy(real.savedPrompt, {
  get: (target, name) =>
    String(name).startsWith("find") ? () => process.kill(process.pid, "SIGKILL") : Reflect.get(target, name),
});
const database = new Proxy(real, {
  get: (target, name) => (name === "savedPrompt" ? prompts : Reflect.get(target, name)),
}) as Database;
keepServices(createServices(database));
const headers = { authorization: `Bearer ${key}`, "idempotency-key": idempotencyKey };
await POST(new Request("http://127.0.0.1:3000/api/prompts", { method: "POST", headers, body }), {
  params: Promise.resolve({}),
});
process.exit(1);
