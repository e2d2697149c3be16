import { z } from "zod";
import { secret } from "@/lib/schema/new-secret";
import { OwnMcpConnection } from "./mcp-connection";
import { ToolAnnotations } from "./tool";

/** Chosen by the caller; part of the names of the server's tools (`mcp__<id>__<tool>`). */
const McpServerId = z
  .string()
  .regex(/^[a-z0-9](?:_?[a-z0-9-]){0,39}$/, "must be 1 to 40 of a-z, 0-9, - and single _")
  .refine((id) => id !== "callback", "must not be callback, which is a word of the API");

const McpTransport = z.enum(["http", "sse", "stdio"]);

/** Shown in place of a secret's value. */
const SetSecret = z.object({ set: z.literal(true), keyId: z.string() });

/** A new value, or a reply's placeholder for a secret, which keeps the stored one. */
function secretInput(value: z.ZodString) {
  return z.union([
    secret(value.min(1).max(10_000)),
    z.strictObject({ set: z.literal(true), keyId: z.string().optional() }),
  ]);
}

const SecretInput = secretInput(z.string());
/** Nothing with a line break, which would begin another header, nor what a header can't carry. */
const HeaderValue = secretInput(
  z
    .string()
    .trim()
    .regex(/^[\t\x20-\x7e]+$/, "must be printable ASCII in one line"),
);
const BearerToken = secretInput(
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, "has a space or a character that no token has; copy it again"),
);

