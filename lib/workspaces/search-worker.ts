// Runs in its own thread, started by search-thread.ts: Node runs this file without bundling, so it imports only
// packages.
import { parentPort, workerData } from "node:worker_threads";
import { RE2JS } from "re2js";

const { pattern, flags } = workerData as { readonly pattern: string; readonly flags: number };
const expression = RE2JS.compile(pattern, flags);

parentPort?.on("message", (text: string) => parentPort?.postMessage(expression.test(text)));
