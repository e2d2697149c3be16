// Test files share processes, so that packages are loaded and compiled once instead of per file. Everything else is per
// file: each starts without our modules and state, and finally restores what it replaced in the process.
import { afterAll, vi } from "vitest";
import { forgetProcessStates } from "@/lib/server/platform/process-state";

forgetProcessStates();
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
