import type { Socket } from "node:net";
import { Readable, promises as streams } from "node:stream";
import { promises as timers } from "node:timers";
import { type ContainerSettings, containerConfig } from "./container-config";
import { type Engine, EngineError, toEngineError } from "./engine";
import { type OutputPiece, readFrames } from "./output-frames";

export interface ExecRequest {
  /** `agent` is the user of the commands; `root` has no capabilities either. */
  readonly user: "agent" | "root";
  readonly argv: readonly string[];
  /** Default: nothing to read. */
  readonly input?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** A program in a container. */
export interface Exec {
  /** Rejects with EngineError if the engine goes away. */
  readonly output: AsyncGenerator<OutputPiece>;
  /** Resolves with the exit code when the program itself has ended, whoever still holds its output. */
  ended(signal?: AbortSignal): Promise<number>;
  /** Gives up the output, which rejects with the error if there is one. */
  close(error?: Error): void;
}

/** A running container. */
export interface Container {
  readonly id: string;
  readonly settings: ContainerSettings;
  /** False once the connection that holds it has closed. */
  isHeld(): boolean;
  exec(request: ExecRequest): Promise<Exec>;
  /** Kills everything in it at once. Resolves when it is gone; rejects with EngineError if the engine does not answer. */
  remove(): Promise<void>;
}

/**
 * A new volume belongs to root in Docker and to the container's first user in Podman, and nobody here may change what
 * is another's: either this succeeds or the first process does the same.
 */
const PREPARE = `chmod 1777 /tmp "$1" 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9; do case $(stat -c %a "$1") in *777) exit 0;; esac; sleep 0.1; done`;
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 1_000;

interface StartOptions {
  readonly volume: string;
  readonly signal: AbortSignal;
}

/** Creates and starts a container around `volume`. Rejects with EngineError, with status 404 if its image is missing. */
export async function startContainer(
  engine: Engine,
  settings: ContainerSettings,
  { volume, signal }: StartOptions,
): Promise<Container> {
  const body = containerConfig(settings, volume);
  const created = await engine.call({ method: "POST", path: "/containers/create", body, signal });
  const id = readId(created);
  try {
    const path = `/containers/${id}/attach?stream=1&stdin=1`;
    const leash = await engine.open({ method: "POST", path, signal });
    leash.resume();
    await engine.call({ method: "POST", path: `/containers/${id}/start`, signal });
    const container = describe(engine, id, { settings, leash });
    await runTool(container, { user: "root", argv: ["/bin/sh", "-c", PREPARE, "sh", settings.workdir], signal });
    return container;
  } catch (error) {
    await removeContainer(engine, id).catch(() => undefined);
    throw toEngineError(error);
  }
}

function describe(
  engine: Engine,
  id: string,
  { settings, leash }: { settings: ContainerSettings; leash: Socket },
): Container {
  return {
    id,
    settings,
    isHeld: () => !leash.destroyed,
    exec: (request) => startExec(engine, { id, settings }, request),
    async remove() {
      try {
        await removeContainer(engine, id);
      } finally {
        leash.destroy();
      }
    },
  };
}

/** A container that is already gone, or going, is right too. */
export async function removeContainer(engine: Engine, id: string): Promise<void> {
  try {
    await engine.call({ method: "DELETE", path: `/containers/${encodeURIComponent(id)}?force=1&v=1` });
  } catch (error) {
    if (error instanceof EngineError && (error.status === 404 || error.status === 409)) return;
    throw error;
  }
}

async function startExec(
  engine: Engine,
  { id, settings }: Pick<Container, "id" | "settings">,
  { user, argv, input, signal }: ExecRequest,
): Promise<Exec> {
  const body = {
    AttachStdin: input !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    User: user === "root" ? "0:0" : `${settings.uid}:${settings.uid}`,
    WorkingDir: settings.workdir,
    Cmd: argv,
  };
  const created = await engine.call({
    method: "POST",
    path: `/containers/${id}/exec`,
    body,
    ...(signal && { signal }),
  });
  const exec = readId(created);
  const start = { Detach: false, Tty: false };
  const socket = await engine.open({
    method: "POST",
    path: `/exec/${exec}/start`,
    body: start,
    ...(signal && { signal }),
  });
  // A program that ends without reading everything closes the connection; its exit code tells what it is worth.
  if (input) streams.pipeline(Readable.from(input, { objectMode: false }), socket).catch(() => undefined);
  return {
    output: readOutput(socket),
    ended: (stop) => waitForEnd(engine, exec, stop),
    close: (error) => socket.destroy(error),
  };
}

async function* readOutput(socket: Socket): AsyncGenerator<OutputPiece> {
  try {
    yield* readFrames(socket);
  } catch (error) {
    throw toEngineError(error);
  }
}

/** The engine has no event for it that comes reliably; it is asked less often the longer a program runs. */
async function waitForEnd(engine: Engine, exec: string, signal?: AbortSignal): Promise<number> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
    const found = await engine.call({ method: "GET", path: `/exec/${exec}/json`, ...(signal && { signal }) });
    const { Running: isRunning, ExitCode: exitCode } = found as { Running?: unknown; ExitCode?: unknown };
    if (isRunning !== true) return typeof exitCode === "number" ? exitCode : 1;
    await timers.setTimeout(pauseMs, undefined, { ref: false, signal });
  }
}

