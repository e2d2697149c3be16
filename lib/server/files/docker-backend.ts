import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { createDockerBackend, type DockerBackend } from "@/lib/workspaces/docker/docker-backend";

/** The containers of this process. */
export function dockerBackend(): Promise<DockerBackend> {
  return processState("docker-backend", async () => {
    const { dockerSocket, dockerRuntime, dataDirectory } = env();
    const installation = await installationOf(dataDirectory);
    return createDockerBackend({ socketPath: dockerSocket, runtime: dockerRuntime, installation });
  });
}

/** Removes what a process before this one has left, killed in the middle of its work. An absent engine has nothing. */
export async function removeLeftContainers(): Promise<void> {
  try {
    const removed = await (await dockerBackend()).removeLeftovers();
    if (removed > 0) logger().info({ removed }, "removed containers and volumes of the last start");
  } catch (error) {
    logger().debug({ err: error }, "no Docker engine to clean up");
  }
}

export async function closeContainers(): Promise<void> {
  await (await dockerBackend()).close();
}

/**
 * Names the data folder itself, whose lock no two processes hold: neither another installation on the same engine nor a
 * copy of this one has the same.
 */
async function installationOf(dataDirectory: string): Promise<string> {
  makeDataDirectory(dataDirectory);
  const { dev, ino, birthtimeNs } = await stat(dataDirectory, { bigint: true });
  const identity = [await realpath(dataDirectory), dev, ino, birthtimeNs].join(" ");
  return createHash("sha256").update(identity).digest("hex").slice(0, 24);
}
