import { ErrorCode, LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key under which `readMessage` keeps a result that is no object, such as a list or a text. */
export const BARE_RESULT = "bareResult";

export type RequestId = string | number;

/**
 * What a server sent, as messages that the protocol library accepts: the library drops a whole message for one odd
 * field, and its request would then wait for ever. Values that are no messages are left out.
 */
export function readMessages(value: unknown): JsonObject[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.map(readMessage).filter((message) => message !== null);
}

function readMessage(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const base = { jsonrpc: "2.0", ...(isRequestId(value.id) ? { id: value.id } : {}) };
  const { method, params, error, result } = value;
  if (typeof method === "string") return { ...base, method, ...(isObject(params) ? { params: withMeta(params) } : {}) };
  if (error !== undefined && error !== null) return { ...base, error: readError(error) };
  if (result === undefined) return null;
  return { ...base, result: isObject(result) ? readResult(result) : { [BARE_RESULT]: result } };
}

export function isResponse(message: JsonObject): boolean {
  return !("method" in message);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function readError(error: unknown): JsonObject {
  if (!isObject(error)) return { code: ErrorCode.InternalError, message: asText(error) };
  const { code, message, data, detail } = error;
  const number = typeof code === "string" ? Number(code) : code;
  return {
    code: Number.isSafeInteger(number) ? number : ErrorCode.InternalError,
    message: typeof message === "string" ? message : asText(message ?? detail ?? data ?? ""),
    ...(data === undefined ? {} : { data }),
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readResult(result: JsonObject): JsonObject {
  const read = withMeta(result);
  return "protocolVersion" in read ? { ...read, ...readGreeting(read) } : read;
}

/** The library reads a few fields of `_meta` itself; without them it takes any object. */
function withMeta({ _meta: meta, ...rest }: JsonObject): JsonObject {
  if (!isObject(meta)) return rest;
  const { progressToken, "io.modelcontextprotocol/related-task": task, ...others } = meta;
  return {
    ...rest,
    _meta: { ...others, ...(isRequestId(progressToken) ? { progressToken } : {}), ...relatedTask(task) },
  };
}

function relatedTask(task: unknown): JsonObject {
  const isRead = isObject(task) && typeof task.taskId === "string";
  return isRead ? { "io.modelcontextprotocol/related-task": { taskId: task.taskId } } : {};
}

const CAPABILITIES = ["tools", "prompts", "resources", "logging", "completions"];

/** The answer to `initialize`. A revision that is not known is taken for the one that was asked for. */
function readGreeting({ protocolVersion, capabilities, serverInfo, instructions }: JsonObject): JsonObject {
  const able = isObject(capabilities) ? capabilities : {};
  const offered = CAPABILITIES.filter((name) => isObject(able[name]) || able[name] === true);
  const { name, version } = isObject(serverInfo) ? serverInfo : {};
  const isKnown = typeof protocolVersion === "string" && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  return {
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: Object.fromEntries(offered.map((one) => [one, onlyFlags(able[one])])),
    serverInfo: { name: textOf(name), version: textOf(version) },
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

function onlyFlags(capability: unknown): JsonObject {
  if (!isObject(capability)) return {};
  return Object.fromEntries(Object.entries(capability).filter(([, value]) => typeof value === "boolean"));
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
