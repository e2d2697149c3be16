import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import { type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { fileRules, readableDocuments } from "@/lib/hooks/readable-workspace";
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

/**
 * The files that the runs of a person's heartbeat may read without asking; null if there are none. Throws
 * `unavailable`.
 */
export async function heartbeatFiles(
  database: Database,
  { config }: AgentVersion,
  person: Person,
): Promise<Workspace | null> {
  const { backend } = configInPlace(config, { projectId: null, fileScope: null });
  if (backend === null || (backend.scope === "thread" && person.threadId === null)) return null;
  return readableDocuments((await openWorkspace(database, backend, person)).workspace, config);
}

/** Whether the agent's rules let it read the HEARTBEAT.md of a workspace without asking. */
export function mayReadHeartbeatFile({ config }: AgentVersion): boolean {
  return fileRules(config)?.mayQuote(HEARTBEAT_FILE) !== false;
}

/** HEARTBEAT.md from the person's workspace, otherwise the agent's own; empty if neither exists or may be read. */
export async function readHeartbeatFile(workspace: Workspace | null, version: AgentVersion): Promise<string> {
  const own = version.promptFiles.find(({ name }) => name === HEARTBEAT_FILE)?.content ?? "";
  if (workspace === null || !mayReadHeartbeatFile(version)) return own;
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
