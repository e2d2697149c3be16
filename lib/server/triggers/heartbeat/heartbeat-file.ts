import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import { type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { configInPlace } from "@/lib/server/engine/workspace-scope";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { Database } from "@/lib/server/platform/db/database";

export const HEARTBEAT_FILE = "HEARTBEAT.md";

const MAX_BYTES = 200_000;

interface Person {
  readonly agentId: string;
  readonly ownerId: string;
  /** The heartbeat's thread; null before there is one. */
  readonly threadId: string | null;
}

/** The files available to the runs of a person's heartbeat; null if there are none. Throws `unavailable`. */
export async function heartbeatFiles(
  database: Database,
  { config }: AgentVersion,
  person: Person,
): Promise<Workspace | null> {
  const { backend } = configInPlace(config, { projectId: null, fileScope: null });
  if (backend === null || (backend.scope === "thread" && person.threadId === null)) return null;
  return (await openWorkspace(database, backend, person)).workspace;
}

/** HEARTBEAT.md from the person's workspace, otherwise the agent's own; empty if neither exists. */
export async function readHeartbeatFile(workspace: Workspace | null, { promptFiles }: AgentVersion): Promise<string> {
  const own = promptFiles.find(({ name }) => name === HEARTBEAT_FILE)?.content ?? "";
  if (workspace === null) return own;
  try {
    const { bytes } = await workspace.read(HEARTBEAT_FILE, MAX_BYTES);
    return decodeOrNull(bytes) ?? "";
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return own;
    throw error;
  }
}

/** The template's text before it became a comment; workspaces may still contain it. */
const FORMER_TEMPLATE = "Tasks to look at when you are woken without a message. None yet.";

/** Whether the text asks for anything: comments, headings, blank lines and empty items do not. */
export function hasTasks(text: string): boolean {
  const lines = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").split("\n");
  return lines.some((line) => {
    const rest = line.trim();
    return rest !== FORMER_TEMPLATE && !/^(?:#+(?:\s.*)?|(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]?\])?)$/.test(rest);
  });
}
