import { watchCommand } from "./command-watch";
import { runInSandbox, type SandboxMode, type SandboxSettings } from "./sandbox";
import type { SandboxBackend, SandboxLimits, SandboxSession, SandboxWorkspace } from "./sandbox-backend";

/** Commands on this machine, in the workspace's own folder. */
export function bubblewrapBackend(mode: SandboxMode): SandboxBackend {
  return { open: async (workspace, limits) => openSession(bubblewrapSettings(mode, workspace, limits)) };
}

export function bubblewrapSettings(
  mode: SandboxMode,
  { root, workdir }: SandboxWorkspace,
  { network, memoryBytes, commands }: SandboxLimits,
): SandboxSettings {
  return { mode, root, workdir, network, memoryBytes, limits: commands };
}

function openSession(settings: SandboxSettings): SandboxSession {
  const { memoryBytes, limits } = settings;
  return {
    putFiles: async () => {},
    getChanges: async () => ({ notice: null }),
    close: async () => {},
    execute: ({ command, spaceReason, ...request }) =>
      runInSandbox(settings, {
        ...request,
        argv: ["bash", "-c", "--", command],
        watch: watchCommand({ memoryBytes, temporaryBytes: 2 * limits.temporaryBytes, spaceReason }),
      }),
  };
}
