// Work that two processes do at the same time on one database; see two-processes-postgres.test.ts.

import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { startChild } from "@/lib/server/engine/children/start-child";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import type { Database } from "@/lib/server/platform/db/database";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { runWith } from "@/lib/testing/scripted/run-with";
import { workspaceFiles } from "@/lib/tools/files/workspace-files";
import { memoryAppendTool } from "@/lib/tools/memory/memory-append";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";
import { createStateWorkspace } from "@/lib/workspaces/state-workspace";

const NO_SANDBOX = { available: false, reason: "no command runs", remedy: null, mode: null, ripgrep: false };

/** The workspace `ws1`: in database rows or, with a folder, on disk. */
export function sharedWorkspace(database: Database, folder = "") {
  if (folder !== "") return createLocalWorkspace({ root: folder, key: "ws1", sandbox: NO_SANDBOX });
  return createStateWorkspace(createStateFileStore(database, "ws1"));
}

/** An agent adds `count` notes to the page of 1 January 1970. */
export async function appendNotes(database: Database, who: string, count: number, folder = ""): Promise<void> {
  const { fileLock, memoryIndex: index } = workspaceShares(servicesOf(database), "ws1");
  const files = workspaceFiles(sharedWorkspace(database, folder), "/workspace", async () => undefined, fileLock);
  const tool = memoryAppendTool({ files, paths: [], index });
  const calls = Array.from({ length: count }, (_, number) => ({ name: tool.name, args: { text: `${who}-${number}` } }));
  await runWith([{ calls }, "done"], { tools: [tool], now: () => 0 });
}

/** Starts a subagent of the run if the limit allows one. */
export async function tryToStartChild(database: Database, who: string, parentRunId: string): Promise<void> {
  const parent = await database.run.findUniqueOrThrow({ where: { id: parentRunId } });
  const version = await loadAgentVersion(database, parent.agentVersionId);
  const call = { id: `call_${who}`, name: "task", args: {}, rawArgs: "{}" };
  const request = { call, agent: "worker", description: "Work", prompt: "work", isBackground: false };
  await Promise.allSettled([startChild(database, parent, version, { ...request, parentSpanId: null })]);
}