function readId(reply: unknown): string {
  if (typeof reply === "object" && reply !== null && "Id" in reply && typeof reply.Id === "string") return reply.Id;
  throw new EngineError("The engine's reply names nothing that was created.");
}

export interface ToolResult {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

const TOOL_OUTPUT_BYTES = 64 * 2 ** 20;
/** After how long an engine is asked about a program, and how long its output may be silent after it has ended. */
const PATIENCE = { askAfterMs: 5_000, restMs: 30_000 };

/** Runs a short program of the image to its end. Rejects with EngineError. */
export async function runTool(container: Container, request: ExecRequest): Promise<ToolResult> {
  const exec = await container.exec(request);
  const pieces = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let bytes = 0;
  for await (const piece of whileAnswered(exec)) {
    bytes += piece.bytes.byteLength;
    if (bytes > TOOL_OUTPUT_BYTES) throw new EngineError("A program of the image wrote too much.");
    pieces[piece.stream].push(piece.bytes);
  }
  const exitCode = await exec.ended();
  const [output, errors] = [pieces.stdout, pieces.stderr].map((parts) => Buffer.concat(parts).toString("utf8"));
  return { exitCode, output: output ?? "", errors: errors ?? "" };
}

/**
 * The program's output. Rejects with EngineError if the engine no longer answers: one that has fallen silent leaves the
 * stream open. Closes the stream when the reader stops.
 */
export async function* whileAnswered(exec: Exec, patience = PATIENCE): AsyncGenerator<OutputPiece> {
  const done = new AbortController();
  const reading: Reading = { sinceMs: null };
  void findSilence(exec, reading, { ...patience, signal: done.signal }).catch((error: unknown) => {
    if (!done.signal.aborted) exec.close(toEngineError(error));
  });
  try {
    for (;;) {
      reading.sinceMs = performance.now();
      const next = await exec.output.next();
      reading.sinceMs = null;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    done.abort();
    exec.close();
  }
}

interface Reading {
  /** Since when the next piece is waited for; null while the reader is busy with the last one. */
  sinceMs: number | null;
}

/** Never resolves. Rejects when the engine does not answer, or does not end the output of a program that has ended. */
async function findSilence(
  exec: Exec,
  reading: Reading,
  { askAfterMs, restMs, signal }: typeof PATIENCE & { readonly signal: AbortSignal },
): Promise<never> {
  await timers.setTimeout(askAfterMs, undefined, { ref: false, signal });
  await exec.ended(signal);
  for (;;) {
    await timers.setTimeout(restMs, undefined, { ref: false, signal });
    if (reading.sinceMs !== null && performance.now() - reading.sinceMs >= restMs) break;
  }
  throw new EngineError("The engine does not end the output of a program that has ended.", { code: "ETIMEDOUT" });
}
