// Its stdout and stderr are a full disk; it reports on descriptor 3 that it has survived writing to them.
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { ignoreOutputErrors } from "@/lib/server/platform/log-output";
import { createLogger } from "@/lib/server/platform/logger";

ignoreOutputErrors();
const log = createLogger("info");
for (let number = 0; number < 3; number++) {
  log.error({ err: new Error("disk full"), number }, "could not store");
  process.stdout.write("to stdout\n");
  process.stderr.write("to stderr\n");
  await setTimeout(20);
}
writeSync(3, "still here");
process.exit(0);
