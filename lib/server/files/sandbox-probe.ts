import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/probe-sandbox";

/** What the sandbox of this machine can do; tried once per process, by running a command. */
export function sandboxProbe(): Promise<SandboxProbe> {
  return processState("sandbox-probe", () => probeSandbox({ unsafe: env().allowUnsandboxed }));
}
