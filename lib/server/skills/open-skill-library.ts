import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { readBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import { selectInstalledSkills, selectSkillFiles } from "@/lib/server/platform/db/queries/skills";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { type SkillSelection, selectedSkills } from "@/lib/skills/skill-settings";
import { mountSkills, type SkillLibrary } from "@/lib/workspaces/mount-skills";
import type { StateFileStore } from "@/lib/workspaces/state-workspace";
import { requireSkillFolder } from "./skill-folders";

/** A file of an installed skill; `path` is `skills/<name>/…`. */
interface LibraryFile {
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

/** The workspace of an agent's run: with the installed skills, if its config enables skills. */
export async function withInstalledSkills(
  services: Services,
  workspace: Workspace,
  config: AgentConfig,
): Promise<Workspace> {
  const selection = selectedSkills(config);
  const library = selection && (await openSkillLibrary(services, selection));
  return library ? mountSkills(workspace, library) : workspace;
}

/**
 * The currently installed skills of an agent's selection: a run keeps them until its segment ends, regardless of later
 * installs. Null if there are none.
 */
async function openSkillLibrary(services: Services, { enabled }: SkillSelection): Promise<SkillLibrary | null> {
  const { database } = services;
  const rows = await selectInstalledSkills(database);
  const skills = rows.filter(({ name }) => enabled === null || enabled.includes(name));
  if (skills.length === 0) return null;
  const files = await loadFiles(
    database,
    skills.map(({ id }) => id),
  );
  return {
    skills,
    files: createStore(database, files),
    materialize(names) {
      const wanted = files.filter(({ path }) => names.has(path.split("/")[1] ?? ""));
      const inside = wanted.map(({ path, hash }) => ({ path: path.slice("skills/".length), hash }));
      return requireSkillFolder(services, env().dataDirectory, inside, (hash) => readBlob(database, hash));
    },
  };
}

async function loadFiles(database: Database, skillIds: readonly string[]): Promise<LibraryFile[]> {
  const rows = await selectSkillFiles(database, skillIds);
  return rows.map(({ name, path, hash, sizeBytes }) => ({ path: `skills/${name}/${path}`, hash, sizeBytes }));
}

/** The files as a workspace's store. */
function createStore(database: Database, files: readonly LibraryFile[]): StateFileStore {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const refuse = () => Promise.reject(new Error("Installed skills are read-only."));
  return {
    list: async (folder) => (folder === "" ? [...files] : files.filter(({ path }) => path.startsWith(`${folder}/`))),
    find: async (paths) => paths.flatMap((path) => byPath.get(path) ?? []),
    async read(path) {
      const file = byPath.get(path);
      return file ? readBlob(database, file.hash) : null;
    },
    write: refuse,
    remove: refuse,
    totalBytes: async () => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}
