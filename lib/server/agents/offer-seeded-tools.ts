import "server-only";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { DEFAULT_AGENT } from "@/lib/schema/agents/agent-id";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import type { Services } from "@/lib/server/platform/services";
import { SERVICE_USER_ID } from "@/lib/server/users/service-user";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { getDraft, saveDraft } from "./drafts/agent-draft";
import { type CurrentVersion, getCurrentVersion } from "./publish-version";
import { seededConfigs } from "./seed-agents";

const OFFERED_KEY = "seeded_tools_offered";

/** What the seeded agent had in version 0.1; the rest is as today. */
const EARLIER: RawConfig = {
  description: "Plans, works with files, runs commands and remembers what matters.",
  tools: ["calculate", "current_datetime", "ask_user"],
  permissions: { enabled: true, mode: "accept_edits", ask: ["execute"] },
};
const LATER_FIELDS = ["delegates", "choices"];

/**
 * Once in the life of a database: where the default agent is still as an earlier version seeded it, saves a draft with
 * today's tools and tells administrators. The published version stays (D-108).
 */
export async function offerSeededTools(services: Services): Promise<void> {
  if ((await selectSetting(services.database, OFFERED_KEY)) !== undefined) return;
  const current = await getCurrentVersion(services.database, DEFAULT_AGENT).catch(() => null);
  const today = current === null ? null : seededLike(current.raw);
  if (current !== null && today !== null) await offer(services, current, today);
  await upsertSetting(services.database, OFFERED_KEY, new Date().toISOString());
}

/** Today's config for the same workspace; null if the agent is not as an earlier version seeded it. */
function seededLike(raw: RawConfig): RawConfig | null {
  const written = canonical(raw);
  const today = (["local", "state"] as const).map((backend) => seededConfigs(backend)[DEFAULT_AGENT] ?? {});
  return today.find((config) => canonical({ ...config, ...EARLIER }) === written) ?? null;
}

/** The same text for configs that differ only in the order of their fields, and in what version 0.1 did not have. */
function canonical(raw: RawConfig): string {
  const fields = Object.entries(raw).filter(([name]) => !LATER_FIELDS.includes(name));
  return JSON.stringify(fields.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** A start that was interrupted after the draft tells administrators at the next one; somebody's own draft stays. */
async function offer(services: Services, current: CurrentVersion, today: RawConfig): Promise<void> {
  const { choices } = current.raw;
  const yaml = mergeYaml(current.yaml, choices === undefined ? today : { ...today, choices });
  const draft = await getDraft(services, DEFAULT_AGENT);
  if (draft.revision > 0 && draft.yaml !== yaml) return;
  if (draft.revision === 0) {
    await saveDraft(services, DEFAULT_AGENT, { yaml, revision: 0 }, { id: SERVICE_USER_ID }).catch((error: unknown) => {
      // Another process that starts now was first.
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    });
  }
  await tellAdministrators(services.database);
}

async function tellAdministrators(database: Database): Promise<void> {
  const admins = await database.user.findMany({
    where: { OR: [{ role: "admin" }, { groupRole: "admin" }], isService: false, deactivatedAt: null },
    select: { id: true },
  });
  const note = {
    kind: "agent",
    title: "A draft of the Assistant can do more",
    detail: "It reads web pages, searches, makes schedules and delegates. Try it, then publish or discard it.",
    source: "agent Assistant",
    path: `/admin/agents/${DEFAULT_AGENT}`,
    createdAt: new Date(),
  };
  for (const { id: userId } of admins) {
    const create = { id: `not_tools_${userId}`, userId, ...note };
    await database.inboxNote.upsert({ where: { id: create.id }, create, update: {} });
  }
}
