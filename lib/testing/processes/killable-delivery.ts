// A separate process that sends a delivery to a webhook and kills itself with SIGKILL before it can record the
// response; see webhook-sender.test.ts. Arguments: database URL, data directory, the private host that it may reach,
// the delivery.

import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { deliver } from "@/lib/server/triggers/deliver";
import { keepServices } from "@/lib/server/wiring/services";

const [url = "", dataDirectory = "", allowed = "", deliveryId = ""] = process.argv.slice(2);
const variables = {
  DATABASE_URL: url,
  RINGMASTER_DATA_DIR: dataDirectory,
  RINGMASTER_LOG_LEVEL: "silent",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: allowed,
};
processState("environment", () => parseEnvironment(variables, dataDirectory));

const real = await openDatabase(url);
/** Where what came back is noted: of a webhook, and of a message to a chat. */
const NOTED = ["deliveryAttempt", "channelMessage"];
const dying = (rows: object) =>
  new Proxy(rows, {
    get: (target, name) => (name === "create" ? () => process.kill(process.pid, "SIGKILL") : Reflect.get(target, name)),
  });
const database = new Proxy(real, {
  get: (target, name) => {
    const value: unknown = Reflect.get(target, name);
    return typeof value === "object" && value !== null && NOTED.includes(String(name)) ? dying(value) : value;
  },
}) as Database;
const services = keepServices(createServices(database));
await deliver(services, deliveryId);
process.exit(1);
