import { existsSync, realpathSync } from "node:fs";
import { networkMounts, systemMounts } from "./sandbox-command";
import { CLOSE_INHERITED, END_WITH_LEASH } from "./sandbox-launcher";

/** A long-running program that communicates over its standard input and output. */
export interface ServerProgram {
  /** Its absolute path, then its arguments. */
  readonly argv: readonly string[];
  readonly isSandboxed: boolean;
  readonly network: boolean;
  /** Files and folders mounted at their own paths. */
  readonly mounts: readonly { readonly path: string; readonly readOnly: boolean }[];
}

const TEMPORARY_BYTES = 256 * 2 ** 20;
const MEMORY_BYTES = 4 * 2 ** 30;

/**
 * The command line for such a program. Its descriptor 3 is a leash, as in `runProcess`: the whole group ends when the
 * server dies. No environment variable is on the command line, where every user of the machine could read it.
 */
export function serverCommand(program: ServerProgram): string[] {
  const script = [CLOSE_INHERITED, END_WITH_LEASH, 'unset OLDPWD PWD; exec 3<&- "$@"'].join("\n");
  const limits = ["prlimit", `--data=${MEMORY_BYTES}`, "--nofile=4096", "--core=0", "--nice=0"];
  const confined = program.isSandboxed ? bubblewrap(program) : [];
  return ["bash", "-c", script, "launcher", ...confined, ...limits, "--", ...program.argv];
}

/** The profile of the commands' sandbox, without a workspace. Runs as the server's own user, which owns the mounts. */
function bubblewrap({ argv: [command = ""], network, mounts }: ServerProgram): string[] {
  const own = isSystemPath(command) ? [] : ["--ro-bind", realpathSync(command), command];
  return [
    ...["bwrap", "--unshare-all", ...(network ? ["--share-net"] : []), "--unshare-user", "--disable-userns"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000"],
    ...["--hostname", "sandbox", ...systemMounts(), ...(network ? networkMounts() : [])],
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"],
    ...["--size", String(TEMPORARY_BYTES), "--tmpfs", "/tmp", ...own],
    ...mounts.flatMap(({ path, readOnly }) => [readOnly ? "--ro-bind" : "--bind", path, path]),
    ...["--remount-ro", "/", "--chdir", "/tmp", "--"],
  ];
}

/** Whether the sandbox already contains the path. */
function isSystemPath(path: string): boolean {
  return existsSync(path) && /^\/(usr|bin|sbin|lib\w*)\//.test(realpathSync(path));
}
