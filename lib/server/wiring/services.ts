import { openProcessDatabase } from "@/lib/server/platform/db/database";
import { processState } from "@/lib/server/platform/process-state";
import type { Services } from "@/lib/server/platform/services";

/** The one thing that Next's second copy of each module finds by its name: everything shared hangs on it. */
const held = () => processState("services", () => ({ services: null as Services | null }));

/** Builds the services of this process, unless they are there. */
export async function openServices(): Promise<Services> {
  return held().services ?? keepServices({ database: await openProcessDatabase() });
}

/** Makes these the services of this process. */
export function keepServices(services: Services): Services {
  held().services = services;
  return services;
}

/** The services of this process, for what Next calls with nothing of ours. */
export function processServices(): Services {
  const { services } = held();
  if (services === null) throw new Error("The services of this process have not been opened.");
  return services;
}
