import "server-only";
import { type MaskingRule, Settings, StoredSmtp } from "@/lib/schema/settings/settings";
import { StoredWebSearch } from "@/lib/schema/settings/web-search";
import { announceSettings, onSettingsElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { selectSettings } from "@/lib/server/platform/db/queries/providers/provider-rows";
import {
  isRevisionOf,
  MASKING_REVISION,
  nextRevision,
  revisionOf,
} from "@/lib/server/platform/db/queries/search/masking-revision";
import { env } from "@/lib/server/platform/env";
import { setGuardDefault } from "@/lib/server/platform/guard-default";
import { logger, setLogLevel } from "@/lib/server/platform/logger";
import { setMasks } from "@/lib/server/platform/masking";
import { keyIdOf } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { compileRules } from "./mask-rules";
import { sectionKey } from "./section-key";
import { currentSettings, defaultSettings, type Section, type StoredSettings, settingsState } from "./settings-state";
import { shownWebSearch } from "./web-search";

export const SECTIONS = [
  "branding",
  "logLevel",
  "guardDefault",
  "retention",
  "masking",
  "smtp",
  "backup",
  "publicShares",
  "schedulesPerPerson",
  "webSearch",
] as const satisfies readonly Section[];

/** Loads the settings, and reloads them whenever another process changes one. */
export async function startSettings(services: Services): Promise<void> {
  await loadSettings(services);
  onSettingsElsewhere(() => {
    loadSettings(services).catch((error: unknown) => logger().error({ err: error }, "could not load the settings"));
  });
}

/** Called after a change: all processes apply it at once. */
export async function applySettingsChange(services: Services): Promise<void> {
  await loadSettings(services);
  announceSettings();
}

/** Resolves once the changes known to this process are in force. */
export function whenSettingsAreLoaded(): Promise<void> {
  return settingsState().loading;
}

export async function getSettings(): Promise<Settings> {
  await whenSettingsAreLoaded();
  const { smtp, webSearch, ...settings } = currentSettings();
  const shown = { smtp: smtp && shownSmtp(smtp), webSearch: shownWebSearch(webSearch) };
  return { ...settings, ...shown, fixed: fixedSettings() };
}

function shownSmtp({ sealed, ...smtp }: StoredSmtp): Settings["smtp"] {
  return { ...smtp, password: sealed === null ? null : { set: true, keyId: keyIdOf(sealed) } };
}

/** The settings fixed by the environment, each with its variable. */
export function fixedSettings(): Record<string, string> {
  const { isLogLevelFixed, fixedRetention, searxngBaseUrl } = env();
  return {
    ...(searxngBaseUrl === null ? {} : { "webSearch.searxng": "SEARXNG_BASE_URL" }),
    ...(isLogLevelFixed ? { logLevel: "RINGMASTER_LOG_LEVEL" } : {}),
    ...Object.fromEntries(fixedRetention.map((kind) => [`retention.${kind}`, "RINGMASTER_RETENTION"])),
  };
}

/** Reads what is stored and puts it in force, in this process only. */
export function loadSettings(services: Services): Promise<void> {
  const state = settingsState();
  const load = async () => {
    const { settings, revision } = await readRevised(services.database);
    await putInForce(settings, revision);
    state.settings = settings;
  };
  const done = state.loading.then(load, load);
  state.loading = done.catch(() => undefined);
  return done;
}

/**
 * The settings and the revision of their masking rules. It is counted up if the rules are not those that it was counted
 * for: they are from before there were revisions, or another program changed them.
 */
async function readRevised(database: Database): Promise<{ settings: StoredSettings; revision: number }> {
  for (;;) {
    const { settings, rows } = await readSections(database);
    const { rules } = settings.masking;
    const stored = rows.get(MASKING_REVISION);
    if (isRevisionOf(stored, rules)) return { settings, revision: revisionOf(stored) };
    try {
      await nextMasking(database, rules, stored);
    } catch (error) {
      // Another process counts it up at this moment.
      if (!isNotFound(error) && !isTaken(error)) throw error;
    }
  }
}

/** Counts up the revision if it still is `stored`, so that the texts which a search of traces reads are masked again. */
export function nextMasking(database: Database, rules: readonly MaskingRule[], stored: string | undefined) {
  const [key, value] = [MASKING_REVISION, nextRevision(stored, rules)];
  return stored === undefined
    ? database.setting.create({ data: { key, value } })
    : database.setting.update({ where: { key, value: stored }, data: { value } });
}

/**
 * The settings of the rows, layered over the defaults and under the environment, with the raw text of each row and, read
 * in the same statement, that of the revision of the masking rules.
 */
export async function readSections(db: Database) {
  const rows = await selectSettings(db, [...SECTIONS.map(sectionKey), MASKING_REVISION]);
  const settings: Record<string, unknown> = { ...defaultSettings() };
  for (const section of SECTIONS) {
    const text = rows.get(sectionKey(section));
    if (text !== undefined) settings[section] = over(settings[section], readJson(section, text));
  }
  const { data, error } = Stored.safeParse(settings);
  if (error) throw new SettingsUnreadable(String(error.issues[0]?.path[0]), error.issues[0]?.message ?? "");
  return { settings: withEnvironment(data), rows };
}

/** Nothing starts with them: the standard ones in their place could delete, or show, what the stored ones keep. */
class SettingsUnreadable extends Error {
  override readonly name = "SettingsUnreadable";

  constructor(section: string, reason: string) {
    const row = `"key" = '${sectionKey(section as Section)}'`;
    super(
      `the settings of ${section} in the database can't be read (${reason}). Restore a backup, or delete the row with ${row} of the table "setting" to have the standard ones.`,
    );
  }
}

function readJson(section: Section, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsUnreadable(section, error instanceof Error ? error.message : String(error));
  }
}

const Stored = Settings.omit({ fixed: true, smtp: true, webSearch: true }).extend({
  smtp: StoredSmtp.nullable(),
  webSearch: StoredWebSearch,
});

/** Fields unknown to an earlier version keep their defaults. */
function over(standard: unknown, stored: unknown): unknown {
  return typeof standard === "object" && typeof stored === "object" && stored !== null
    ? { ...standard, ...stored }
    : stored;
}

function withEnvironment(settings: StoredSettings): StoredSettings {
  const { isLogLevelFixed, fixedRetention } = env();
  const standard = defaultSettings();
  const fixed = Object.fromEntries(fixedRetention.map((kind) => [kind, standard.retention[kind]]));
  return {
    ...settings,
    logLevel: isLogLevelFixed ? standard.logLevel : settings.logLevel,
    retention: { ...settings.retention, ...fixed },
  };
}

async function putInForce({ logLevel, guardDefault, masking }: StoredSettings, maskingRevision: number): Promise<void> {
  setGuardDefault(guardDefault);
  setLogLevel(logLevel);
  setMasks(
    (await compileRules(masking.rules)).map(({ apply }) => apply),
    maskingRevision,
  );
}
