// Test files share processes, so that packages are loaded and compiled once and not for every file. Everything else
// belongs to one file: it begins without our modules and state, and ends by restoring what it replaced in the
// process.
import { afterAll, vi } from "vitest";
import { forgetProcessStates } from "@/lib/server/platform/process-state";

forgetProcessStates();
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
