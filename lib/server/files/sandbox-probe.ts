import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/probe-sandbox";
import { env } from "../env";
import { processState } from "../process-state";

/** What the sandbox of this machine can do; tried once per process, by running a command. */
export function sandboxProbe(): Promise<SandboxProbe> {
  return processState("sandbox-probe", () => probeSandbox({ unsafe: env().allowUnsandboxed }));
}
