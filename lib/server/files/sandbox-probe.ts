import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";

/** What the sandbox of this machine can do; determined once per process by running a command. */
export function sandboxProbe(): Promise<SandboxProbe> {
  return processState("sandbox-probe", () => probeSandbox({ unsafe: env().allowUnsandboxed }));
}

/** The probe for an agent's own backend: a sandbox that does not exist yet runs nothing (D-74). */
export async function backendProbe({ sandbox }: BackendConfig): Promise<SandboxProbe> {
  if (sandbox === "bubblewrap") return sandboxProbe();
  const reason = `The sandbox ${sandbox} is not part of this version.`;
  const remedy = "Set backend.sandbox to bubblewrap, or work without commands.";
  return { available: false, reason, remedy, mode: null, ripgrep: false };
}
