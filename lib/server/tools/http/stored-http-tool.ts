import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { CallbackTool, HttpTool, RegisteredTool } from "@/lib/schema/tools/http-tool";
import { type RequestTool, StoredRequest } from "@/lib/schema/tools/request-tool";
import type { Database } from "@/lib/server/platform/db/database";
import { SecretUnreadable, secretBox, toolSecretPurpose } from "@/lib/server/platform/secrets/secrets";
import type { HttpToolDefinition, ToolDescription } from "./http-tool";

export type HttpToolRow = NonNullable<Awaited<ReturnType<Database["httpTool"]["findUnique"]>>>;

/** The secrets of a request's headers as they are sealed; `secret` is the name by which they are redacted. */
export const SealedHeaders = z.object({ headers: z.array(z.object({ name: z.string(), secret: z.string() })) });
export type SealedHeaders = z.infer<typeof SealedHeaders>;

export function descriptionOf(row: HttpToolRow): ToolDescription {
  const { name, description, readOnly, parameters } = row;
  return { name, description, readOnly, parameters: JSON.parse(parameters), host: hostOf(row) };
}

function hostOf({ callbackUrl, request }: HttpToolRow): string | undefined {
  const url = request === null ? callbackUrl : StoredRequest.parse(JSON.parse(request)).url;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** The tool with its secrets, ready to be called. */
export function definitionOf(row: HttpToolRow): HttpToolDefinition {
  const secret = readSecret(row);
  const known = descriptionOf(row);
  if (row.request === null) return { kind: "callback", ...known, callbackUrl: row.callbackUrl, secret };
  const { result, timeoutMs, headers, ...request } = StoredRequest.parse(JSON.parse(row.request));
  const secrets = secret === null ? [] : SealedHeaders.parse(JSON.parse(secret)).headers;
  const filled = headers.map(({ name: header, value }) => ({
    name: header,
    value: value ?? secrets.find((sealed) => sealed.name === header)?.secret ?? "",
    isSecret: value === undefined,
  }));
  return { kind: "request", ...known, request: { ...request, headers: filled, body: request.body }, result, timeoutMs };
}

function readSecret({ name, secretEncrypted }: HttpToolRow): string | null {
  if (secretEncrypted === null) return null;
  try {
    return secretBox().decrypt(secretEncrypted, toolSecretPurpose(name));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    const message = `The secret of ${name} can't be read with this server's secret. Enter it again under Admin, Tools.`;
    throw new AppError("unavailable", message, { cause: error });
  }
}

/** As administrators see it: of its secrets only whether there is one. */
export function toHttpTool(row: HttpToolRow): HttpTool {
  return row.request === null ? toCallbackTool(row) : toRequestTool(row);
}

function toCallbackTool(row: HttpToolRow): CallbackTool {
  return { kind: "callback", ...toRegisteredTool(row) };
}

export function toRegisteredTool(row: HttpToolRow): RegisteredTool {
  return {
    name: row.name,
    description: row.description,
    parameters: JSON.parse(row.parameters),
    callback_url: row.callbackUrl,
    read_only: row.readOnly,
    signed: row.secretEncrypted !== null,
    updated_at: row.updatedAt.toISOString(),
  };
}

export function toRequestTool(row: HttpToolRow): RequestTool {
  const request = StoredRequest.parse(JSON.parse(row.request ?? "null"));
  return {
    kind: "request",
    name: row.name,
    description: row.description,
    ...request,
    headers: request.headers.map(({ name, value }) =>
      value === undefined ? { name, secret: { set: true as const } } : { name, value },
    ),
    arguments: JSON.parse(row.parameters),
    readOnly: row.readOnly,
    updatedAt: row.updatedAt.toISOString(),
  };
}
