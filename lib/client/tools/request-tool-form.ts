import { z } from "zod";
import { formSchema, typedJson } from "@/lib/client/forms/typed";
import { secret } from "@/lib/schema/new-secret";
import {
  CreateRequestToolBody,
  RequestMethod,
  type RequestTool,
  UpdateRequestToolBody,
} from "@/lib/schema/tools/request-tool";
import { KEPT, linesOf } from "./mcp-server-form";

/** The form as typed. Parameters and headers are texts with one entry per line. */
const RequestForm = z.object({
  name: z.string().trim(),
  description: z.string(),
  method: RequestMethod,
  url: z.string().trim(),
  query: z.string(),
  headers: z.string(),
  secretHeaders: secret(z.string()),
  body: z.string(),
  result: z.string().trim(),
  arguments: typedJson(z.record(z.string(), z.unknown())),
  effect: z.enum(["byMethod", "reads", "writes"]),
  timeoutSeconds: z.string().transform(Number),
  /** Of the tool that it changes. */
  updatedAt: z.string().nullable(),
});
export type RequestForm = z.input<typeof RequestForm>;
type Filled = z.output<typeof RequestForm>;

export const NewRequestTool = formSchema(
  RequestForm,
  (form) => ({ name: form.name, ...toFields(form) }),
  CreateRequestToolBody,
);
export const ChangedRequestTool = formSchema(
  RequestForm,
  (form) => ({ ...toFields(form), ...(form.updatedAt === null ? {} : { updatedAt: form.updatedAt }) }),
  UpdateRequestToolBody,
);

const EMPTY_ARGUMENTS = JSON.stringify({ type: "object", properties: {} }, null, 2);

export function newRequestForm(tool?: RequestTool): RequestForm {
  const plain = (tool?.headers ?? []).flatMap((header) =>
    "value" in header ? [`${header.name}: ${header.value}`] : [],
  );
  const secrets = (tool?.headers ?? []).flatMap((header) => ("secret" in header ? [`${header.name}: ${KEPT}`] : []));
  return {
    name: tool?.name ?? "",
    description: tool?.description ?? "",
    method: tool?.method ?? "GET",
    url: tool?.url ?? "",
    query: Object.entries(tool?.query ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    headers: plain.join("\n"),
    secretHeaders: secrets.join("\n"),
    body:
      typeof tool?.body === "object" && tool.body !== null ? JSON.stringify(tool.body, null, 2) : (tool?.body ?? ""),
    result: tool?.result ?? "",
    arguments: tool ? JSON.stringify(tool.arguments, null, 2) : EMPTY_ARGUMENTS,
    effect:
      tool === undefined || tool.readOnly === (tool.method === "GET") ? "byMethod" : tool.readOnly ? "reads" : "writes",
    timeoutSeconds: String((tool?.timeoutMs ?? 30_000) / 1_000),
    updatedAt: tool?.updatedAt ?? null,
  };
}

function toFields(form: Filled) {
  const { description, method, url, query, headers, secretHeaders, body, result, effect, timeoutSeconds } = form;
  return {
    ...{ description, method, url },
    query: Object.fromEntries(linesOf(query).map((line) => pairOf(line, "="))),
    headers: [
      ...linesOf(headers)
        .map((line) => pairOf(line, ":"))
        .map(([name, value]) => ({ name, value })),
      ...linesOf(secretHeaders)
        .map((line) => pairOf(line, ":"))
        .map(([name, value]) => ({ name, secret: value === KEPT ? { set: true as const } : value })),
    ],
    body: method === "GET" || body.trim() === "" ? null : body,
    result: result === "" ? null : result,
    arguments: form.arguments,
    readOnly: effect === "byMethod" ? method === "GET" : effect === "reads",
    timeoutMs: Math.round(timeoutSeconds * 1_000),
  };
}

/** A line without the separator is a name without a value, so that the problem is shown. */
function pairOf(line: string, separator: ":" | "="): [string, string] {
  const at = line.indexOf(separator);
  return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

const FIELDS: readonly [RegExp, keyof RequestForm][] = [
  // Without a number: of every entry.
  [/^headers(?:\.\d+)?\.secret/, "secretHeaders"],
  [/^headers/, "headers"],
  [/^query/, "query"],
  [/^body/, "body"],
  [/^arguments/, "arguments"],
  [/^readOnly/, "effect"],
  [/^timeoutMs/, "timeoutSeconds"],
];

/** The field in which a person finds what stands at a path of the request. */
export function requestFieldOf(path: string): string {
  return FIELDS.find(([pattern]) => pattern.test(path))?.[1] ?? path;
}

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g;

/** What the address, the parameters and the headers name without being an argument yet, in order. */
export function missingArguments({ url, query, headers, arguments: text }: RequestForm): string[] {
  const schema = readProperties(text);
  if (schema === null) return [];
  const named = Array.from(`${url}\n${query}\n${headers}`.matchAll(PLACEHOLDER), ([, name = ""]) => name);
  return [...new Set(named)].filter((name) => !Object.hasOwn(schema, name));
}

function readProperties(text: string): object | null {
  try {
    const { properties = {} } = JSON.parse(text);
    return Object(properties);
  } catch {
    return null;
  }
}
