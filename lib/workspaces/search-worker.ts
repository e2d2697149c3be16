// Runs in a thread of its own, started by search-thread.ts: Node runs this file as it is, so it imports only packages.
import { parentPort, workerData } from "node:worker_threads";
import { RE2JS } from "re2js";

const { pattern, flags } = workerData as { readonly pattern: string; readonly flags: number };
const expression = RE2JS.compile(pattern, flags);

parentPort?.on("message", (text: string) => parentPort?.postMessage(expression.test(text)));
