import { type CommandResult, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { CommandRequest, SandboxChanges, SandboxSession } from "./sandbox-backend";

/**
 * Runs one command from the exchange of files before it to the one after it. A command that has run is reported even if
 * its changes can't be taken over. Rejects with WorkspaceError if it did not run.
 */
export async function runSession(open: () => Promise<SandboxSession>, request: CommandRequest): Promise<CommandResult> {
  const ifCancelled = unlessCancelled(request.signal);
  const session = await open().catch(ifCancelled);
  if (session === null) return CANCELLED;
  try {
    return (await runIn(session, request).catch(ifCancelled)) ?? CANCELLED;
  } finally {
    await session.close();
  }
}

async function runIn(session: SandboxSession, request: CommandRequest): Promise<CommandResult> {
  await session.putFiles();
  const result = await session.execute(request);
  const { notice, stopped } = await takeOver(session);
  const isStopped = stopped !== undefined && result.stopped === undefined;
  return withNotice(isStopped ? { ...result, exitCode: null, stopped } : result, notice);
}

const CANCELLED: CommandResult = { exitCode: null, output: "", truncated: false, durationMs: 0, stopped: "cancelled" };

function unlessCancelled(signal: AbortSignal) {
  return (error: unknown): null => {
    if (signal.aborted) return null;
    throw error;
  };
}

async function takeOver(session: SandboxSession): Promise<SandboxChanges> {
  try {
    return await session.getChanges();
  } catch (error) {
    // By its name: the session may come from another copy of the modules.
    if (!(error instanceof WorkspaceError)) throw error;
    const notice = `The command ran, but what it changed in the workspace could not be taken over. ${error.message}`;
    return { notice };
  }
}

/** Adds a notice for the model to what the result already says. */
export function withNotice(result: CommandResult, notice: string | null): CommandResult {
  if (notice === null) return result;
  return { ...result, notice: result.notice === undefined ? notice : `${result.notice} ${notice}` };
}
