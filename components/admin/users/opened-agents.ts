import { z } from "zod";
import { ApiError } from "@/lib/client/http/api";

const Details = z.object({ agents: z.array(z.string()) });

/** The agents that the refused change would open to everybody; null for every other error. */
export function openedAgents(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null;
  const found = Details.safeParse(error.details);
  return found.success ? found.data.agents : null;
}
