// Agents as files: <folder>/<id>.yaml as it was written, its prompt files in <folder>/<id>/, and what was last read in
// <folder>/.ringmaster.json, so that another person's change is never overwritten unnoticed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AgentDetail, AgentDetailList, type ConfigProblem, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { PROMPT_FILE_NAMES, PromptFileList } from "@/lib/schema/agents/prompt";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { writeYaml } from "@/lib/text/yaml/merge-yaml";
import { LINES_ABOVE, nestYaml } from "@/lib/text/yaml/nest-yaml";

/** Calls the server's API; throws a sentence if it refuses. */
export type CallServer = (method: string, url: string, body?: unknown) => Promise<unknown>;

interface Options {
  readonly folder: string;
  /** Only these agents; empty for all. */
  readonly ids: readonly string[];
}

interface PushOptions extends Options {
  /** Reports what would be published, without publishing anything. */
  readonly dryRun: boolean;
}

/** The result: a line per agent, and whether all of them succeeded. */
export interface FilesReport {
  readonly lines: readonly string[];
  readonly ok: boolean;
}

const Known = z.object({ agents: z.record(z.string(), z.object({ version: z.number(), hash: z.string() })) });
type Known = z.infer<typeof Known>;

/** Writes the published agents as files. One that was changed locally is left alone, unless `force`. */
export async function pullAgents(
  call: CallServer,
  { folder, ids, force }: Options & { readonly force: boolean },
): Promise<FilesReport> {
  const { agents } = AgentDetailList.parse(await call("GET", "/api/agents"));
  const known = readKnown(folder);
  const lines: string[] = [];
  let ok = true;
  makeFolder(folder);
  for (const { id } of agents.filter((agent) => ids.length === 0 || ids.includes(agent.id))) {
    const { version, yaml } = AgentDetail.parse(await call("GET", `/api/agents/${id}`));
    const { files } = PromptFileList.parse(await call("GET", `/api/agents/${id}/prompt-files`));
    const remote: AgentFiles = {
      yaml: yaml ?? "",
      texts: Object.fromEntries(files.map((file) => [file.name, file.content])),
    };
    const local = readAgent(folder, id);
    const isChanged = local !== null && hashOf(local) !== known.agents[id]?.hash && hashOf(local) !== hashOf(remote);
    if (isChanged && !force) {
      ok = false;
      lines.push(`${id}  changed here: push it, or pull with --force to drop your changes`);
      continue;
    }
    const isSame = local !== null && hashOf(local) === hashOf(remote);
    if (!isSame) writeAgent(folder, id, remote);
    known.agents[id] = { version: version ?? 0, hash: hashOf(remote) };
    writeKnown(folder, known);
    lines.push(`${id}  ${isSame ? "unchanged" : "written"}  v${version}`);
  }
  for (const id of ids.filter((wanted) => !agents.some((agent) => agent.id === wanted))) {
    ok = false;
    lines.push(`${id}  there is no such agent`);
  }
  return { lines, ok };
}

/**
 * Publishes the files that differ from what is published. All are checked before the first is written; an agent that was
 * published since it was pulled is refused.
 */
export async function pushAgents(call: CallServer, { folder, ids, dryRun }: PushOptions): Promise<FilesReport> {
  const found = agentIds(folder).filter((id) => ids.length === 0 || ids.includes(id));
  const wrong = [...ids.filter((id) => !found.includes(id)).map((id) => `${id}  there is no file ${id}.yaml`)];
  const plans = new Map<string, string>();
  for (const id of found) {
    const { agents, problems } = await sendAgent(call, { folder, id, dryRun: true });
    wrong.push(...problems.map((problem) => problemLine(id, problem)));
    plans.set(id, agents[0]?.outcome ?? "refused");
  }
  if (found.length === 0 && wrong.length === 0) wrong.push(`There are no agents in ${folder}. Pull some first.`);
  if (wrong.length > 0) return { lines: wrong, ok: false };
  if (dryRun) {
    const lines = [...plans].map(
      ([id, outcome]) => `${id}  ${outcome === "unchanged" ? outcome : `would be ${outcome}`}`,
    );
    return { lines, ok: true };
  }
  return publishAll(call, folder, plans);
}

