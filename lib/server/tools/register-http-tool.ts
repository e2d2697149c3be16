import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { RegisteredTool, RegisterToolBody } from "@/lib/schema/tools/http-tool";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { secretBox, toolSecretPurpose } from "@/lib/server/platform/secrets";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { readParameters } from "./json-schema-check";

/**
 * Creates or replaces a callback tool; the next run sees it. Throws `invalid_input` for the name of a built-in,
 * parameters that are not an object schema, and an address that must not be called.
 */
export async function registerHttpTool(
  body: RegisterToolBody,
  viewer: Viewer,
): Promise<{ tool: RegisteredTool; isNew: boolean }> {
  const { name, description, parameters, callback_url: callbackUrl, read_only: readOnly, secret } = body;
  if ([...builtinToolInfos(), ...extensionTools()].some((tool) => tool.name === name)) {
    throw refuse("name", `"${name}" is the name of a built-in tool. Choose another.`);
  }
  checkParameters(parameters);
  await checkAddress(callbackUrl);
  const known = await database().httpTool.findUnique({ where: { name } });
  const kept = typeof secret === "object" ? (known?.secretEncrypted ?? null) : null;
  const values = {
    description,
    parameters: JSON.stringify(parameters),
    callbackUrl,
    readOnly,
    secretEncrypted: typeof secret === "string" ? secretBox().encrypt(secret, toolSecretPurpose(name)) : kept,
  };
  await database().httpTool.upsert({
    where: { name },
    create: { name, ...values, createdById: viewer.id },
    update: values,
  });
  await writeAudit({
    actorId: viewer.id,
    action: known ? "tool.replaced" : "tool.registered",
    target: `tool:${name}`,
    ...(known ? changedFields(sideOf(known), sideOf(values)) : { after: sideOf(values) }),
  });
  const signed = values.secretEncrypted !== null;
  const tool = { name, description, parameters, callback_url: callbackUrl, read_only: readOnly, signed };
  return { tool, isNew: known === null };
}

/** Throws `not_found`. Agents that name the tool keep its name and simply lack it. */
export async function deleteHttpTool(name: string, viewer: Viewer): Promise<void> {
  const known = await database().httpTool.findUnique({ where: { name } });
  const deleted = await database().httpTool.deleteMany({ where: { name } });
  if (deleted.count === 0 || !known) throw new AppError("not_found", `There is no registered tool "${name}".`);
  await writeAudit({ actorId: viewer.id, action: "tool.deleted", target: `tool:${name}`, before: sideOf(known) });
}

interface ToolColumns {
  readonly description: string;
  readonly callbackUrl: string;
  readonly readOnly: boolean;
  readonly secretEncrypted: string | null;
}

/** An address may have a token in its path or query: only its host is told. */
function sideOf({ description, callbackUrl, readOnly, secretEncrypted }: ToolColumns) {
  return { host: new URL(callbackUrl).host, description, readOnly, signed: secretEncrypted !== null };
}

function checkParameters(parameters: Record<string, unknown>): void {
  if (parameters.type !== "object") throw refuse("parameters", 'Must be a JSON Schema with type "object".');
  try {
    readParameters(parameters);
  } catch (error) {
    throw refuse("parameters", `Not a JSON Schema that can be checked: ${error instanceof Error ? error.message : ""}`);
  }
}

async function checkAddress(callbackUrl: string): Promise<void> {
  try {
    await checkDestination(callbackUrl, { allowedPrivateHosts: env().allowedPrivateHosts });
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) throw refuse("callback_url", error.message);
    throw error;
  }
}

function refuse(path: string, message: string): AppError {
  return new AppError("invalid_input", `${path}: ${message}`, { details: [{ path, message }] });
}
