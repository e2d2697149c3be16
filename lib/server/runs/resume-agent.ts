import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { database } from "../db";
import { findClientThread } from "../threads/open-thread";
import { loadCurrentVersion } from "./agent-version";

/** Refuses with `not_waiting`: no tool asks anybody yet, so no run can wait. An unknown thread is `not_found`. */
export async function resumeAgent(agentId: string, clientThreadId: string, ownerId: string): Promise<Response> {
  await loadCurrentVersion(database(), agentId);
  const thread = await findClientThread(database(), { ownerId, agentId }, clientThreadId);
  if (!thread) throw new AppError("not_found", "There is no such thread.");
  throw new AppError("not_waiting", "No run of this thread waits for a decision.");
}
