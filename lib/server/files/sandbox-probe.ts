import { type BackendConfig, DEFAULT_IMAGE } from "@/lib/schema/agents/agent-config-backend";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { probeDocker, probeEngine } from "@/lib/workspaces/docker/probe-docker";
import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";
import { dockerBackend } from "./docker-backend";

/** An engine may be started, and a runtime installed, while this server runs. */
const WORKS_FOR_MS = 10 * 60_000;
const FAILS_FOR_MS = 5_000;

/** What the sandbox of this machine can do; determined once per process by running a command. */
export function sandboxProbe(): Promise<SandboxProbe> {
  return processState("sandbox-probe", () => probeSandbox({ unsafe: env().allowUnsandboxed }));
}

/** The probe for an agent's own backend. */
export async function backendProbe({ sandbox, image }: BackendConfig): Promise<SandboxProbe> {
  if (sandbox === "bubblewrap") return sandboxProbe();
  if (sandbox === "docker") {
    const status = await dockerProbe(image);
    return { ...status, mode: status.available ? "docker" : null, ripgrep: false, backend: await dockerBackend() };
  }
  const reason = `The sandbox ${sandbox} is not part of this version.`;
  const remedy = "Set backend.sandbox to bubblewrap or docker, or work without commands.";
  return { available: false, reason, remedy, mode: null, ripgrep: false };
}

/** The same for a page: a run learns from its command that the engine has gone since, a page has to ask. */
export async function backendStatus(backend: BackendConfig): Promise<SandboxStatus> {
  const { mode, available, reason, remedy } = await backendProbe(backend);
  const known = { available, reason, remedy };
  if (mode !== "docker") return known;
  const now = await probeEngine(await dockerBackend(), backend.image);
  return now.available ? known : now;
}

interface KnownStatus {
  readonly status: Promise<SandboxStatus>;
  endsAt: number;
}

/** What the Docker engine says of itself, without a container being started. */
export async function dockerStatus(): Promise<SandboxStatus> {
  return probeEngine(await dockerBackend(), DEFAULT_IMAGE);
}

/** Whether commands run in containers of this image. */
async function dockerProbe(image: string): Promise<SandboxStatus> {
  const known = processState("docker-probes", () => new Map<string, KnownStatus>());
  const found = known.get(image);
  if (found && performance.now() < found.endsAt) return found.status;
  const status = dockerBackend().then((backend) => probeDocker(backend, image));
  const entry: KnownStatus = { status, endsAt: Number.POSITIVE_INFINITY };
  known.set(image, entry);
  const { available, remedy } = await status;
  entry.endsAt = performance.now() + (available && remedy === null ? WORKS_FOR_MS : FAILS_FOR_MS);
  return status;
}
