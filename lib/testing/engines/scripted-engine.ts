import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a scripted engine does otherwise than a healthy one. */
export interface EngineScript {
  /** The images that it has; those that are pulled are added. */
  readonly images: Set<string>;
  /** The lines of a pull; one with `error` makes it fail. */
  readonly pull?: readonly object[];
  /** Fields of GET /info. */
  readonly info?: object;
  /** Cuts what programs write, headers included, into pieces of this many bytes. */
  readonly pieceBytes?: number;
  /** Whether programs write to stderr what they write to stdout. */
  readonly swapStreams?: boolean;
  /** Answers instead of the engine: a status and a sentence. */
  readonly refuse?: (method: string, path: string) => readonly [status: number, message: string] | null;
  /** Never answers these requests. */
  readonly hang?: (method: string, path: string) => boolean;
}

export interface ScriptedEngine {
  readonly socketPath: string;
  /** Method and path of each request, without query. */
  readonly requests: readonly string[];
  readonly containers: ReadonlyMap<string, object>;
  readonly volumes: ReadonlySet<string>;
  /** Dies as an engine does: closes its socket and every connection. */
  die(): Promise<void>;
  close(): Promise<void>;
}

interface State {
  readonly script: EngineScript;
  readonly folder: string;
  readonly containers: Map<string, ContainerBody>;
  readonly volumes: Set<string>;
  readonly execs: Map<string, ScriptedExec>;
  readonly sockets: Set<Socket>;
  next: number;
}

interface ContainerBody {
  /** Must be a folder of this machine, such as /mnt. */
  readonly WorkingDir?: string;
  readonly HostConfig?: { readonly Mounts?: readonly { readonly Source: string }[] };
}

interface ScriptedExec {
  readonly container: string;
  readonly argv: readonly string[];
  process: ChildProcess | null;
  exitCode: number | null;
}

/**
 * The part of the Engine API that is used, on a unix socket. Programs run for real, each in a bubblewrap of its own with
 * the volume as its workspace: for faults of the protocol, not for proofs of confinement.
 */