/** Headers that belong to a connection or to the protocol, not to who asks. */
const TRANSPORT_HEADERS = new Set([
  ...["connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
  ...["accept", "accept-encoding", "content-encoding", "content-type", "last-event-id"],
  ...["mcp-protocol-version", "mcp-session-id"],
]);
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of an HTTP header")
  .refine((name) => !TRANSPORT_HEADERS.has(name.toLowerCase()), "is a header that the connection itself sends");

/** A program takes none with NUL in it. */
const ProgramText = z.string().regex(/^[^\0]*$/, "must not contain NUL");

/** Names that would change how the launcher itself starts are refused. */
const VariableName = z
  .string()
  .regex(/^(?!LD_|BASH|ENV$|SHELLOPTS$)[A-Za-z_][A-Za-z0-9_]{0,99}$/, "must be the name of an environment variable");

export const McpMount = z.strictObject({
  path: z
    .string()
    .regex(/^\/[^\0]+$/, "must be an absolute path")
    .max(1_000),
  readOnly: z.boolean().default(true),
});
export type McpMount = z.output<typeof McpMount>;

const settings = {
  url: z.url().max(2_000).nullable().optional(),
  command: z.string().trim().min(1).max(1_000).nullable().optional(),
  args: z.array(ProgramText.max(10_000)).max(100).optional(),
  env: z.record(VariableName, secretInput(ProgramText)).optional(),
  headers: z.record(HeaderName, HeaderValue).optional(),
  token: BearerToken.nullable().optional(),
  unsandboxed: z.boolean().optional(),
  network: z.boolean().optional(),
  mounts: z.array(McpMount).max(20).optional(),
  /** Default: `bearer` with a token, otherwise `none`. */
  auth: z.enum(["none", "bearer", "oauth"]).optional(),
  /** For OAuth: one connection that an administrator makes for all (default), or one per person. */
  scope: z.enum(["shared", "per_user"]).optional(),
  /** For OAuth: the client id to connect with, for servers without client registration. */
  clientId: z.string().trim().min(1).max(500).nullable().optional(),
  clientSecret: SecretInput.nullable().optional(),
  enabled: z.boolean().optional(),
};

/** POST `/api/mcp-servers`. `url` goes with http and sse, `command` and its options with stdio. */
export const CreateMcpServerBody = z.strictObject({ id: McpServerId, transport: McpTransport, ...settings });
export type CreateMcpServerBody = z.infer<typeof CreateMcpServerBody>;

/** PATCH: omitted fields keep their values. With `revision`, a server that has changed since is 409. */
export const UpdateMcpServerBody = z.strictObject({
  transport: McpTransport.optional(),
  ...settings,
  revision: z.number().int().optional(),
});
export type UpdateMcpServerBody = z.infer<typeof UpdateMcpServerBody>;

/** A server and what is known about it. Times are ISO 8601. */
export const McpServer = z.object({
  id: z.string(),
  transport: McpTransport,
  url: z.string().nullable(),
  command: z.string().nullable(),
  args: z.array(z.string()),
  env: z.record(z.string(), SetSecret),
  headers: z.record(z.string(), SetSecret),
  token: SetSecret.nullable(),
  unsandboxed: z.boolean(),
  network: z.boolean(),
  mounts: z.array(z.object({ path: z.string(), readOnly: z.boolean() })),
  auth: z.enum(["none", "bearer", "oauth"]),
  scope: z.enum(["shared", "per_user"]),
  clientId: z.string().nullable(),
  clientSecret: SetSecret.nullable(),
  enabled: z.boolean(),
  /** With OAuth: the viewer's connection, or the shared one; null without OAuth. */
  connection: OwnMcpConnection.nullable(),
  revision: z.number(),
  /** `unasked`: it has never answered, and nobody has tried since its last change. */
  state: z.enum(["connected", "away", "off", "unasked"]),
  awaySince: z.string().nullable(),
  awayReason: z.string().nullable(),
  askedAt: z.string().nullable(),
  /** The server's facts about itself. */
  facts: z
    .object({
      name: z.string(),
      version: z.string(),
      protocol: z.string(),
      prompts: z.number(),
      resources: z.number(),
    })
    .nullable(),
  tools: z.object({ known: z.number(), offered: z.number(), waiting: z.number() }),
});
export type McpServer = z.infer<typeof McpServer>;

export const McpServerList = z.object({
  mcpServers: z.array(McpServer),
  nextCursor: z.string().nullable(),
  /** Whether this installation may start programs as MCP servers. */
  stdioAllowed: z.boolean(),
});
export type McpServerList = z.infer<typeof McpServerList>;

const JsonObject = z.record(z.string(), z.unknown());

/** A tool's definition, for people to read before accepting it: the server's own words. */
export const McpDefinition = z.object({
  title: z.string().optional(),
  description: z.string().default(""),
  schema: JsonObject,
  annotations: JsonObject.optional(),
  /** Why the server's description of the tool can't be used. */
  unreadable: z.string().optional(),
});
export type McpDefinition = z.infer<typeof McpDefinition>;

/** `allow`: the agent's permissions decide; `ask`: a person is asked unless a rule allows it; `deny`: never offered. */
export const McpOnCall = z.enum(["allow", "ask", "deny"]);
export type McpOnCall = z.infer<typeof McpOnCall>;

export const McpTool = z.object({
  name: z.string(),
  /** Its name for agents, rules and traces. */
  offeredAs: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  schema: JsonObject,
  /** As the server sends them; null if there are none. */
  annotations: JsonObject.nullable(),
  /** The same in this installation's terms. */
  means: ToolAnnotations,
  /** Hash of the shown definition; null once the server no longer has the tool. */
  hash: z.string().nullable(),
  pinnedHash: z.string().nullable(),
  state: z.enum(["pinned", "changed", "new", "gone", "unreadable"]),
  /** The accepted definition, if a different one is shown. */
  pinned: McpDefinition.nullable(),
  noticedAt: z.string(),
  pinnedAt: z.string().nullable(),
  pinnedByName: z.string().nullable(),
  onCall: McpOnCall,
  /** Nobody has chosen: `onCall` follows from the annotations. */
  isDefault: z.boolean(),
  /** Why the server's description can't be used: such a tool can't be accepted. */
  unreadable: z.string().nullable(),
  /** A passage of the definition that reads like an instruction to the model. */
  suspicious: z.string().nullable(),
});
export type McpTool = z.infer<typeof McpTool>;

export const McpToolList = z.object({ tools: z.array(McpTool), nextCursor: z.string().nullable() });
export type McpToolList = z.infer<typeof McpToolList>;

/** `hash` of each definition as it was shown: if one is no longer current, the reply is 409 and nothing is accepted. */
export const AcceptMcpToolsBody = z.strictObject({
  tools: z
    .array(z.strictObject({ name: z.string().min(1).max(200), hash: z.string().min(1).max(100) }))
    .min(1)
    .max(1_000),
});
export type AcceptMcpToolsBody = z.infer<typeof AcceptMcpToolsBody>;

/** PATCH `/api/mcp-servers/{id}/tools/{name}`; null: as the annotations say. */
export const UpdateMcpToolBody = z.strictObject({ onCall: McpOnCall.nullable() });
