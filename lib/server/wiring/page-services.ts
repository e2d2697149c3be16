import "server-only";
import type { Services } from "@/lib/server/platform/services";
import { processServices } from "./services";

/** What pages hand to the functions that they call: Next calls a page with nothing of ours. */
export function pageServices(): Services {
  return processServices();
}