export async function startScriptedEngine(script: EngineScript): Promise<ScriptedEngine> {
  const folder = mkdtempSync(join(tmpdir(), "ringmaster-scripted-engine-"));
  const socketPath = join(folder, "engine.sock");
  const requests: string[] = [];
  const state: State = {
    script,
    folder,
    containers: new Map(),
    volumes: new Set(),
    execs: new Map(),
    sockets: new Set(),
    next: 1,
  };
  const server = createServer((request, response) => {
    requests.push(nameOf(request));
    void answer(state, request, response);
  });
  server.on("upgrade", (request, socket: Socket) => {
    requests.push(nameOf(request));
    upgrade(state, request, socket);
  });
  server.on("connection", (socket) => {
    state.sockets.add(socket);
    socket.once("close", () => state.sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const die = async () => {
    for (const { process } of state.execs.values()) process?.kill("SIGKILL");
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of state.sockets) socket.destroy();
    await closed;
  };
  const { containers, volumes } = state;
  return {
    socketPath,
    requests,
    containers,
    volumes,
    die,
    async close() {
      if (server.listening) await die();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nameOf({ method, url = "" }: IncomingMessage): string {
  return `${method} ${url.split("?")[0]}`;
}

type Reply = readonly [status: number, body?: object];

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url = "" } = request;
  const path = url.split("?")[0] ?? "";
  const query = new URLSearchParams(url.split("?")[1]);
  const body = await readJson(request);
  if (state.script.hang?.(method, path)) return;
  const refused = state.script.refuse?.(method, path);
  const image = query.get("fromImage");
  if (image !== null && !refused) return pull(state, image, response);
  const [status, reply] = refused
    ? [refused[0], { message: refused[1] }]
    : handle(state, { method, path, query, body });
  response.writeHead(status, { "content-type": "application/json" }).end(reply && JSON.stringify(reply));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? {} : JSON.parse(text);
}

function pull({ script }: State, image: string, response: ServerResponse): void {
  const lines = script.pull ?? [{ status: "Downloaded" }];
  response.writeHead(200, { "content-type": "application/json" });
  if (!lines.some((line) => "error" in line)) script.images.add(image);
  for (const line of lines) response.write(`${JSON.stringify(line)}\r\n`);
  response.end();
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

function handle(state: State, call: Call): Reply {
  const [, noun = "", id = "", verb = ""] = call.path.split("/");
  if (noun === "info") return [200, { ServerVersion: "scripted", OSType: "linux", ...state.script.info }];
  if (noun === "images") return answerImage(state, decodeURIComponent(id));
  if (noun === "volumes") return answerVolume(state, call, id);
  if (noun === "exec") return answerExec(state, id);
  if (noun === "containers" && id === "create") return createContainer(state, call.body);
  if (noun === "containers" && id === "json") return [200, Object.assign([], { length: 0 })];
  if (!state.containers.has(id)) return [404, { message: `No such container: ${id}` }];
  if (verb === "exec") return createExec(state, id, call.body);
  if (call.method === "DELETE") return removeContainer(state, id);
  return [204];
}

function answerImage({ script }: State, name: string): Reply {
  return script.images.has(name) ? [200, { Id: name }] : [404, { message: `No such image: ${name}` }];
}

function answerVolume({ volumes, folder }: State, { method, body }: Call, id: string): Reply {
  if (method === "GET") return [200, { Volumes: [] }];
  if (method === "DELETE") return volumes.delete(id) ? [204] : [404, { message: "no such volume" }];
  const name = String(body.Name);
  volumes.add(name);
  mkdirSync(join(folder, name), { mode: 0o777 });
  return [201, { Name: name }];
}

function createContainer(state: State, body: Record<string, unknown>): Reply {
  if (!state.script.images.has(String(body.Image))) return [404, { message: `No such image: ${body.Image}` }];
  const id = `c${state.next++}`;
  state.containers.set(id, body);
  return [201, { Id: id }];
}

function removeContainer(state: State, id: string): Reply {
  for (const exec of state.execs.values()) if (exec.container === id) exec.process?.kill("SIGKILL");
  state.containers.delete(id);
  return [204];
}

function createExec(state: State, container: string, { Cmd }: Record<string, unknown>): Reply {
  const id = `e${state.next++}`;
  state.execs.set(id, { container, argv: (Cmd as string[]) ?? [], process: null, exitCode: null });
  return [201, { Id: id }];
}

function answerExec({ execs }: State, id: string): Reply {
  const exec = execs.get(id);
  if (!exec) return [404, { message: `No such exec instance: ${id}` }];
  return [200, { Running: exec.exitCode === null, ExitCode: exec.exitCode }];
}

function upgrade(state: State, { method = "", url = "" }: IncomingMessage, socket: Socket): void {
  socket.on("error", () => socket.destroy());
  const path = url.split("?")[0] ?? "";
  const [, noun = "", id = ""] = path.split("/");
  if (state.script.hang?.(method, path)) return;
  socket.write(
    "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n",
  );
  const exec = noun === "exec" ? state.execs.get(id) : undefined;
  if (exec) run(state, exec, socket);
}

/** Bubblewrap's own process namespace keeps `kill -9 -1` of the programs in. */
function run({ script, folder, containers }: State, exec: ScriptedExec, socket: Socket): void {
  const { WorkingDir: workdir = "/mnt", HostConfig } = containers.get(exec.container) ?? {};
  const volume = HostConfig?.Mounts?.[0]?.Source ?? "";
  const view = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  const places = ["--tmpfs", "/tmp", "--bind", join(folder, volume), workdir, "--chdir", workdir];
  // Not the home of whoever runs the tests: bash reads its .bashrc where standard input is a socket.
  const home = ["--setenv", "HOME", "/"];
  const child = spawn("bwrap", [...view, ...places, ...home, "--", ...exec.argv], { stdio: ["pipe", "pipe", "pipe"] });
  exec.process = child;
  child.stdin.on("error", () => undefined);
  socket.pipe(child.stdin);
  const send = (stream: 1 | 2) => (bytes: Buffer) => {
    const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
    header.writeUInt32BE(bytes.byteLength, 4);
    const frame = Buffer.concat([header, bytes]);
    const step = script.pieceBytes ?? frame.byteLength;
    for (let at = 0; at < frame.byteLength; at += step) socket.write(frame.subarray(at, at + step));
  };
  child.stdout.on("data", send(script.swapStreams ? 2 : 1));
  child.stderr.on("data", send(script.swapStreams ? 1 : 2));
  child.once("close", (code, signal) => {
    exec.exitCode = signal ? 137 : (code ?? 1);
    socket.end();
  });
}
