import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { hasDialects } from "@/lib/models/dialects/dialect-presets";
import { PROVIDER_TRAITS } from "@/lib/models/provider-settings";
import { AppError, type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import type { DialectChoice } from "@/lib/schema/dialect";
import type { Provider, ProviderKind } from "@/lib/schema/provider";
import { ProviderModel } from "@/lib/schema/provider";
import type {
  ChangeProviderBody,
  CreateProviderBody,
  NewProviderModel,
} from "@/lib/schema/providers/provider-requests";
import { Role, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { type AuditRecord, changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { problemsOfKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { providerKeyPurpose, secretBox } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { problemOfBaseUrl } from "./check-base-url";
import { testsKey } from "./kept-tests";
import { getProvider, noProvider } from "./list-providers";
import { applyProviderChange, DEFAULT_MODEL_SETTING, modelRegistry } from "./models";
import { schedulePriceHistory } from "./price-history/price-history";

const OLLAMA_URL = "http://127.0.0.1:11434/v1";
/** Showing the ending of shorter keys would reveal too much of them. */
const SHORTEST_WITH_ENDING = 16;

/**
 * Adds a provider; it replaces one of the environment with the same id. Throws `conflict` with the current one if the
 * id is taken, `invalid_input` with every wrong field.
 */
export async function createProvider(services: Services, body: CreateProviderBody, viewer: Viewer): Promise<Provider> {
  const { kind, models = [], allowedRoles = Role.options, apiKey = null, dialect = "auto", isDefault } = body;
  const { anyAgent = false } = body;
  const id = body.id ?? freeId(services, kind);
  const baseUrl = body.baseUrl ?? (kind === "ollama" ? OLLAMA_URL : null);
  const name = body.name ?? PROVIDER_TRAITS[kind].name;
  refuseFields([
    ...(await addressProblems(kind, baseUrl)),
    ...keyProblems(kind, apiKey),
    ...dialectProblems(kind, dialect),
  ]);
  const data = {
    id,
    kind,
    name,
    baseUrl,
    ...keyColumns(id, apiKey, viewer),
    dialect,
    models: JSON.stringify(models.map(toProviderModel)),
    allowedRoles: JSON.stringify(allowedRoles),
    anyAgent,
  };
  const create = services.database.provider.create({ data: { ...data, createdById: viewer.id } });
  const record = { id, action: "provider.created", after: sidesOf(data), ...chosen(isDefault) };
  const audit = auditEntry(services, viewer, record);
  try {
    await services.database.$transaction([create, audit, ...defaultQueries(services.database, id, isDefault)]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `There is a provider "${id}" already. Choose another id, or change that one.`;
    const problem = { path: "id", message };
    throw new AppError("conflict", message, {
      details: { current: await getProvider(services, id), problems: [problem] },
    });
  }
  await applyProviderChange(services);
  if (models.some(({ price }) => price !== undefined)) await schedulePriceHistory(services.database);
  return getProvider(services, id);
}

/**
 * Changes the fields in the body. Throws `not_found`, `conflict` for a provider of the environment, `invalid_input`.
 */
export async function changeProvider(
  services: Services,
  id: string,
  body: ChangeProviderBody,
  viewer: Viewer,
): Promise<Provider> {
  const before = await requireOwn(services, id);
  const { apiKey, dialect, models, isDefault } = body;
  const kind = before.kind as ProviderKind;
  const baseUrl = body.baseUrl === undefined ? before.baseUrl : body.baseUrl;
  const hasKey = apiKey === undefined ? before.keyEncrypted !== null : apiKey !== null;
  refuseFields([
    ...(body.baseUrl === undefined ? [] : await addressProblems(kind, baseUrl)),
    ...(hasKey ? [] : keyProblems(kind, null)),
    ...dialectProblems(kind, dialect ?? "auto"),
    ...problemsOfKeptSecrets([
      { path: "apiKey", isKept: apiKey === undefined && hasKey, from: before.baseUrl, to: baseUrl },
    ]),
  ]);
  const data = { baseUrl, ...changedColumns(body), ...(apiKey === undefined ? {} : keyColumns(id, apiKey, viewer)) };
  const sides = changedFields(sidesOf(before), sidesOf({ ...before, ...data }));
  await orNotFound(services.database, id, [
    services.database.provider.update({ where: { id }, data }),
    auditEntry(services, viewer, { id, action: "provider.changed", ...sides, ...chosen(isDefault) }),
    ...defaultQueries(services.database, id, isDefault),
  ]);
  await applyProviderChange(services);
  if (hasNewPrice(before.models, models ?? [])) await schedulePriceHistory(services.database);
  return getProvider(services, id);
}

/** Address and key aside. */
function changedColumns({ name, dialect, models, allowedRoles, anyAgent }: ChangeProviderBody) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(models === undefined ? {} : { models: JSON.stringify(models.map(toProviderModel)) }),
    ...(allowedRoles === undefined ? {} : { allowedRoles: JSON.stringify(allowedRoles) }),
    ...(anyAgent === undefined ? {} : { anyAgent }),
  };
}

function hasNewPrice(before: string, models: readonly NewProviderModel[]): boolean {
  const known = new Set(
    z
      .array(ProviderModel)
      .parse(JSON.parse(before))
      .flatMap(({ id, price }) => (price === undefined ? [] : [id])),
  );
  return models.some(({ id, price }) => price !== undefined && !known.has(id));
}

/**
 * Deletes the provider. Its runs keep their tokens and cost; the environment's provider with the same id takes effect
 * again.
 */
export async function deleteProvider(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { database } = services;
  const before = sidesOf(await requireOwn(services, id));
  await orNotFound(database, id, [
    database.provider.delete({ where: { id } }),
    database.setting.deleteMany({ where: { key: testsKey(id) } }),
    database.setting.deleteMany({ where: { key: DEFAULT_MODEL_SETTING, value: { startsWith: `${id}:` } } }),
    auditEntry(services, viewer, { id, action: "provider.deleted", before }),
  ]);
  await applyProviderChange(services);
}

type Queries = Parameters<Database["$transaction"]>[0];

async function orNotFound(database: Database, id: string, queries: Queries): Promise<void> {
  try {
    await database.$transaction(queries);
  } catch (error) {
    if (isNotFound(error)) throw noProvider(id);
    throw error;
  }
}

async function requireOwn(services: Services, id: string) {
  const row = await services.database.provider.findUnique({ where: { id } });
  if (row) return row;
  const other = modelRegistry(services)
    .providers()
    .find((provider) => provider.id === id);
  if (!other) throw noProvider(id);
  const from = other.variable === null ? "is built in" : `comes from the environment (${other.variable})`;
  const message = `The provider ${id} ${from} and can't be changed here. Add one with the same id to put it in its place.`;
  throw new AppError("conflict", message, { details: { current: await getProvider(services, id) } });
}

interface ProviderRecord extends Pick<AuditRecord, "action" | "before" | "after" | "details"> {
  readonly id: string;
}

function auditEntry(services: Services, viewer: Viewer, { id, ...record }: ProviderRecord) {
  return auditQuery(services, { actorId: viewer.id, target: `provider:${id}`, ...record });
}

function chosen(isDefault: boolean | undefined): Pick<AuditRecord, "details"> {
  return isDefault === undefined ? {} : { details: { isDefault } };
}

interface ProviderColumns {
  readonly kind: string;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly keyEncrypted: string | null;
  readonly dialect: string;
  readonly models: string;
  readonly allowedRoles: string;
  readonly anyAgent: boolean;
}

/** The provider's fields in the audit log; of its key only whether it is set and whether it changed. */
function sidesOf({ kind, name, baseUrl, keyEncrypted, dialect, models, allowedRoles, anyAgent }: ProviderColumns) {
  const hash = keyEncrypted === null ? "" : createHash("sha256").update(keyEncrypted).digest("hex").slice(0, 8);
  return {
    kind,
    name,
    baseUrl,
    key: keyEncrypted === null ? null : `set (${hash})`,
    dialect,
    models: JSON.parse(models) as unknown,
    allowedRoles: JSON.parse(allowedRoles) as unknown,
    anyAgent,
  };
}

/**
 * True: its first model is the default for agents that name none. False: clears the default if it was this provider.
 */
function defaultQueries(database: Database, id: string, isDefault: boolean | undefined): Queries {
  if (isDefault === undefined) return [];
  const key = DEFAULT_MODEL_SETTING;
  const value = `${id}:`;
  if (!isDefault) return [database.setting.deleteMany({ where: { key, value: { startsWith: value } } })];
  return [database.setting.upsert({ where: { key }, create: { key, value }, update: { value } })];
}

function keyColumns(id: string, apiKey: string | null, viewer: Viewer) {
  if (apiKey === null) return { keyEncrypted: null, keyEnding: null, keySetAt: null, keySetById: null };
  return {
    keyEncrypted: secretBox().encrypt(apiKey, providerKeyPurpose(id)),
    keyEnding: apiKey.length < SHORTEST_WITH_ENDING ? null : apiKey.slice(-4),
    keySetAt: new Date(),
    keySetById: viewer.id,
  };
}

function toProviderModel({ price, ...model }: NewProviderModel): ProviderModel {
  if (price === undefined) return model;
  const { input, output, cachedRead = input, cachedWrite = input } = price;
  return { ...model, price: { input, cachedRead, cachedWrite, output } };
}

function freeId(services: Services, kind: ProviderKind): string {
  const taken = new Set(
    modelRegistry(services)
      .providers()
      .map(({ id }) => id),
  );
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? kind : `${kind}-${number}`;
    if (!taken.has(id)) return id;
  }
}

async function addressProblems(kind: ProviderKind, baseUrl: string | null): Promise<FieldProblem[]> {
  if (baseUrl === null) {
    const isNeeded = PROVIDER_TRAITS[kind].ownBaseUrl === null;
    return isNeeded
      ? [{ path: "baseUrl", message: "is needed: the address of its API, such as http://host:8000/v1" }]
      : [];
  }
  const message = await problemOfBaseUrl(baseUrl);
  return message === null ? [] : [{ path: "baseUrl", message }];
}

function keyProblems(kind: ProviderKind, apiKey: string | null): FieldProblem[] {
  if (apiKey !== null || !PROVIDER_TRAITS[kind].needsKey) return [];
  return [{ path: "apiKey", message: `is needed: ${PROVIDER_TRAITS[kind].name} does not answer without one` }];
}

function dialectProblems(kind: ProviderKind, dialect: DialectChoice): FieldProblem[] {
  if (dialect === "auto" || hasDialects(kind)) return [];
  return [
    {
      path: "dialect",
      message: `is only of servers that call themselves compatible, not of ${PROVIDER_TRAITS[kind].name}`,
    },
  ];
}
