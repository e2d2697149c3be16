import { z } from "zod";
import type { CallbackTool, HttpTool, RegisteredTool } from "@/lib/schema/tools/http-tool";
import { type RequestTool, StoredRequest } from "@/lib/schema/tools/request-tool";
import type { Database } from "@/lib/server/platform/db/database";
import { secretBox, toolSecretPurpose } from "@/lib/server/platform/secrets/secrets";
import type { HttpToolDefinition } from "./http-tool";

export type HttpToolRow = NonNullable<Awaited<ReturnType<Database["httpTool"]["findUnique"]>>>;

/** The secrets of a request's headers as they are sealed; `secret` is the name by which they are redacted. */
export const SealedHeaders = z.object({ headers: z.array(z.object({ name: z.string(), secret: z.string() })) });
export type SealedHeaders = z.infer<typeof SealedHeaders>;

/** The tool with its secrets, ready to be called. */
export function definitionOf(row: HttpToolRow): HttpToolDefinition {
  const { name, description, readOnly, secretEncrypted } = row;
  const secret = secretEncrypted === null ? null : secretBox().decrypt(secretEncrypted, toolSecretPurpose(name));
  const known = { name, description, readOnly, parameters: JSON.parse(row.parameters) };
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
