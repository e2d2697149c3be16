import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { RegisteredTool, RegisterToolBody } from "@/lib/schema/tools/http-tool";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { refuseKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import { secretBox, toolSecretPurpose } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { auditedTool, checkAddress, checkParameters, refuseTaken } from "./check-http-tool";
import { toRegisteredTool } from "./stored-http-tool";

/**
 * Creates or replaces a callback tool, effective from the next run. Throws `invalid_input` for the name of a built-in,
 * parameters that are not an object schema, and a forbidden address, `conflict` if the tool was last saved at a time
 * other than `updated_at`.
 */
export async function registerHttpTool(
  services: Services,
  body: RegisterToolBody,
  viewer: Viewer,
): Promise<{ tool: RegisteredTool; isNew: boolean }> {
  const { database } = services;
  const { name, description, parameters, callback_url: callbackUrl, read_only: readOnly, secret } = body;
  refuseTaken(name);
  checkParameters("parameters", parameters);
  await checkAddress("callback_url", callbackUrl);
  const known = await database.httpTool.findUnique({ where: { name } });
  if (known && known.request !== null) {
    throw new AppError(
      "conflict",
      `There is already an HTTP tool "${name}" that is not a callback. Choose another name.`,
    );
  }
  const readAt = known?.updatedAt.toISOString() ?? null;
  if (body.updated_at !== undefined && body.updated_at !== readAt)
    throw await changedMeanwhile(database, name, body.updated_at);
  const kept = typeof secret === "object" ? (known?.secretEncrypted ?? null) : null;
  refuseKeptSecrets([{ path: "secret", isKept: kept !== null, from: known?.callbackUrl ?? null, to: callbackUrl }]);
  const values = {
    description,
    parameters: JSON.stringify(parameters),
    callbackUrl,
    readOnly,
    secretEncrypted: typeof secret === "string" ? secretBox().encrypt(secret, toolSecretPurpose(name)) : kept,
  };
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: known ? "tool.replaced" : "tool.registered",
    target: `tool:${name}`,
    ...(known ? changedFields(auditedTool(known), auditedTool(values)) : { after: auditedTool(values) }),
  });
  const { httpTool } = database;
  // Later than the previous time regardless of the clock, because the time distinguishes definitions.
  const updatedAt = new Date(Math.max(Date.now(), (known?.updatedAt.getTime() ?? 0) + 1));
  const save = known
    ? httpTool.update({ where: { name, updatedAt: known.updatedAt }, data: { ...values, updatedAt } })
    : httpTool.create({ data: { name, ...values, createdById: viewer.id } });
  try {
    const [row] = await database.$transaction([save, audit]);
    return { tool: toRegisteredTool(row), isNew: known === null };
  } catch (error) {
    if (isNotFound(error) || isTaken(error)) throw await changedMeanwhile(database, name, readAt);
    throw error;
  }
}

async function changedMeanwhile(database: Database, name: string, readAt: string | null): Promise<AppError> {
  const row = await database.httpTool.findUnique({ where: { name } });
  if (!row) return new AppError("conflict", `The tool "${name}" was deleted. Copy what you need and create it again.`);
  const message =
    readAt === null
      ? `There is already a tool "${name}". Edit it, or choose another name.`
      : `The tool "${name}" was saved by another person. Look at it again.`;
  return new AppError("conflict", message, { details: { current: toRegisteredTool(row) } });
}

/** Throws `not_found`. Agents that list the tool keep its name and run without it. */
export async function deleteHttpTool(services: Services, name: string, viewer: Viewer): Promise<void> {
  const known = await services.database.httpTool.findUnique({ where: { name } });
  if (!known) throw missing(name);
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: "tool.deleted",
    target: `tool:${name}`,
    before: auditedTool(known),
  });
  try {
    await services.database.$transaction([services.database.httpTool.delete({ where: { name } }), audit]);
  } catch (error) {
    throw isNotFound(error) ? missing(name) : error;
  }
}

function missing(name: string): AppError {
  return new AppError("not_found", `There is no registered tool "${name}".`);
}
