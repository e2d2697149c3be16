/**
 * Closes descriptors that the server inherited, so that they don't reach the command; 3 is the leash (run-process.ts).
 */
export const CLOSE_INHERITED = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 3 ] && eval "exec $fd>&-"; done`;

/** Writing a file beyond its size limit fails the write ("File too large") instead of killing the shell. */
const NO_SIGNAL_FOR_SIZE = "trap '' XFSZ";

/**
 * For root, the workspace is in folders that its user may not traverse. The bind mount, in its own mount namespace,
 * makes it reachable from the current folder, so that replacing a parent folder no longer has any effect.
 */
const SHOW_WORKSPACE = "mount --no-canonicalize --bind . /tmp && cd / || exit 125";

/** The same for the installed skills; mounted first, because the workspace's mount may cover their folder. */
const SHOW_SKILLS = 'mount --no-canonicalize --bind "$1" /mnt || exit 125; shift';

/**
 * Output goes through a pipe and `cat`, because the sockets that Node creates can't be opened as /dev/stdout; a single
 * pipe keeps stdout and stderr in order. Descriptors 8 and 9 hold the synthetic passwd and group. The shell's working
 * directory is unset, because /proc would reveal to a command where the server keeps its data.
 */
const START = 'unset OLDPWD PWD; { exec "$@" 2>&1; } 8<<<"$PASSWD" 9<<<"$GROUP" | cat';
const START_AS_ROOT = START.replace("{", "{ chmod 666 /dev/stdout;");

/**
 * Kills the whole group when the leash closes. The kernel's parent-death signal would come too early: the leash stays
 * open while any of the server's threads is still exiting.
 */
export const END_WITH_LEASH = "{ read -r -u 3; kill -KILL -$$; } &";

/**
 * Starts each program in the sandbox. Bubblewrap's processes bind themselves to the launcher one by one as they start;
 * if one is killed before that, the processes below it are orphaned, and exit here because the leash has closed.
 */
export const UNLESS_ABANDONED = ["bash", "-c", 'read -t 0 -u 3 && exit 125; exec 3<&- "$@"', "launcher"];

const BASH = ["bash", "-o", "pipefail", "-c"];

/** Where the programs below `rootLauncher` find the workspace. */
export const ROOT_SOURCE = "/tmp";
/** Where they find the installed skills. */
export const ROOT_SKILLS_SOURCE = "/mnt";
/** Where the programs below `userLauncher` find the workspace. */
export const USER_SOURCE = ".";

/** Starts the rest of the command line as `uid` and waits for it. Dies with the server, and the sandbox with it. */
export function rootLauncher(uid: number, skillsFolder?: string): string[] {
  const namespace = ["unshare", "--mount", "--propagation", "private", "--"];
  const skills =
    skillsFolder === undefined ? { steps: [], names: [] } : { steps: [SHOW_SKILLS], names: [skillsFolder] };
  const script = [
    CLOSE_INHERITED,
    END_WITH_LEASH,
    NO_SIGNAL_FOR_SIZE,
    ...skills.steps,
    SHOW_WORKSPACE,
    START_AS_ROOT,
  ].join("\n");
  return [...namespace, ...BASH, script, "launcher", ...skills.names, ...becomeUser(uid)];
}

/** The same if the server isn't root and everything runs as its own user. */
export function userLauncher(): string[] {
  return [...BASH, [CLOSE_INHERITED, END_WITH_LEASH, NO_SIGNAL_FOR_SIZE, START].join("\n"), "launcher"];
}

/** The prefix that drops root permanently. */
export function becomeUser(uid: number): string[] {
  return ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--no-new-privs"];
}

export const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The launcher's environment: the content of the files it hands to bubblewrap, and nothing of the server's. */
export function launcherEnvironment(workdir: string): Record<string, string> {
  const user = `agent:x:1000:1000:agent:${workdir}:/bin/bash`;
  return {
    PATH: SEARCH_PATH,
    PASSWD: `${user}\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin`,
    GROUP: "agent:x:1000:\nnogroup:x:65534:",
  };
}
