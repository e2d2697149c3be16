import { createHash } from "node:crypto";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import type {
  SandboxBackend,
  SandboxLimits,
  SandboxSession,
  SandboxWorkspace,
} from "@/lib/workspaces/sandbox/sandbox-backend";
import type { ContainerSettings } from "./engine/container-config";
import { createEngine, type Engine, EngineError } from "./engine/engine";
import { explainEngine } from "./engine/engine-problems";
import { ImageStore } from "./engine/image-store";
import { removeLeftovers } from "./engine/leftovers";
import { Turns } from "./turns";
import { WarmWorkspace } from "./warm-workspace";

export interface DockerOptions {
  readonly socketPath: string;
  /** The engine's name of a runtime such as `runsc`; null for its default. */
  readonly runtime: string | null;
  /** Identifies this installation's containers; no other process may use it at the same time. */
  readonly installation: string;
  /** How long a container stays without a command. */
  readonly idleMs?: number;
}

/** Commands in containers of a Docker engine, one per workspace, which stays warm for the next command. */
export interface DockerBackend extends SandboxBackend {
  readonly options: DockerOptions;
  readonly engine: Engine;
  readonly images: ImageStore;
  /** Removes what an earlier process of this installation has left. Rejects with EngineError. */
  removeLeftovers(): Promise<number>;
  /** Removes all containers and volumes of this process. */
  close(): Promise<void>;
}

/** The label by which an installation knows its containers and volumes. */
const INSTALLATION_LABEL = "ringmaster.installation";
const WORKSPACE_LABEL = "ringmaster.workspace";
const IDLE_MS = 5 * 60_000;
/** Above it the container that was idle longest goes. */
const MAX_WARM = 32;
/** Users that no system gives to people or services, below 2^16 for engines that map no more. */
const FIRST_UID = 20_000;
const UIDS = 40_000;

interface Place {
  readonly turns: Turns;
  warm: WarmWorkspace | null;
  idle: NodeJS.Timeout | null;
}

export function createDockerBackend(options: DockerOptions): DockerBackend {
  const engine = createEngine(options.socketPath);
  const images = new ImageStore(engine);
  const context = { ...options, images };
  const places = new Map<string, Place>();
  return {
    options,
    engine,
    images,
    removeLeftovers: () => removeLeftovers(engine, INSTALLATION_LABEL, options.installation),
    async open(workspace, limits, signal) {
      const settings = containerSettings(options, workspace, limits);
      const place = placeOf(places, workspace.key);
      const end = await place.turns.take(signal);
      try {
        await explained(context, settings, () => images.require(settings.image, signal));
        const warm = await warmFor(place, { engine, workspace, settings, quotaBytes: limits.quotaBytes });
        return openSession({
          context,
          settings,
          warm,
          signal,
          leave: () => leave(places, workspace.key, end, options),
        });
      } catch (error) {
        end();
        throw error;
      }
    },
    async close() {
      const open = [...places.values()];
      places.clear();
      await Promise.all(open.map((place) => cool(place)));
    },
  };
}

/** What the container of a workspace is made of. */
export function containerSettings(
  { installation, runtime }: DockerOptions,
  { key, workdir, image }: Omit<SandboxWorkspace, "root">,
  { network, memoryBytes, commands: limits }: SandboxLimits,
): ContainerSettings {
  const hash = createHash("sha256").update(`${installation} ${key}`).digest();
  const uid = FIRST_UID + (hash.readUInt32BE(0) % UIDS);
  const labels = { [INSTALLATION_LABEL]: installation, [WORKSPACE_LABEL]: key };
  return { image, workdir, network, memoryBytes, limits, uid, runtime, labels };
}

function placeOf(places: Map<string, Place>, key: string): Place {
  const found = places.get(key);
  if (found?.idle) clearTimeout(found.idle);
  const place = found ?? { turns: new Turns(), warm: null, idle: null };
  // Re-inserted, so that the map's order is that of the last use.
  places.delete(key);
  places.set(key, place);
  return place;
}

interface Wanted {
  readonly engine: Engine;
  readonly workspace: SandboxWorkspace;
  readonly settings: ContainerSettings;
  readonly quotaBytes: number;
}

/** The place's copy of the workspace, a new one if the agent's settings are others than the last one's. */
async function warmFor(place: Place, { engine, workspace, settings, quotaBytes }: Wanted): Promise<WarmWorkspace> {
  if (place.warm?.isFor(settings, quotaBytes)) return place.warm;
  await place.warm?.close();
  place.warm = new WarmWorkspace(engine, workspace.root, settings, quotaBytes);
  return place.warm;
}

/** Ends a turn. The last one starts the time after which the container goes. */
function leave(places: Map<string, Place>, key: string, end: () => void, { idleMs = IDLE_MS }: DockerOptions): void {
  end();
  const place = places.get(key);
  if (!place?.turns.isIdle) return;
  place.idle = setTimeout(() => {
    if (!place.turns.isIdle) return;
    places.delete(key);
    void cool(place);
  }, idleMs).unref();
  for (const [oldKey, old] of places) {
    if (places.size <= MAX_WARM) return;
    if (!old.turns.isIdle) continue;
    places.delete(oldKey);
    void cool(old);
  }
}

async function cool(place: Place): Promise<void> {
  if (place.idle) clearTimeout(place.idle);
  await place.warm?.close();
}

interface Context extends DockerOptions {
  readonly images: ImageStore;
}

interface Opened {
  readonly context: Context;
  readonly settings: ContainerSettings;
  readonly warm: WarmWorkspace;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}

function openSession({ context, settings, warm, signal, leave }: Opened): SandboxSession {
  // Whatever fails leaves two copies of unknown difference: the next session begins with a new one.
  const careful = <Result>(work: () => Promise<Result>) =>
    explained(context, settings, work).catch(async (error) => {
      await warm.close();
      throw error;
    });
  return {
    putFiles: () => careful(() => warm.putFiles(AbortSignal.any([signal, AbortSignal.timeout(TRANSFER_MS)]))),
    execute: (request) => careful(() => warm.execute(request)),
    getChanges: () => careful(() => warm.getChanges()),
    close: async () => leave(),
  };
}

const TRANSFER_MS = 10 * 60_000;

/** Turns the engine's errors into ones for the model, with the administrator's remedy. */
async function explained<Result>(
  { socketPath, runtime, images }: Context,
  { image }: ContainerSettings,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // Somebody may have removed the image: the next command looks again.
    if (error.status === 404) images.forget(image);
    const { reason, remedy } = explainEngine(error, { socketPath, runtime, image });
    const sentence = reason.endsWith(".") ? reason : `${reason}.`;
    throw new WorkspaceError("failed", `${sentence} What an administrator can do: ${remedy}`);
  }
}
