import "server-only";
import { AppError, type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import type {
  CreateRequestToolBody,
  RequestHeader,
  RequestTool,
  StoredRequest,
  UpdateRequestToolBody,
} from "@/lib/schema/tools/request-tool";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { problemsOfShortSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { problemsOfKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { secretBox, toolSecretPurpose } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { auditedTool, checkAddress, checkParameters, refuseTaken } from "./check-http-tool";
import { exampleAddress, problemsOfRequest } from "./check-request";
import { type HttpToolRow, SealedHeaders, toRequestTool } from "./stored-http-tool";

/**
 * Creates a tool that makes one request, effective from the next run. Throws `invalid_input` for what can't work and
 * for a forbidden address, `conflict` if the name is taken.
 */
export async function createRequestTool(
  services: Services,
  body: CreateRequestToolBody,
  viewer: Viewer,
): Promise<RequestTool> {
  refuseTaken(body.name);
  const values = await columnsOf(body, null);
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: "tool.registered",
    target: `tool:${body.name}`,
    after: auditedTool(values),
  });
  const save = services.database.httpTool.create({ data: { name: body.name, ...values, createdById: viewer.id } });
  try {
    const [row] = await services.database.$transaction([save, audit]);
    return toRequestTool(row);
  } catch (error) {
    if (isTaken(error)) throw new AppError("conflict", `There is already a tool "${body.name}". Choose another name.`);
    throw error;
  }
}

/** Throws `not_found`, `invalid_input`, and `conflict` if it has been saved since `updatedAt`. */
export async function updateRequestTool(
  services: Services,
  name: string,
  { updatedAt: readAt, ...changes }: UpdateRequestToolBody,
  viewer: Viewer,
): Promise<RequestTool> {
  const known = await services.database.httpTool.findUnique({ where: { name } });
  if (!known || known.request === null) {
    throw new AppError("not_found", `There is no HTTP tool "${name}" that can be changed here.`);
  }
  if (readAt !== undefined && readAt !== known.updatedAt.toISOString()) throw changedMeanwhile(known);
  const { updatedAt: _, kind: __, ...before } = toRequestTool(known);
  const values = await columnsOf({ ...before, ...changes }, known);
  const { httpTool } = services.database;
  // Later than the previous time regardless of the clock, because the time distinguishes definitions.
  const updatedAt = new Date(Math.max(Date.now(), known.updatedAt.getTime() + 1));
  const save = httpTool.update({ where: { name, updatedAt: known.updatedAt }, data: { ...values, updatedAt } });
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: "tool.replaced",
    target: `tool:${name}`,
    ...changedFields(auditedTool(known), auditedTool(values)),
  });
  try {
    const [row] = await services.database.$transaction([save, audit]);
    return toRequestTool(row);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const row = await httpTool.findUnique({ where: { name } });
    if (row) throw changedMeanwhile(row);
    throw new AppError("conflict", `The tool "${name}" was deleted. Copy what you need and create it again.`);
  }
}

function changedMeanwhile(row: HttpToolRow): AppError {
  const message = `The tool "${row.name}" was saved by another person. Look at it again.`;
  return new AppError("conflict", message, { details: { current: toRequestTool(row) } });
}

async function columnsOf(body: CreateRequestToolBody, known: HttpToolRow | null) {
  const { name, description, method, url, query, headers, body: content, result, timeoutMs } = body;
  checkParameters("arguments", body.arguments);
  const stored = sealedHeaders(known);
  refuseFields([
    ...problemsOfRequest(body),
    ...problemsOfSecrets(headers, { stored, from: known?.callbackUrl ?? null, to: url }),
  ]);
  await checkAddress("url", exampleAddress(url));
  const request: StoredRequest = {
    ...{ method, url, query, body: content === "" ? null : content, result, timeoutMs },
    headers: headers.map((header) => ("value" in header ? header : { name: header.name })),
  };
  const secrets = headers.flatMap((header) => ("value" in header ? [] : [secretOf(header, stored)]));
  const sealed: SealedHeaders = { headers: secrets };
  return {
    description,
    parameters: JSON.stringify(body.arguments),
    callbackUrl: url,
    request: JSON.stringify(request),
    readOnly: body.readOnly ?? method === "GET",
    secretEncrypted: secrets.length > 0 ? secretBox().encrypt(JSON.stringify(sealed), toolSecretPurpose(name)) : null,
  };
}

type SecretHeader = Extract<RequestHeader, { secret: unknown }>;
type Stored = SealedHeaders["headers"];

function sealedHeaders(known: HttpToolRow | null): Stored {
  if (!known?.secretEncrypted) return [];
  const { decrypt } = secretBox();
  return SealedHeaders.parse(JSON.parse(decrypt(known.secretEncrypted, toolSecretPurpose(known.name)))).headers;
}

function secretOf({ name, secret }: SecretHeader, stored: Stored): Stored[number] {
  if (typeof secret === "string") return { name, secret };
  return { name, secret: findStored(name, stored)?.secret ?? "" };
}

function findStored(name: string, stored: Stored): Stored[number] | undefined {
  return stored.find((header) => header.name.toLowerCase() === name.toLowerCase());
}

interface SecretPlace {
  readonly stored: Stored;
  readonly from: string | null;
  readonly to: string;
}

/** Too short ones, those that are said to be stored and are not, and those that belong to another address. */
function problemsOfSecrets(headers: readonly RequestHeader[], { stored, from, to }: SecretPlace): FieldProblem[] {
  return headers.flatMap((header, index) => {
    if ("value" in header) return [];
    const path = `headers.${index}.secret`;
    if (typeof header.secret === "string") return problemsOfShortSecrets(header.secret, path);
    if (findStored(header.name, stored) === undefined) return [{ path, message: "Enter it: none is stored." }];
    return problemsOfKeptSecrets([{ path, isKept: true, from, to }]);
  });
}
