import { lstatSync, readlinkSync } from "node:fs";
import type { CommandLimits } from "@/lib/workspaces/limits";
import {
  ROOT_SKILLS_SOURCE,
  ROOT_SOURCE,
  rootLauncher,
  SEARCH_PATH,
  UNLESS_ABANDONED,
  USER_SOURCE,
  userLauncher,
} from "./sandbox-launcher";

/** One program in the sandbox. The spawned process's current folder is mounted as `workdir`. */
export interface SandboxCommand {
  readonly argv: readonly string[];
  /** The path of the workspace inside the sandbox. */
  readonly workdir: string;
  /** The folder below `workdir` in which the program starts. */
  readonly folder?: string;
  /** The user to switch to; null if this process isn't root. */
  readonly uid: number | null;
  readonly network: boolean;
  /** The data limit per process; the watch applies the same number to the whole process tree. */
  readonly memoryBytes: number;
  /** Mounts the workspace read-only. */
  readonly readOnly?: boolean;
  /** Mounted read-only at `/skills`. */
  readonly skillsFolder?: string;
  readonly limits: CommandLimits;
}

/** The path at which commands see the installed skills; a workdir of the same name hides them. */
const SKILLS_FOLDER = "/skills";

/** The complete command line: launcher, change of user, bubblewrap, limits, program. */
export function sandboxCommand(command: SandboxCommand): string[] {
  const { uid, skillsFolder } = command;
  if (uid === null)
    return [...userLauncher(), ...bubblewrap(command, { workspace: USER_SOURCE, skills: skillsFolder })];
  const skills = skillsFolder === undefined ? undefined : ROOT_SKILLS_SOURCE;
  return [...rootLauncher(uid, skillsFolder), ...bubblewrap(command, { workspace: ROOT_SOURCE, skills })];
}

/**
 * The sandbox profile. Order matters: later mounts cover earlier ones. Only the workspace (on disk, under the quota)
 * and two small in-memory file systems are writable; `/` and `/dev` could be used to fill the memory and are made
 * read-only last. `--disable-userns` denies the command the kernel's namespace code, `--new-session` the server's
 * terminal.
 */
function bubblewrap(command: SandboxCommand, source: { workspace: string; skills: string | undefined }): string[] {
  const { workdir, folder = "", network, limits, readOnly } = command;
  const inside = folder === "" ? workdir : `${workdir}/${folder}`;
  return [
    ...["bwrap", "--unshare-all", ...(network ? ["--share-net"] : []), "--unshare-user", "--disable-userns"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000"],
    ...["--hostname", "sandbox", ...systemMounts(), ...(network ? networkMounts() : [])],
    ...["--ro-bind-data", "8", "/etc/passwd", "--ro-bind-data", "9", "/etc/group", "--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(limits.temporaryBytes), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...["--size", String(limits.temporaryBytes), "--tmpfs", "/tmp"],
    ...(source.skills === undefined ? [] : ["--ro-bind", source.skills, SKILLS_FOLDER]),
    ...[readOnly ? "--ro-bind" : "--bind", source.workspace, workdir, "--remount-ro", "/", "--chdir", inside],
    ...environment(workdir),
    ...["--", ...UNLESS_ABANDONED, "prlimit", `--nproc=${limits.processes}`, ...resourceLimits(command)],
    ...["--", ...command.argv],
  ];
}

/** Limits per process, for `prlimit`. */
export function resourceLimits({ limits, memoryBytes }: Pick<SandboxCommand, "limits" | "memoryBytes">): string[] {
  return [
    `--data=${memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    `--cpu=${limits.cpuSeconds}`,
    `--nofile=${limits.openFiles}`,
    ...["--core=0", "--memlock=65536", "--msgqueue=65536", "--nice=0", "--rtprio=0"],
  ];
}

function environment(workdir: string): string[] {
  const variables = {
    PATH: SEARCH_PATH,
    HOME: workdir,
    USER: "agent",
    LOGNAME: "agent",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: "/tmp",
  };
  return ["--clearenv", ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value])];
}

/** Programs and libraries, and the files of /etc that they need to start. */
export function systemMounts(): string[] {
  const folders = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"].flatMap(systemFolder);
  const files = ["alternatives", "ld.so.cache", "ssl", "ca-certificates", "nsswitch.conf", "localtime", "mime.types"];
  return ["--ro-bind", "/usr", "/usr", ...folders, ...files.flatMap((name) => readOnlyTry(`/etc/${name}`))];
}

/** A top-level folder is a link into /usr on most systems and a real folder on others. */
function systemFolder(name: string): string[] {
  const found = lstatSync(`/${name}`, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(`/${name}`), `/${name}`] : readOnlyTry(`/${name}`);
}

export function networkMounts(): string[] {
  return ["/etc/resolv.conf", "/etc/hosts", "/etc/services"].flatMap(readOnlyTry);
}

function readOnlyTry(path: string): string[] {
  return ["--ro-bind-try", path, path];
}
