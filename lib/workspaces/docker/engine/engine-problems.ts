import type { SandboxProblem } from "@/lib/workspaces/sandbox/sandbox-remedies";
import type { EngineError } from "./engine";

interface Circumstances {
  readonly socketPath: string;
  readonly image: string;
  readonly runtime: string | null;
}

/** Why the engine did not do what it was asked, and what an administrator can do about it. */
export function explainEngine(error: EngineError, circumstances: Circumstances): SandboxProblem {
  const { code, status, message } = error;
  const known = code === null ? null : explainCode(code, circumstances);
  if (known) return known;
  if (/no such container|is not running|state improper|no such exec/i.test(message))
    return {
      reason: `The container of the workspace ended or was removed in the middle of the work: ${message}`,
      remedy: "Repeat the command, which starts a new one.",
    };
  if (/runtime|runsc/i.test(message) && /unknown|invalid|not found|no such|executable|default OCI/i.test(message))
    return missingRuntime(circumstances, message);
  if (status === 404 || /no such image|image not known|manifest unknown|pull access denied/i.test(message))
    return missingImage(circumstances, message);
  return {
    reason: `The Docker engine refused: ${message || "without a reason"}`,
    remedy: `Try it by hand: docker --host unix://${circumstances.socketPath} run --rm ${circumstances.image} true`,
  };
}

function explainCode(code: string, { socketPath }: Circumstances): SandboxProblem | null {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return {
        reason: `There is no Docker engine at ${socketPath}.`,
        remedy:
          "Install and start Docker (Debian and Ubuntu: apt-get install docker.io) or Podman (systemctl enable --now podman.socket), or set RINGMASTER_DOCKER_SOCKET to the engine's socket, for a rootless engine such as /run/user/1000/docker.sock.",
      };
    case "EACCES":
    case "EPERM":
      return {
        reason: `This server's user may not use ${socketPath}.`,
        remedy: `Add the user to the socket's group, usually: usermod -aG docker <user>, then restart the server. That group is as powerful as root; a rootless engine is not.`,
      };
    case "ECONNREFUSED":
      return {
        reason: `No engine answers behind ${socketPath}.`,
        remedy: "Start it: systemctl start docker, for Podman systemctl start podman.socket.",
      };
    case "ETIMEDOUT":
      return {
        reason: `The Docker engine behind ${socketPath} does not answer in time.`,
        remedy: "Look at its log (journalctl -u docker) and restart it.",
      };
    case "ECONNRESET":
    case "EPIPE":
      return {
        reason: `The Docker engine behind ${socketPath} went away in the middle of the work.`,
        remedy: "Look at its log (journalctl -u docker), start it again, and repeat the command.",
      };
    default:
      return null;
  }
}

function missingRuntime({ runtime }: Pick<Circumstances, "runtime">, message: string): SandboxProblem {
  return {
    reason: `The Docker engine has no runtime ${runtime ?? "that works"}: ${message}`,
    remedy:
      "Install the runtime and register it (gVisor: https://gvisor.dev/docs/user_guide/install/, then runsc install and systemctl restart docker), or remove RINGMASTER_DOCKER_RUNTIME.",
  };
}

function missingImage({ image, socketPath }: Circumstances, message: string): SandboxProblem {
  return {
    reason: `The image ${image} is not on this engine and could not be pulled: ${message}`,
    remedy: `Pull or load it there: docker --host unix://${socketPath} pull ${image}`,
  };
}

/** Whether an engine that lists its runtimes lacks the one that is set; null if not. Podman lists more than it has. */
export function explainRuntime(
  { Runtimes: runtimes }: Readonly<Record<string, unknown>>,
  runtime: string | null,
): SandboxProblem | null {
  if (runtime === null || typeof runtimes !== "object" || runtimes === null || runtime in runtimes) return null;
  return missingRuntime({ runtime }, `it has ${Object.keys(runtimes).join(", ")}.`);
}

/** What an engine says about itself in GET /info; null if it can confine commands. */
export function findLack(info: Readonly<Record<string, unknown>>): SandboxProblem | null {
  if (typeof info.OSType === "string" && info.OSType !== "linux")
    return { reason: `The Docker engine runs ${info.OSType} containers.`, remedy: "Switch it to Linux containers." };
  const lacking = LIMITS.filter(({ field }) => info[field] === false).map(({ name }) => name);
  if (lacking.length === 0) return null;
  const kind = isRootless(info) ? "rootless Docker engine" : "Docker engine";
  return {
    reason: `The ${kind} can't limit ${lacking.join(" and ")} of a container.`,
    remedy: isRootless(info)
      ? "Use cgroup v2 and delegate the controllers to the user: https://docs.docker.com/engine/security/rootless/#limiting-resources"
      : "Enable the memory and pids cgroup controllers (kernel option cgroup_enable=memory), then restart the engine.",
  };
}

const LIMITS = [
  { field: "MemoryLimit", name: "memory" },
  { field: "PidsLimit", name: "processes" },
] as const;

function isRootless(info: Readonly<Record<string, unknown>>): boolean {
  const options = Array.isArray(info.SecurityOptions) ? info.SecurityOptions : [];
  return info.Rootless === true || options.some((option) => String(option).includes("rootless"));
}
