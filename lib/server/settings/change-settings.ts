import "server-only";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import type { ChangeSettingsBody, Settings } from "@/lib/schema/settings/settings";
import type { Viewer } from "@/lib/schema/users/user";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { MASKING_REVISION } from "@/lib/server/platform/db/queries/search/masking-revision";
import { env } from "@/lib/server/platform/env";
import { makeFolder } from "@/lib/server/platform/make-folder";
import type { Services } from "@/lib/server/platform/services";
import { sealSmtp } from "./mail";
import { compileRules } from "./mask-rules";
import { namedKinds } from "./retention";
import { sectionKey } from "./section-key";
import {
  applySettingsChange,
  fixedSettings,
  getSettings,
  loadSettings,
  nextMasking,
  readSections,
  SECTIONS,
} from "./settings";
import { sealWebSearch } from "./web-search";

/**
 * Changes the settings in the body and records it in the audit log in the same transaction; every process applies the
 * change at once. Throws `conflict` for settings fixed by the environment and if somebody else just changed the same
 * section, `invalid_input` for a masking rule that is no valid pattern.
 */
export async function changeSettings(services: Services, body: ChangeSettingsBody, viewer: Viewer): Promise<Settings> {
  const { database } = services;
  await refuseFixed(body);
  if (body.masking) await compileRules(body.masking.rules);
  await refuseFolder(body.backup?.folder ?? null);
  const { settings, rows } = await readSections(database);
  const wanted = {
    ...body,
    smtp: body.smtp && sealSmtp(body.smtp, settings.smtp),
    webSearch: body.webSearch && sealWebSearch(body.webSearch),
  };
  const changes = SECTIONS.flatMap((section) => {
    const given = wanted[section];
    if (given === undefined) return [];
    const before = settings[section];
    const after = merged(before, given);
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ section, before, after }];
  });
  if (changes.length === 0) return getSettings();
  const store = changes.map(({ section }) => {
    const [key, stored] = [sectionKey(section), rows.get(sectionKey(section))];
    const value = JSON.stringify(merged(stored === undefined ? {} : JSON.parse(stored), wanted[section]));
    // Compare-and-set: if two people change one section at once, the second is told.
    return stored === undefined
      ? database.setting.create({ data: { key, value } })
      : database.setting.update({ where: { key, value: stored }, data: { value } });
  });
  const masking = changes.find(({ section }) => section === "masking")?.after as Settings["masking"] | undefined;
  if (masking !== undefined) store.push(nextMasking(database, masking.rules, rows.get(MASKING_REVISION)));
  const entries = changes.map(({ section, before, after }) => {
    const isObject = typeof before === "object" || typeof after === "object";
    const fields = isObject ? changedFields(shown(before), shown(after)) : null;
    const record = {
      actorId: viewer.id,
      action: "settings.changed",
      target: `settings:${section}`,
      before: fields?.before ?? { [section]: before },
      after: fields?.after ?? { [section]: after },
    };
    return database.auditEntry.create({ data: auditColumns(record) });
  });
  try {
    await database.$transaction([...store, ...entries]);
  } catch (error) {
    if (!isNotFound(error) && !isTaken(error)) throw error;
    // This process may not know the other change yet.
    await loadSettings(services);
    const message = "The same settings were changed a moment ago. Look at what they are now, then save again.";
    throw new AppError("conflict", message, { details: { current: await getSettings() } });
  }
  await applySettingsChange(services);
  return getSettings();
}

/**
 * A backup folder inside the backed-up data would grow with every backup, and in a folder that can't be written no
 * backup would ever be created.
 */
async function refuseFolder(folder: string | null): Promise<void> {
  if (folder === null) return;
  const { dataDirectory } = env();
  const isAmong = ["workspaces", "extensions"].some((name) => {
    const way = path.relative(path.join(dataDirectory, name), path.resolve(folder));
    return way !== ".." && !way.startsWith(`..${path.sep}`);
  });
  const message = isAmong
    ? "is part of what is backed up; name a folder outside the workspaces and extensions"
    : await problemOfFolder(folder);
  if (message === null) return;
  throw new AppError("invalid_input", `backup.folder ${message}.`, { details: [{ path: "backup.folder", message }] });
}

async function problemOfFolder(folder: string): Promise<string | null> {
  try {
    makeFolder(folder, 0o700);
    await access(folder, constants.W_OK);
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    return `can't be made or written by the server${code}; let the server's user write there, or name another folder`;
  }
}

/** Replaces the encrypted password by a hash, which only shows whether it changed. */
function shown(section: unknown): Readonly<Record<string, unknown>> {
  const { sealed, ...fields } = { ...(section as Record<string, unknown> | null) };
  if (typeof sealed === "string") return { ...fields, password: `set (${hashOf(sealed)})` };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSealed(value) ? keyOf(value) : value]),
  );
}

/** Whether a value is a sealed key inside a section, such as that of a web search. */
function isSealed(value: unknown): value is { readonly sealed: string } {
  return typeof value === "object" && value !== null && "sealed" in value && typeof value.sealed === "string";
}

function keyOf({ sealed }: { readonly sealed: string }): string {
  return `set (${hashOf(sealed)})`;
}

function hashOf(sealed: string): string {
  return createHash("sha256").update(sealed).digest("hex").slice(0, 8);
}

/** Stores only what was chosen: values from the environment must not outlive it. */
function merged(before: unknown, given: unknown): unknown {
  return typeof given === "object" && given !== null ? { ...(before as object), ...given } : given;
}

async function refuseFixed({ logLevel, retention = {}, webSearch }: ChangeSettingsBody): Promise<void> {
  const named = [
    ...(webSearch?.searxng === undefined ? [] : ["webSearch.searxng"]),
    ...(logLevel === undefined ? [] : ["logLevel"]),
    ...namedKinds(retention).map((kind) => `retention.${kind}`),
  ];
  const fixed = fixedSettings();
  const refused = named.find((name) => fixed[name] !== undefined);
  if (refused === undefined) return;
  const message = `${fixed[refused]} decides ${refused}. Remove it from the environment and restart to change it here.`;
  throw new AppError("conflict", message, { details: { current: await getSettings() } });
}
