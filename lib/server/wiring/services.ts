import { openConfiguredDatabase } from "@/lib/server/platform/db/database";
import { processState } from "@/lib/server/platform/process-state";
import { createServices, type Services } from "@/lib/server/platform/services";

/** Next loads each module twice; both copies find the services by this name. */
const held = () => processState("services", (): Held => ({ services: null, opening: null }));

interface Held {
  services: Services | null;
  opening: Promise<Services> | null;
}

/** Builds the services of this process at its start, unless they are there. */
export async function openServices(): Promise<Services> {
  const state = held();
  if (state.services !== null) return state.services;
  state.opening ??= open().finally(() => {
    state.opening = null;
  });
  return state.opening;
}

async function open(): Promise<Services> {
  return keepServices(createServices(await openConfiguredDatabase()));
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
