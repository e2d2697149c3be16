/** Descriptors that somebody left open in the server's parent would reach the command; 3 is the leash (run-process.ts). */
export const CLOSE_INHERITED = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 3 ] && eval "exec $fd>&-"; done`;

/** A file that grows beyond its limit is an error of the write ("File too large"), not the end of the shell. */
const NO_SIGNAL_FOR_SIZE = "trap '' XFSZ";

/**
 * As root the workspace is in folders that its user may not pass. The bind mount, in a mount namespace of its own,
 * makes it reachable through the current folder, which no replaced parent folder can change any more.
 */
const SHOW_WORKSPACE = "mount --no-canonicalize --bind . /tmp && cd / || exit 125";

/**
 * The same for the installed skills; mounted first, because their folder may be below the one that the workspace
 * covers.
 */
const SHOW_SKILLS = 'mount --no-canonicalize --bind "$1" /mnt || exit 125; shift';

/**
 * Output goes through a pipe and `cat`, because the sockets that Node creates can't be opened as /dev/stdout; one pipe
 * keeps stdout and stderr in order. Descriptors 8 and 9 hold the synthetic passwd and group. The shell's working
 * directory would tell a command, through /proc, where the server keeps its data.
 */
const START = 'unset OLDPWD PWD; { exec "$@" 2>&1; } 8<<<"$PASSWD" 9<<<"$GROUP" | cat';
const START_AS_ROOT = START.replace("{", "{ chmod 666 /dev/stdout;");

/**
 * The whole group ends with the leash. The kernel's signal at the death of the server would come too early: while a thread
 * of it is still ending, the leash holds.
 */
export const END_WITH_LEASH = "{ read -r -u 3; kill -KILL -$$; } &";

/**
 * Begins each program in the sandbox. Bubblewrap ties its processes to the launcher one after the other as they start;
 * one that is killed before that leaves those below it to themselves, and they see here that the leash has ended.
 */
export const UNLESS_ABANDONED = ["bash", "-c", 'read -t 0 -u 3 && exit 125; exec 3<&- "$@"', "launcher"];

const BASH = ["bash", "-o", "pipefail", "-c"];

/** Where the programs below `rootLauncher` find the workspace. */
export const ROOT_SOURCE = "/tmp";
/** Where they find the installed skills. */
export const ROOT_SKILLS_SOURCE = "/mnt";
/** Where those below `userLauncher` do. */
export const USER_SOURCE = ".";

/** Starts what follows as `uid` and waits for it. When the server dies it dies, and then the sandbox. */
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

/** The same where the server isn't root and everything runs as its own user. */
export function userLauncher(): string[] {
  return [...BASH, [CLOSE_INHERITED, END_WITH_LEASH, NO_SIGNAL_FOR_SIZE, START].join("\n"), "launcher"];
}

/** The prefix that drops root for good. */
export function becomeUser(uid: number): string[] {
  return ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--no-new-privs"];
}

export const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The launcher's environment: what it hands to bubblewrap as files, and nothing of ours. */
export function launcherEnvironment(workdir: string): Record<string, string> {
  const user = `agent:x:1000:1000:agent:${workdir}:/bin/bash`;
  return {
    PATH: SEARCH_PATH,
    PASSWD: `${user}\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin`,
    GROUP: "agent:x:1000:\nnogroup:x:65534:",
  };
}
