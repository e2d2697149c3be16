import "server-only";
import { z } from "zod";
import type { AgentDraft, PublishDraftBody, SaveDraftBody } from "@/lib/schema/agents/agent-draft";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { readConfigYaml, readYamlFields, requireConfig } from "@/lib/server/agents/config/read-config";
import { validateConfig } from "@/lib/server/agents/get-agent-detail";
import { type CurrentVersion, versionRow, versionStatements, writtenConfig } from "@/lib/server/agents/publish-version";
import { publishedSides } from "@/lib/server/agents/published-sides";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { endDraftStatement, insertDraftStatement } from "@/lib/server/platform/db/queries/agent-versions";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import type { Services } from "@/lib/server/platform/services";
import { scheduleStatements } from "@/lib/server/triggers/schedules/config-schedules";
import { userNames } from "@/lib/server/users/user-names";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { getBase } from "./unpublished";

interface DraftRow {
  readonly revision: number;
  readonly yaml: string;
  readonly baseVersion: number;
  readonly filesFrom: number | null;
  readonly savedById: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/**
 * An agent's published version, or what it was created as, and its draft, if any; `last` is the highest revision the
 * agent ever had.
 */
interface DraftState {
  readonly current: CurrentVersion;
  readonly draft: DraftRow | null;
  readonly last: number;
}

/** The draft (without one, the published version as revision 0, or what the agent was created as) or an earlier `revision`. Throws `not_found`. */
export async function getDraft(services: Services, agentId: string, revision?: number): Promise<AgentDraft> {
  const state = await loadState(services.database, agentId);
  if (revision === undefined) return toDraft(services, state);
  const earlier = await services.database.agentDraft.findUnique({ where: { agentId_revision: { agentId, revision } } });
  if (!earlier) throw new AppError("not_found", `There is no revision ${revision} of this draft any more.`);
  return toDraft(services, { ...state, draft: earlier });
}

/**
 * The draft, or the published version if there is none, with its prompt files. For YAML that can't be parsed, `raw` is
 * null and `problem` is the reason.
 */
export async function draftSource(services: Services, agentId: string) {
  const state = await loadState(services.database, agentId);
  const text = state.draft?.yaml ?? state.current.yaml;
  const raw = readYamlFields(text);
  const [problem] = raw ? [] : readConfigYaml(services, text).problems;
  return {
    raw,
    yaml: text,
    files: await filesOf(services.database, agentId, state),
    revision: state.draft?.revision ?? 0,
    problem,
  };
}

/**
 * Saves a YAML text, valid or not, or an object, which is merged into the stored text to keep its comments. Throws
 * `conflict` with the current draft if `revision` is not its revision.
 */
export function saveDraft(
  services: Services,
  agentId: string,
  body: SaveDraftBody,
  viewer: Pick<Viewer, "id">,
): Promise<AgentDraft> {
  return exclusively(services, agentId, async (state) => {
    await requireRevision(services, state, body.revision);
    const { current, draft } = state;
    return store(services, agentId, state, {
      yaml: body.yaml ?? mergeYaml(textOf(state), body.config ?? {}),
      baseVersion: Math.min(current.number, body.baseVersion ?? draft?.baseVersion ?? current.number),
      filesFrom: draft?.filesFrom ?? null,
      savedById: viewer.id,
    });
  });
}

/**
 * Copies a version into the draft, prompt files included, based on the current version. Throws `not_found`, and
 * `conflict` if `revision` is not the draft's.
 */
export function restoreVersion(
  services: Services,
  agentId: string,
  { number, revision }: { readonly number: number; readonly revision: number },
  viewer: Viewer,
): Promise<AgentDraft> {
  return exclusively(services, agentId, async (state) => {
    await requireRevision(services, state, revision);
    const row = await services.database.agentVersion.findUnique({ where: { agentId_number: { agentId, number } } });
    if (!row) throw new AppError("not_found", `The agent has no version ${number}.`);
    const { yaml } = writtenConfig(row);
    const { number: baseVersion } = state.current;
    return store(services, agentId, state, { yaml, baseVersion, filesFrom: number, savedById: viewer.id });
  });
}

type NewDraft = Omit<DraftRow, "revision" | "createdAt" | "endedAt">;

async function store(
  services: Services,
  agentId: string,
  { current, last }: DraftState,
  draft: NewDraft,
): Promise<AgentDraft> {
  const now = new Date();
  const saved: DraftRow = { ...draft, revision: last + 1, createdAt: now, endedAt: null };
  await services.database.runAll([endDraftStatement(agentId, now), insertDraftStatement({ agentId, ...saved })]);
  return toDraft(services, { current, draft: saved, last: saved.revision });
}

/** Deletes the draft, if any. Throws `conflict` if `revision` is given and is not the draft's. */
export async function discardDraft(
  services: Services,
  agentId: string,
  viewer: Viewer,
  revision?: number,
): Promise<void> {
  await exclusively(services, agentId, async (state) => {
    if (revision !== undefined) await requireRevision(services, state, revision);
    if (!state.draft) return;
    await services.database.runAll([
      endDraftStatement(agentId, new Date()),
      auditStatement({
        actorId: viewer.id,
        action: "agent.draft_discarded",
        target: `agent:${agentId}`,
        before: { revision: state.draft.revision },
      }),
    ]);
  });
}

/**
 * Publishes the draft as the next version and deletes it. The prompt files are those of the current version, or of the
 * version restored into the draft. Throws `invalid_input` with the draft's problems, and `conflict` for another
 * revision or for a draft that is behind, unless `baseVersion` names the current version.
 */
export function publishDraft(
  services: Services,
  agentId: string,
  body: PublishDraftBody,
  viewer: Viewer,
): Promise<number> {
  return exclusively(services, agentId, async (state) => {
    await requireRevision(services, state, body.revision);
    const { current, draft } = state;
    if (!draft) throw await conflict(services, state, "There is no draft to publish. Save one first.");
    if ((body.baseVersion ?? draft.baseVersion) !== current.number) throw await conflict(services, state, BEHIND);
    const read = readConfigYaml(services, draft.yaml);
    const { schedules } = requireConfig(read);
    const { note, force, reason } = body;
    const written = { agentId, raw: read.raw, yaml: draft.yaml, createdById: viewer.id, note };
    const version = versionRow(written, current.number + 1);
    const { number } = version;
    await services.database.runAll([
      ...versionStatements(version, await filesOf(services.database, agentId, state)),
      endDraftStatement(agentId, new Date()),
      ...(await scheduleStatements(services.database, schedules, { agentId, ownerId: viewer.id, isImported: false })),
      auditStatement({
        actorId: viewer.id,
        action: "agent.published",
        target: `agent:${agentId}`,
        ...publishedSides(current, { number, raw: read.raw }),
        details: { version: number, revision: draft.revision, ...(force ? { forced: true, reason } : {}) },
      }),
    ]);
    return number;
  });
}

const BEHIND =
  "Another version was published since this draft was started. Compare the two, then publish with baseVersion set to the current version.";

/** Runs `work` exclusively for the agent. Throws `conflict` if a version is published elsewhere at the same time. */
async function exclusively<Result>(
  services: Services,
  agentId: string,
  work: (state: DraftState) => Promise<Result>,
): Promise<Result> {
  const { database } = services;
  return database.exclusive(`draft ${agentId}`, async () => {
    try {
      return await work(await loadState(database, agentId));
    } catch (error) {
      if (isTaken(error)) throw await conflict(services, await loadState(database, agentId), BEHIND);
      throw error;
    }
  });
}

async function loadState(database: Database, agentId: string): Promise<DraftState> {
  const [current, newest] = await Promise.all([
    getBase(database, agentId),
    database.agentDraft.findFirst({ where: { agentId }, orderBy: { revision: "desc" } }),
  ]);
  return { current, draft: newest && !newest.endedAt ? newest : null, last: newest?.revision ?? 0 };
}

async function requireRevision(services: Services, state: DraftState, revision: number): Promise<void> {
  if (revision === (state.draft?.revision ?? 0)) return;
  throw await conflict(
    services,
    state,
    "The draft has changed since you read it. Compare it with yours, then save again.",
  );
}

async function conflict(services: Services, state: DraftState, message: string): Promise<AppError> {
  return new AppError("conflict", message, { details: { current: await toDraft(services, state) } });
}

async function filesOf(
  database: Database,
  agentId: string,
  { current, draft }: DraftState,
): Promise<readonly PromptFile[]> {
  const number = draft?.filesFrom ?? null;
  if (number === null) return current.files;
  const where = { agentVersion: { agentId, number } };
  return z.array(PromptFile).parse(await database.agentVersionFile.findMany({ where }));
}

/** The text that an object is merged into: the draft, or the published version if the draft can't be parsed. */
function textOf({ current, draft }: DraftState): string {
  return draft && readYamlFields(draft.yaml) ? draft.yaml : current.yaml;
}

async function toDraft(services: Services, { current, draft }: DraftState): Promise<AgentDraft> {
  const { yaml, baseVersion, createdAt, authorId, revision } = draft
    ? { ...draft, authorId: draft.savedById }
    : { ...current, baseVersion: current.number, revision: 0, authorId: current.createdById };
  const [problems, names] = await Promise.all([
    validateConfig(services, { yaml }),
    userNames(services.database, [authorId]),
  ]);
  return {
    config: readYamlFields(yaml),
    yaml,
    revision,
    baseVersion,
    isBehind: baseVersion !== current.number,
    updatedAt: createdAt.toISOString(),
    updatedByName: names.get(authorId ?? "") ?? null,
    valid: problems.every(({ severity }) => severity !== "error"),
    problems,
  };
}
