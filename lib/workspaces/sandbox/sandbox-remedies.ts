/** Why the sandbox doesn't work, and what an administrator can do about it. */
export interface SandboxProblem {
  readonly reason: string;
  readonly remedy: string;
}

interface KnownProblem extends SandboxProblem {
  /** Matched against the probe's output; the first match is reported. */
  readonly sign: RegExp;
}

const INSTALL_BUBBLEWRAP =
  "Install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Alpine: apk add bubblewrap), then restart the server.";
const IN_A_CONTAINER =
  "In a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined (Podman: unmask=ALL), and as root also --cap-add SYS_ADMIN.";

const KNOWN_PROBLEMS: readonly KnownProblem[] = [
  {
    sign: /(bwrap: (command )?not found|execute bwrap|bwrap: No such file)/i,
    reason: "bubblewrap is not installed.",
    remedy: INSTALL_BUBBLEWRAP,
  },
  {
    sign: /(spawn \S+ ENOENT|prlimit: (No such file|command not found)|unshare: command not found|execvp prlimit|unrecognized option)/i,
    reason: "setpriv, unshare and prlimit (from util-linux) or bash are not installed.",
    remedy:
      "Install util-linux and bash (Debian and Ubuntu: apt-get install util-linux bash), then restart the server.",
  },
  {
    sign: /bwrap: Unknown option/i,
    reason: "bubblewrap is too old; 0.8 or newer is needed.",
    remedy: "Upgrade bubblewrap, then restart the server.",
  },
  {
    sign: /(unshare failed|mount: .{0,200}(permission denied|must be superuser)|setresuid failed|setgroups failed)/i,
    reason: "This process runs as root but may not create namespaces and change users.",
    remedy: `Run the server as an ordinary user. ${IN_A_CONTAINER}`,
  },
  {
    sign: /(new namespace|uid map|user namespace|No permissions|RTM_NEWADDR|Operation not permitted|Permission denied)/i,
    reason: "The system does not let this user create user namespaces.",
    remedy: `Allow them: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04 and newer), user.max_user_namespaces=15000. ${IN_A_CONTAINER}`,
  },
  {
    sign: /fork: (retry: )?Resource temporarily unavailable/i,
    reason: "The kernel counts all processes of this user against the sandbox; Linux 5.14 or newer is needed.",
    remedy: "Upgrade the kernel, or run the server under a user account of its own.",
  },
];

/** Describes the output of a failed probe; unknown output is quoted. */
export function explainSandbox(output: string): SandboxProblem {
  const known = KNOWN_PROBLEMS.find(({ sign }) => sign.test(output));
  const quoted = output.split("\n").at(-1)?.slice(0, 300) ?? "";
  if (known) return { reason: `${known.reason} (${quoted})`, remedy: known.remedy };
  const reason = quoted === "" ? "The sandbox printed nothing." : `The sandbox failed: ${quoted}`;
  return { reason, remedy: "Try `bwrap --unshare-all --ro-bind / / true` as the user of the server." };
}
