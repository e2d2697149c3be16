import "server-only";
import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/probe-sandbox";
import { processState } from "../process-state";

/** Whether commands can run on this machine: tried once per process, by running one. */
export function sandboxStatus(): Promise<SandboxProbe> {
  return processState("sandbox-probe", () => probeSandbox());
}
