// Test files share processes, so that packages are loaded and compiled once and not for every file. All else is a file's
// own: it begins without modules and states of ours, and ends with what it has replaced in the process put back.
import { afterAll, vi } from "vitest";
import { forgetProcessStates } from "@/lib/server/platform/process-state";

forgetProcessStates();
vi.resetModules();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
