import { z } from "zod";
import { secret } from "@/lib/schema/new-secret";
import { storedText } from "@/lib/schema/plain-text";
import { HttpToolName } from "./http-tool-name";

/** Text in which `{argument}` stands for an argument of the call. */
const template = (maxLength: number) => storedText(maxLength);

export const RequestMethod = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
export type RequestMethod = z.infer<typeof RequestMethod>;

/** Headers that the connection itself sends. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
  "accept-encoding",
]);
const HeaderName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of an HTTP header")
  .refine((name) => !CONNECTION_HEADERS.has(name.toLowerCase()), "is a header that the connection itself sends");
const headerText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[\t\x20-\x7e]*$/, "must be printable ASCII in one line");

/** A secret is write-only; `{set: true}` keeps the stored one. */
export const RequestHeader = z.union([
  z.strictObject({ name: HeaderName, value: headerText(2_000) }),
  z.strictObject({
    name: HeaderName,
    secret: z.union([secret(headerText(5_000)), z.strictObject({ set: z.literal(true) })]),
  }),
]);
export type RequestHeader = z.infer<typeof RequestHeader>;

/** JSON whose texts are templates: a text that is one placeholder becomes the argument with its type. */
const JsonTemplate = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const fields = {
  description: storedText(4_000).min(1),
  method: RequestMethod,
  url: template(2_000).min(1),
  query: z.record(z.string().min(1).max(200), template(2_000)).default({}),
  headers: z.array(RequestHeader).max(50).default([]),
  body: z
    .union([template(20_000), JsonTemplate])
    .nullable()
    .default(null),
  /** JSONPath (RFC 9535) of what the model reads of the answer. */
  result: z.string().trim().min(1).max(1_000).nullable().default(null),
  /** A JSON Schema whose type is object. */
  arguments: z.record(z.string(), z.unknown()),
  /** Default: of GET only. */
  readOnly: z.boolean().optional(),
  timeoutMs: z.number().int().min(1_000).max(120_000).default(30_000),
};

/** POST `/api/http-tools`: a tool that makes one request to any service. */
export const CreateRequestToolBody = z.strictObject({ name: HttpToolName, ...fields });
export type CreateRequestToolBody = z.output<typeof CreateRequestToolBody>;

/** PATCH `/api/http-tools/{name}`; 409 if the tool has been saved since `updatedAt`. */
export const UpdateRequestToolBody = z.strictObject({
  description: fields.description.optional(),
  method: fields.method.optional(),
  url: fields.url.optional(),
  query: fields.query.unwrap().optional(),
  headers: fields.headers.unwrap().optional(),
  body: fields.body.unwrap().optional(),
  result: fields.result.unwrap().optional(),
  arguments: fields.arguments.optional(),
  readOnly: z.boolean().optional(),
  timeoutMs: fields.timeoutMs.unwrap().optional(),
  updatedAt: z.iso.datetime().optional(),
});
export type UpdateRequestToolBody = z.infer<typeof UpdateRequestToolBody>;

/** What is stored of it as JSON; its secrets are stored beside it. */
export const StoredRequest = z.object({
  method: RequestMethod,
  url: z.string(),
  query: z.record(z.string(), z.string()),
  /** Without a value: a secret. */
  headers: z.array(z.object({ name: z.string(), value: z.string().optional() })),
  body: z.union([z.string(), JsonTemplate]).nullable(),
  result: z.string().nullable(),
  timeoutMs: z.number(),
});
export type StoredRequest = z.infer<typeof StoredRequest>;

export const RequestTool = StoredRequest.extend({
  kind: z.literal("request"),
  name: z.string(),
  description: z.string(),
  headers: z.array(
    z.union([
      z.object({ name: z.string(), value: z.string() }),
      z.object({ name: z.string(), secret: z.object({ set: z.literal(true) }) }),
    ]),
  ),
  arguments: z.record(z.string(), z.unknown()),
  readOnly: z.boolean(),
  updatedAt: z.string(),
});
export type RequestTool = z.infer<typeof RequestTool>;
