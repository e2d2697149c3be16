import { constants } from "node:os";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];

/** Ends `child` when a signal ends this process: alone it would go on, and hold what the next start needs. */
export function endTogether(child) {
  const end = (signal) => {
    child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  child.once("exit", () => {
    for (const signal of SIGNALS) process.off(signal, end);
  });
  return child;
}
