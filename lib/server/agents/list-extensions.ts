import "server-only";
import { isSectionOn } from "@/lib/prompt/section";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ExtensionInfo } from "@/lib/schema/extension";
import type { Extension } from "@/lib/sdk/ringmaster";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import { extensionSections } from "@/lib/server/extensions/extension-sections";
import { extensions } from "@/lib/server/extensions/extensions";
import type { Database } from "@/lib/server/platform/db/database";
import { toolFilter } from "@/lib/server/tools/agent-tools";

/** What was loaded from the extensions folder and what failed, by file, each with the agents that use it. */
export async function listExtensions(database: Database): Promise<ExtensionInfo[]> {
  const { files, failed } = extensions();
  if (files.length === 0) return [];
  const users = await listUsers(database);
  const usersOf = (isUsed: (names: UsedNames) => boolean) =>
    users.filter(({ names }) => isUsed(names)).map(({ id, name }) => ({ id, name }));
  return files.flatMap(({ file, hash, definitions, error }): ExtensionInfo[] => {
    if (error === null) {
      return definitions.map(({ kind, name }) => {
        return { file, name, kind, hash, agents: usersOf((names) => names[kind](name)) };
      });
    }
    const known = [...failed].flatMap(([name, extension]) => (extension.file === file ? [name] : []));
    const agents = usersOf(({ hook, tool, section }) => known.some((it) => hook(it) || tool(it) || section(it)));
    return [{ file, name: null, kind: null, hash, error, agents }];
  });
}

/** The extensions that an agent with this config runs with: hashes by file. */
export function usedExtensions(config: AgentConfig): Readonly<Record<string, string>> {
  const { files } = extensions();
  if (files.length === 0) return {};
  const names = usedNames(config);
  const used = files.filter(({ definitions }) => definitions.some(({ kind, name }) => names[kind](name)));
  return Object.fromEntries(used.map(({ file, hash }) => [file, hash]));
}

/** Whether a config runs with the named hook, tool or section. */
type UsedNames = Readonly<Record<Extension["kind"], (name: string) => boolean>>;

function usedNames(config: AgentConfig): UsedNames {
  const hooks = (config.hooks ?? []).flatMap((entry) => {
    if (typeof entry === "string") return [entry];
    return entry.enabled ? [entry.name] : [];
  });
  const sections = extensionSections().filter((section) => isSectionOn(section, config));
  const switched = Object.entries(config.prompt.sections).flatMap(([name, isOn]) => (isOn ? [name] : []));
  const on = new Set([...sections.map(({ name }) => name), ...switched]);
  return { hook: (name) => hooks.includes(name), tool: toolFilter(config.tools), section: (name) => on.has(name) };
}

async function listUsers(database: Database) {
  const agents = await database.agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const users = await Promise.all(
    agents.map(async ({ id, currentVersionId }) => {
      const version = await loadVersionOrNull(database, currentVersionId ?? "");
      return version && { id, name: version.config.name, names: usedNames(version.config) };
    }),
  );
  return users.filter((user) => user !== null);
}
