import { z } from "zod";
import { newSecret } from "@/lib/schema/new-secret";
import { RequestMethod, RequestTool } from "./request-tool";

const MAX_DOCUMENT_BYTES = 32 * 2 ** 20;

/**
 * POST `/api/http-tools/import`: reads an OpenAPI document. With `operations`, makes their tools; they call `server`, and
 * each sends `auth`, if given.
 */
export const ImportOpenApiBody = z
  .strictObject({
    url: z.url().max(2_000).optional(),
    /** The document's text, JSON or YAML. */
    document: z.string().min(1).max(MAX_DOCUMENT_BYTES).optional(),
    operations: z.array(z.string().min(1).max(500)).min(1).max(200).optional(),
    server: z.url().max(2_000).optional(),
    auth: z.strictObject({ header: z.string().trim().min(1).max(100), secret: newSecret(5_000) }).optional(),
  })
  .refine(({ url, document }) => (url === undefined) !== (document === undefined), {
    path: ["url"],
    message: "Give the address of a document or its text.",
  });
export type ImportOpenApiBody = z.output<typeof ImportOpenApiBody>;

/** What an operation becomes; `problem` says why it can't become a tool. */
const OpenApiOperation = z.object({
  /** Unique in the document: the operation's own id, or its method and path. */
  id: z.string(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  readOnly: z.boolean(),
  problem: z.string().optional(),
});

/** An operation with everything that its tool needs; `path` is appended to the server's address. */
export const ReadOperation = OpenApiOperation.extend({
  request: z
    .object({
      method: RequestMethod,
      path: z.string(),
      query: z.record(z.string(), z.string()),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.union([z.string(), z.record(z.string(), z.unknown())]).nullable(),
      arguments: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});
export type ReadOperation = z.infer<typeof ReadOperation>;

export const ReadDocument = z.object({
  title: z.string(),
  servers: z.array(z.string()),
  /** The header in which the document says that a secret is sent, and what stands before it. */
  auth: z.object({ header: z.string(), prefix: z.string() }).nullable(),
  operations: z.array(ReadOperation),
});
export type ReadDocument = z.infer<typeof ReadDocument>;

export const OpenApiPreview = ReadDocument.extend({ operations: z.array(OpenApiOperation) });
export type OpenApiPreview = z.infer<typeof OpenApiPreview>;

export const ImportedTools = z.object({
  tools: z.array(RequestTool),
  skipped: z.array(z.object({ id: z.string(), problem: z.string() })),
});
export type ImportedTools = z.infer<typeof ImportedTools>;
