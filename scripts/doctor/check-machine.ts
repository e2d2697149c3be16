// What an installation needs of its machine: Node, a folder, space, a sandbox, a port, a public address.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_IMAGE } from "@/lib/schema/agents/agent-config-backend";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { isLoopback } from "@/lib/schema/loopback";
import { DEFAULT_DOCKER_SOCKET, type Environment } from "@/lib/server/platform/env";
import { createDockerBackend } from "@/lib/workspaces/docker/docker-backend";
import { probeDocker } from "@/lib/workspaces/docker/probe-docker";
import { probeSandbox } from "@/lib/workspaces/sandbox/probe-sandbox";
import { otherPort, requireBrowserPort, requireFreePort } from "../free-port";
import { broken, type Finding, ok, skipped, warning } from "./finding";

const MEGABYTE = 1_000_000;
const SCARCE_BYTES = 2_000 * MEGABYTE;
const NO_BYTES = 200 * MEGABYTE;
const HEALTH_TIMEOUT_MS = 5_000;
const EVERYWHERE = ["0.0.0.0", "::"];

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 18);
  if (isNewEnough) return ok(version);
  return broken(`Node ${version} is too old: 22.18 is needed.`, "Install Node 24 from https://nodejs.org.");
}

export function checkData({ dataDirectory: folder }: Environment): Finding {
  if (!existsSync(folder)) return skipped(`${folder} does not exist; the first start creates it.`);
  const stats = statSync(folder);
  if (!stats.isDirectory()) return broken(`${folder} is a file.`, "Name a folder with --data or RINGMASTER_DATA_DIR.");
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (isReadOnly(error)) {
      return broken(
        `${folder} is on a read-only file system.`,
        "Mount it for writing, or name another folder with --data.",
      );
    }
    return broken(`This user may not write in ${folder}.`, `sudo chown -R "$(id -un)" ${quoted(folder)}`);
  }
  const isOpen = (stats.mode & 0o077) !== 0 && process.platform !== "win32";
  if (isOpen) return warning(`Others on this machine may look into ${folder}.`, `chmod 700 ${quoted(folder)}`);
  return ok(folder);
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EROFS";
}

export async function checkDisk({ dataDirectory }: Environment): Promise<Finding> {
  const { bavail, bsize } = await statfs(existingAbove(dataDirectory));
  const freeBytes = bavail * bsize;
  const found = `${inMegabytes(freeBytes)} free`;
  const fix = "Free some space, or keep less: Admin, Settings, Retention.";
  if (freeBytes < NO_BYTES) return broken(found, fix);
  return freeBytes < SCARCE_BYTES ? warning(found, fix) : ok(found);
}

export async function checkSandbox({ allowUnsandboxed, dockerSocket, dockerRuntime }: Environment): Promise<Finding> {
  const { available, mode, reason, remedy, ripgrep } = await probeSandbox({ unsafe: allowUnsandboxed });
  const docker = await probeContainers(dockerSocket, dockerRuntime);
  const others = docker?.available ? " Those with backend.sandbox docker can." : "";
  if (!available) return warning(`Agents can't run commands. ${reason ?? ""}${others}`.trim(), remedy ?? "");
  if (mode === "unsafe") return warning(reason ?? "Commands run without a sandbox.", remedy ?? "");
  return describeSandboxes(docker, ripgrep);
}

/** What there is besides a working bubblewrap. */
function describeSandboxes(docker: SandboxStatus | null, ripgrep: boolean): Finding {
  if (docker?.available === false) return warning(`bubblewrap. ${docker.reason ?? ""}`, docker.remedy ?? "");
  const found = docker === null ? "bubblewrap" : "bubblewrap, Docker";
  return ripgrep
    ? ok(`${found}, ripgrep`)
    : warning(`${found}; searches are slower without ripgrep.`, "apt-get install ripgrep");
}

/** Null where nothing speaks for a Docker engine: most installations need none. */
async function probeContainers(socketPath: string, runtime: string | null): Promise<SandboxStatus | null> {
  if (socketPath === DEFAULT_DOCKER_SOCKET && !existsSync(socketPath)) return null;
  return await probeDocker(createDockerBackend({ socketPath, runtime, installation: "doctor" }), DEFAULT_IMAGE);
}

/** A server of ours that answers there is right too. */
export async function checkPort({ host, port, role }: Environment): Promise<Finding> {
  try {
    if (role !== "worker") requireBrowserPort(port);
    await requireFreePort(host, port);
    return ok(`${port} is free`);
  } catch (error) {
    if (await isOurs(host, port)) return ok(`Ringmaster answers on ${port}`);
    const problem = `Port ${port} of ${host} can't be used: ${error instanceof Error ? error.message : error}`;
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    // The other problems say what to do themselves.
    const advice = `Stop the program that listens there, or take another port: ${otherPort(port + 1)}`;
    return broken(problem, isTaken ? advice : "");
  }
}

/** Whether a server of Ringmaster answers there. */
export async function isOurs(host: string, port: number): Promise<boolean> {
  const name = EVERYWHERE.includes(host) ? "127.0.0.1" : host;
  const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
  const address = `http://${name.includes(":") ? `[${name}]` : name}:${port}/health`;
  const reply = await fetch(address, { signal }).catch(() => null);
  const health: unknown = await reply?.json().catch(() => null);
  return typeof health === "object" && health !== null && "status" in health && "version" in health;
}

export function checkPublicUrl({ host, publicUrl }: Environment, isNamed: boolean): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  const fix = "Set RINGMASTER_PUBLIC_URL to the https address that people open.";
  if (!isNamed && !isLoopback(host)) {
    return warning(`Links in mails and chats say ${publicUrl}, which was guessed.`, fix);
  }
  if (protocol === "http:" && !isLoopback(hostname)) {
    return warning(`${publicUrl} is not encrypted: passwords travel readable, and browsers refuse notifications.`, fix);
  }
  return ok(publicUrl);
}

function existingAbove(folder: string): string {
  return existsSync(folder) ? folder : existingAbove(path.dirname(folder));
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE).toLocaleString("en")} MB`;
}

/** As a shell takes it. */
function quoted(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
