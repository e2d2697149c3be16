import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A real engine that speaks the Engine API: Podman's service, with storage of its own. */
export interface ContainerEngine {
  readonly socketPath: string;
  /** Contains bash, the core utilities, tar, find and Python of this machine. */
  readonly image: string;
  /** Kills the engine's service, not its containers. */
  kill(): void;
  stop(): Promise<void>;
}

/** The image of an agent that names none; the real one may not be in reach of a test. */
const IMAGE = "docker.io/library/python:3.12-slim";
const START_MS = 20_000;

const PROGRAMS =
  "bash cat chmod chown cp cut date dd du echo env find grep head id kill ln ls mkdir mkfifo mknod mount mv nohup printf ps python3 rm sed seq setsid sh sleep sort stat su tail tar tee test touch tr true uname unshare wc which whoami xargs yes".split(
    " ",
  );

/** Null where Podman can't start containers, with a loud line about what is not tested then. */
export async function startContainerEngine(): Promise<ContainerEngine | null> {
  const folder = mkdtempSync(join(tmpdir(), "ringmaster-engine-"));
  const socketPath = join(folder, "engine.sock");
  const storage = ["--root", join(folder, "root"), "--runroot", join(folder, "run")];
  const runtime = existsSync("/usr/bin/runc") || existsSync("/usr/sbin/runc") ? ["--runtime", "runc"] : [];
  const options = [...storage, ...runtime, "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
  const podman = (...args: string[]) => spawnSync("podman", [...options, ...args], { encoding: "utf8" });
  const service = spawn("podman", [...options, "system", "service", "--time", "0", `unix://${socketPath}`], {
    // It leaves notes about memory in its current folder.
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  service.once("error", () => undefined);
  const stop = async () => {
    podman("rm", "--all", "--force", "--time", "0");
    service.kill("SIGKILL");
    // Some start another program when they end, which tidies up and would make the folder anew.
    for (let pids = processesOf(folder); pids.length > 0; pids = processesOf(folder))
      spawnSync("kill", ["-KILL", ...pids]);
    spawnSync("umount", ["--lazy", join(folder, "root", "overlay")]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await waitForSocket(socketPath);
    await importImage(socketPath, folder);
    const limits = [
      "--ulimit",
      "nproc=1024:1024",
      "--network",
      "none",
      "--memory",
      "64m",
      "--pids-limit",
      "64",
      "--ulimit",
      "nofile=1024:1024",
    ];
    const tried = podman("run", "--rm", ...limits, IMAGE, "/bin/sh", "-c", "echo works");
    if (tried.stdout !== "works\n") throw new Error(tried.stderr || String(tried.error));
    return { socketPath, image: IMAGE, kill: () => service.kill("SIGKILL"), stop };
  } catch (error) {
    await stop();
    const reason = error instanceof Error ? error.message.trim() : String(error);
    process.stderr.write(
      `\nDOCKER SANDBOX: TESTED AGAINST A SCRIPTED ENGINE API ONLY. No container starts on this machine: ${reason}\n\n`,
    );
    return null;
  }
}

/** What Podman leaves running for some minutes after each program, to be asked for its exit code. */
function processesOf(folder: string): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line.includes(folder) && !/^\s*\d+\s+Z/.test(line));
  return lines.map((line) => line.trim().split(" ")[0] ?? "").filter((pid) => pid !== String(process.pid));
}

async function waitForSocket(socketPath: string): Promise<void> {
  const ends = performance.now() + START_MS;
  while (!existsSync(socketPath)) {
    if (performance.now() > ends) throw new Error("podman system service did not start.");
    await sleep(50);
  }
}

/** An image made of this machine's programs, because no registry may be in reach. */
async function importImage(socketPath: string, folder: string): Promise<void> {
  const root = join(folder, "image");
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ["etc", "tmp", "proc", "sys", "dev"]) mkdirSync(join(root, name));
  const where = ["-c", "import os; print(os.path.dirname(os.__file__))"];
  const library = spawnSync("/usr/bin/python3", where, { encoding: "utf8" }).stdout.trim();
  const script = `cp -L --parents "\${@:2}" "$1" && cd "$1" && tar --exclude=dist-packages --exclude=test --exclude=__pycache__ -c . -C / "./$PYTHON"`;
  const modules = globSync(`${library}/lib-dynload/*.so`).flatMap(librariesOf);
  const files = [...new Set([...PROGRAMS.flatMap(filesOf), ...modules])];
  const made = spawnSync("bash", ["-c", script, "bash", root, ...files], {
    env: { ...process.env, PYTHON: library.slice(1) },
    maxBuffer: 2 ** 30,
  });
  if (made.status !== 0) throw new Error(made.stderr.toString());
  await importArchive(socketPath, made.stdout);
}

function filesOf(program: string): string[] {
  const found = spawnSync("/bin/sh", ["-c", `PATH=/usr/bin:/bin:/usr/sbin; command -v "$1"`, "sh", program], {
    encoding: "utf8",
  }).stdout.trim();
  if (!found.startsWith("/")) return [];
  return [found, ...librariesOf(found)];
}

function librariesOf(file: string): string[] {
  const { stdout } = spawnSync("ldd", [file], { encoding: "utf8" });
  return (stdout.match(/\/\S+/g) ?? []).filter((name) => !name.endsWith(":"));
}

async function importArchive(socketPath: string, archive: Buffer): Promise<void> {
  await post(socketPath, "/images/create?fromSrc=-&repo=localhost/sandbox-test", archive);
  // Podman's service has no other way to name what it imports.
  await post(socketPath, "/images/localhost%2Fsandbox-test/tag?repo=docker.io/library/python&tag=3.12-slim");
}

function post(socketPath: string, path: string, body: Buffer = Buffer.alloc(0)): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request({ socketPath, method: "POST", path, headers: { "content-type": "application/x-tar" } });
  sent.once("response", (reply) => {
    reply.resume();
    reply.once("end", () =>
      (reply.statusCode ?? 500) < 300 ? resolve() : reject(new Error("The image was refused.")),
    );
  });
  sent.once("error", reject);
  sent.end(body);
  return promise;
}
