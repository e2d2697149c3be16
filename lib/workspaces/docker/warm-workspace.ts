import { type CommandResult, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { LocalRoot } from "@/lib/workspaces/local/local-root";
import type { CommandRequest, SandboxChanges } from "@/lib/workspaces/sandbox/sandbox-backend";
import { type Container, runTool, startContainer } from "./engine/container";
import { type ContainerSettings, SKILLS_FOLDER } from "./engine/container-config";
import type { Engine } from "./engine/engine";
import { stdoutOf } from "./engine/stdout-of";
import { createVolume, removeVolume } from "./engine/volumes";
import { type LocalTree, lookAtTree } from "./exchange/local-tree";
import { receiveFiles, removeGone } from "./exchange/receive-files";
import { isSame, type Listing, listRemote, type RemoteTree } from "./exchange/remote-tree";
import { packFiles, packFolder } from "./exchange/send-files";
import { runCommand } from "./run-command";

const UNPACK = "umask 0; tar -xpf - || exit 97\n";
const REMOVE = 'tr "\\n" "\\0" | xargs -0 rm -rf --';
/** BusyBox' tar reads names by the line and has no other way. */
const PACK = `if tar --version 2>/dev/null | grep -q GNU
then tr "\\n" "\\0" | tar -cf - --no-recursion --null -T -
else tar -cf - -T -
fi`;
const UNPACK_SKILLS = `cd ${SKILLS_FOLDER} && rm -rf ./* && umask 022 && tar -xf -`;
/** What a command may leave above the quota and still be taken over, because it is only measured now and then. */
const QUOTA_SLACK_BYTES = 512 * 2 ** 20;

/**
 * The copy of one workspace in a volume of the engine, and the container that now holds it. The folder on this machine
 * is the truth; whenever the two may differ in an unknown way, the copy is thrown away. Its methods must not be called
 * at the same time.
 */
export class WarmWorkspace {
  readonly #engine: Engine;
  readonly #root: LocalRoot;
  readonly #settings: ContainerSettings;
  readonly #quotaBytes: number;
  #volume: string | null = null;
  #container: Container | null = null;
  /** Both sides as they were when they were last the same. */
  #local: LocalTree = new Map();
  #remote: RemoteTree = new Map();
  #memoryKills = 0;
  #skills: string | null = null;

  constructor(engine: Engine, root: LocalRoot, settings: ContainerSettings, quotaBytes: number) {
    this.#engine = engine;
    this.#root = root;
    this.#settings = settings;
    this.#quotaBytes = quotaBytes;
  }

  /** Whether it can serve commands with these settings. */
  isFor(settings: ContainerSettings, quotaBytes: number): boolean {
    return quotaBytes === this.#quotaBytes && JSON.stringify(settings) === JSON.stringify(this.#settings);
  }

  /** Sends what has changed here. Rejects with EngineError or WorkspaceError. */
  async putFiles(signal: AbortSignal): Promise<void> {
    const container = await this.#open(signal);
    const now = await lookAtTree(this.#root);
    const changed = [...now].filter(([path, { signature }]) => signature !== this.#local.get(path)?.signature);
    const gone = [...this.#local].filter(([path, { kind }]) => now.get(path)?.kind !== kind).map(([path]) => path);
    if (gone.length > 0) await this.#remove(container, gone, signal);
    if (changed.length + gone.length === 0) return;
    const input = packFiles(this.#root, changed);
    const { result, listing } = await listRemote(container, { before: UNPACK, input, signal });
    if (result.exitCode === 97) throw unpackFailed(result.errors);
    this.#local = now;
    this.#take(listing);
  }

  /** Runs a command in the copy. Rejects with EngineError. */
  async execute(request: CommandRequest): Promise<CommandResult> {
    const container = await this.#open(request.signal);
    await this.#putSkills(container, request.skillsFolder ?? null, request.signal);
    return await runCommand(container, request, { quotaBytes: this.#quotaBytes, memoryKills: this.#memoryKills });
  }

  /** Takes over what the command has changed in the copy. Rejects with EngineError or WorkspaceError. */
  async getChanges(): Promise<SandboxChanges> {
    const container = await this.#open(AbortSignal.timeout(60_000));
    const { listing } = await listRemote(container);
    const stopped = listing.memoryKills > this.#memoryKills ? ({ stopped: "memory limit" } as const) : {};
    const sizeBytes = [...listing.entries.values()].reduce((sum, entry) => sum + entry.sizeBytes, 0);
    if (sizeBytes > this.#quotaBytes + QUOTA_SLACK_BYTES) {
      await this.close();
      return { ...stopped, notice: discarded(sizeBytes) };
    }
    const changed = new Map([...listing.entries].filter(([path, entry]) => !isSame(this.#remote.get(path), entry)));
    const gone = [...this.#remote.keys()].filter((path) => !listing.entries.has(path));
    const conflicts: string[] = [];
    const receiver = { root: this.#root, local: this.#local, wanted: changed, conflicts };
    if (gone.length > 0) await removeGone(receiver, gone);
    if (changed.size > 0) await receiveFiles(receiver, await this.#pack(container, changed.keys()));
    this.#take(listing);
    return { ...stopped, notice: conflicts.length > 0 ? conflicting(conflicts) : null };
  }

  /** Removes the container and the copy. Never rejects: what stays is removed at the next start. */
  async close(): Promise<void> {
    const container = this.#container;
    this.#container = null;
    await container?.remove().catch(() => undefined);
    if (this.#volume !== null) await removeVolume(this.#engine, this.#volume).catch(() => undefined);
    this.#volume = null;
    this.#local = new Map();
    this.#remote = new Map();
  }

  /** The container, a new one around the same volume if a command was ended by removing it. */
  async #open(signal: AbortSignal): Promise<Container> {
    if (this.#container?.isHeld()) return this.#container;
    this.#volume ??= await createVolume(this.#engine, this.#settings.labels, signal);
    this.#skills = null;
    this.#memoryKills = 0;
    this.#container = await startContainer(this.#engine, this.#settings, { volume: this.#volume, signal });
    return this.#container;
  }

  #take({ entries, memoryKills }: Listing): void {
    this.#remote = entries;
    this.#memoryKills = memoryKills;
  }

  async #remove(container: Container, paths: readonly string[], signal: AbortSignal): Promise<void> {
    await runTool(container, { user: "agent", argv: ["/bin/sh", "-c", REMOVE], input: namesOf(paths), signal });
  }

  async #pack(container: Container, paths: Iterable<string>): Promise<AsyncGenerator<Buffer>> {
    const exec = await container.exec({ user: "agent", argv: ["/bin/sh", "-c", PACK], input: namesOf(paths) });
    return stdoutOf(exec);
  }

  async #putSkills(container: Container, folder: string | null, signal: AbortSignal): Promise<void> {
    if (folder === this.#skills || this.#settings.workdir === SKILLS_FOLDER) return;
    const input = folder === null ? packFiles(this.#root, []) : packFolder(folder);
    const argv = ["/bin/sh", "-c", UNPACK_SKILLS];
    await runTool(container, { user: "root", argv, input, signal });
    this.#skills = folder;
  }
}

async function* namesOf(paths: Iterable<string>): AsyncGenerator<Buffer> {
  for (const path of paths) yield Buffer.from(`./${path}\n`);
}

function unpackFailed(errors: string): WorkspaceError {
  const message = `The workspace's files could not be copied into the container: ${errors.trim().slice(-300)}`;
  return new WorkspaceError("failed", message);
}

function discarded(sizeBytes: number): string {
  const megabytes = Math.round(sizeBytes / 2 ** 20);
  return `The command left ${megabytes} MB in the workspace, far over its quota. What it changed was discarded.`;
}

function conflicting(paths: readonly string[]): string {
  const named = paths.slice(0, 10).join(", ");
  return `While the command ran, somebody else changed ${named}. That stays; what the command wrote is beside it, with .from-command at the end of the name.`;
}
