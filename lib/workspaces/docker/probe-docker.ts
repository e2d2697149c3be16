import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { COMMAND_LIMITS } from "@/lib/workspaces/limits";
import type { SandboxProblem } from "@/lib/workspaces/sandbox/sandbox-remedies";
import { containerSettings, type DockerBackend } from "./docker-backend";
import { runTool, startContainer } from "./engine/container";
import { EngineError } from "./engine/engine";
import { explainEngine, explainRuntime, findLack } from "./engine/engine-problems";
import { createVolume, removeVolume } from "./engine/volumes";

const ANSWER_MS = 5_000;
const TRY_MS = 30_000;
const WORKS = "ringmaster-sandbox-works";
const TRY = `for name in tar find stat xargs tr du; do command -v $name >/dev/null || echo "It has no $name."; done
touch file && rm file && echo ${WORKS}`;
const LIMITS = { network: false, memoryBytes: 256 * 2 ** 20, quotaBytes: 2 ** 20, commands: COMMAND_LIMITS };

/**
 * Whether commands can run in containers of `image`, found by running one if the engine has the image. If it has not,
 * the first command pulls it, and `remedy` says how to have it before, or how far its pull is.
 */
export async function probeDocker(backend: DockerBackend, image: string): Promise<SandboxStatus> {
  const status = await probeEngine(backend, image);
  if (!status.available || status.remedy !== null) return status;
  return orExplained(backend, image, async () => {
    const failure = await tryImage(backend, image);
    return failure ? { available: false, ...failure } : status;
  });
}

/** The same by asking the engine alone, in a few milliseconds. */
export function probeEngine(backend: DockerBackend, image: string): Promise<SandboxStatus> {
  return orExplained(backend, image, async () => {
    const problem = await findProblem(backend);
    if (problem) return { available: false, ...problem };
    const remedy = (await backend.images.has(image)) ? null : describeMissing(backend, image);
    return { available: true, reason: null, remedy };
  });
}

async function orExplained(
  { options }: DockerBackend,
  image: string,
  look: () => Promise<SandboxStatus>,
): Promise<SandboxStatus> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { available: false, ...explainEngine(error, { ...options, image }) };
  }
}

async function findProblem({ engine, options }: DockerBackend): Promise<SandboxProblem | null> {
  const reply = await engine.call({ method: "GET", path: "/info", timeoutMs: ANSWER_MS });
  if (typeof reply !== "object" || reply === null || !("ServerVersion" in reply)) {
    const reason = `What answers behind ${options.socketPath} is no Docker engine.`;
    return { reason, remedy: "Set RINGMASTER_DOCKER_SOCKET to the socket of one." };
  }
  const info = { ...reply };
  return findLack(info) ?? explainRuntime(info, options.runtime);
}

/** Runs a test command just like agents' commands. Rejects with EngineError. */
async function tryImage({ engine, options }: DockerBackend, image: string): Promise<SandboxProblem | null> {
  const settings = containerSettings(options, { key: "probe", workdir: "/workspace", image }, LIMITS);
  const signal = AbortSignal.timeout(TRY_MS);
  const volume = await createVolume(engine, settings.labels, signal);
  try {
    const container = await startContainer(engine, settings, { volume, signal });
    const argv = ["/bin/sh", "-c", TRY];
    const { output, errors } = await runTool(container, { user: "agent", argv, signal }).finally(container.remove);
    return output.trim() === WORKS ? null : unsuitable(image, `${output}${errors}`.replace(WORKS, ""));
  } finally {
    await removeVolume(engine, volume);
  }
}

function unsuitable(image: string, output: string): SandboxProblem {
  return {
    reason: `Commands can't run in the image ${image}. ${output.trim().replaceAll("\n", " ").slice(0, 300)}`.trim(),
    remedy: "Use an image with sh, tar, find, stat, xargs, tr and du; all based on Debian or Alpine have them.",
  };
}

function describeMissing({ images, options }: DockerBackend, image: string): string {
  const progress = images.progressOf(image);
  if (progress !== null) return `The image ${image} is being pulled: ${progress}.`;
  return `The first command pulls the image ${image}. To have it now: docker --host unix://${options.socketPath} pull ${image}`;
}