async function publishAll(call: CallServer, folder: string, plans: ReadonlyMap<string, string>): Promise<FilesReport> {
  const known = readKnown(folder);
  const lines: string[] = [];
  let ok = true;
  for (const [id, outcome] of plans) {
    if (outcome === "unchanged") {
      lines.push(`${id}  unchanged`);
      continue;
    }
    try {
      await sendAgent(call, { folder, id, dryRun: false, baseVersion: known.agents[id]?.version });
      const { version } = AgentDetail.parse(await call("GET", `/api/agents/${id}`));
      known.agents[id] = { version: version ?? 0, hash: hashOf(readAgent(folder, id)) };
      writeKnown(folder, known);
      lines.push(`${id}  ${outcome}  v${version}`);
    } catch (error) {
      ok = false;
      lines.push(`${id}  ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { lines, ok };
}

interface Sent {
  readonly folder: string;
  readonly id: string;
  readonly dryRun: boolean;
  readonly baseVersion?: number | undefined;
}

async function sendAgent(call: CallServer, { folder, id, dryRun, baseVersion }: Sent) {
  const { yaml, texts } = readAgent(folder, id) ?? { yaml: "", texts: null };
  const promptFiles = texts === null ? "" : writeYaml({ prompt_files: { [id]: texts } });
  const base = baseVersion === undefined ? {} : { baseVersions: { [id]: baseVersion } };
  const body = { yaml: nestYaml(id, yaml) + promptFiles, dryRun, ...base };
  return ImportAgentsReply.parse(await call("POST", "/api/agents/import", body));
}

function problemLine(id: string, { path: field, message, line }: ConfigProblem): string {
  const place = line === undefined ? "" : `:${Math.max(1, line - LINES_ABOVE)}`;
  return `${id}.yaml${place}  ${field === "" ? "" : `${field}: `}${message}`;
}

interface AgentFiles {
  readonly yaml: string;
  /** Prompt files by name; null if there is no folder for them. */
  readonly texts: Readonly<Record<string, string>> | null;
}

function readAgent(folder: string, id: string): AgentFiles | null {
  const file = path.join(folder, `${id}.yaml`);
  if (!existsSync(file)) return null;
  const own = path.join(folder, id);
  const names = existsSync(own) ? PROMPT_FILE_NAMES.filter((name) => existsSync(path.join(own, name))) : null;
  const texts = names?.map((name) => [name, readFileSync(path.join(own, name), "utf8").trim()] as const);
  return { yaml: readFileSync(file, "utf8"), texts: texts ? Object.fromEntries(texts) : null };
}

function writeAgent(folder: string, id: string, { yaml, texts }: AgentFiles): void {
  writeFileSync(path.join(folder, `${id}.yaml`), yaml);
  const own = path.join(folder, id);
  const named = Object.entries(texts ?? {});
  if (existsSync(own)) for (const name of PROMPT_FILE_NAMES) rmSync(path.join(own, name), { force: true });
  if (named.length > 0) makeFolder(own);
  for (const [name, text] of named) writeFileSync(path.join(own, name), `${text}\n`);
}

function agentIds(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((name) => /^(.+)\.yaml$/.exec(name)?.[1] ?? []);
  return names.filter((name) => AgentId.safeParse(name).success).toSorted();
}

/** No prompt files and no folder for them are the same. */
function hashOf(files: AgentFiles | null): string {
  const { yaml = "", texts = null } = files ?? {};
  return createHash("sha256")
    .update(JSON.stringify([yaml, texts ?? {}]))
    .digest("hex");
}

const KNOWN_FILE = ".ringmaster.json";

function readKnown(folder: string): Known {
  const file = path.join(folder, KNOWN_FILE);
  return existsSync(file) ? Known.parse(JSON.parse(readFileSync(file, "utf8"))) : { agents: {} };
}

function writeKnown(folder: string, known: Known): void {
  writeFileSync(path.join(folder, KNOWN_FILE), `${JSON.stringify(known, null, 2)}\n`);
}
