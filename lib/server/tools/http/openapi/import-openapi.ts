import "server-only";
import { AppError } from "@/lib/schema/app-error";
import {
  type ImportedTools,
  type ImportOpenApiBody,
  type OpenApiPreview,
  ReadDocument,
  type ReadOperation,
} from "@/lib/schema/tools/openapi-import";
import type { CreateRequestToolBody, RequestHeader } from "@/lib/schema/tools/request-tool";
import type { Viewer } from "@/lib/schema/users/user";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import { askDocumentProcess } from "@/lib/server/files/documents/document-process";
import { env } from "@/lib/server/platform/env";
import { OutgoingRequestRefused, safeFetch } from "@/lib/server/platform/safe-fetch";
import type { Services } from "@/lib/server/platform/services";
import { createRequestTool } from "@/lib/server/tools/http/save-request-tool";

const MAX_DOCUMENT_BYTES = 32 * 2 ** 20;
const FETCH_TIMEOUT_MS = 30_000;

/** What the document offers; makes nothing. Throws `invalid_input` for one that can't be read. */
export async function previewOpenApi(body: ImportOpenApiBody, signal: AbortSignal): Promise<OpenApiPreview> {
  const document = await readDocument(body, signal);
  return { ...document, operations: document.operations.map(({ request: _, ...operation }) => operation) };
}

/**
 * Makes a tool of each chosen operation. One that can't be made is `skipped` with its reason and stops no other. Throws
 * `invalid_input` for a document that can't be read and without an address to call.
 */
export async function importOperations(
  services: Services,
  body: ImportOpenApiBody & { readonly operations: readonly string[] },
  viewer: Viewer,
  signal: AbortSignal,
): Promise<ImportedTools> {
  const document = await readDocument(body, signal);
  const server = body.server ?? document.servers[0];
  if (server === undefined) {
    throw refuse("server", "The document names no address that can be called. Enter the address of the service.");
  }
  const tools: ImportedTools["tools"] = [];
  const skipped: ImportedTools["skipped"] = [];
  for (const id of new Set(body.operations)) {
    const operation = document.operations.find((one) => one.id === id);
    if (!operation?.request) {
      skipped.push({ id, problem: operation?.problem ?? "The document has no such operation." });
      continue;
    }
    try {
      tools.push(await createRequestTool(services, toolOf(operation, operation.request, { ...body, server }), viewer));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      skipped.push({ id, problem: problemOf(operation.name, error) });
    }
  }
  return { tools, skipped };
}

/** The name is the document's, and an import has no field for it: what can be done about one that is taken. */
function problemOf(name: string, { code, message, details }: AppError): string {
  if (code === "conflict")
    return `There is already a tool "${name}". Delete it first, or make this one with New HTTP tool under another name.`;
  const isOfName = Array.isArray(details) && details.some((problem) => problem.path === "name");
  if (isOfName) return `"${name}" is the name of a built-in tool. Make this one with New HTTP tool under another name.`;
  return message;
}

function toolOf(
  { name, summary, method, path, readOnly }: ReadOperation,
  { path: filledPath, headers, ...request }: NonNullable<ReadOperation["request"]>,
  { server, auth }: Pick<ImportOpenApiBody, "auth"> & { readonly server: string },
): CreateRequestToolBody {
  const secret: RequestHeader[] = auth ? [{ name: auth.header, secret: auth.secret }] : [];
  return {
    name,
    description: summary === "" ? `${method} ${path}` : summary,
    ...request,
    url: `${server.replace(/\/$/, "")}/${filledPath.replace(/^\//, "")}`,
    headers: [...headers, ...secret],
    result: null,
    readOnly,
    timeoutMs: 30_000,
  };
}

async function readDocument({ url, document }: ImportOpenApiBody, signal: AbortSignal): Promise<ReadDocument> {
  const text = document ?? (await fetchDocument(url ?? "", signal));
  try {
    const reply = await askDocumentProcess({
      worker: "lib/server/tools/http/openapi/openapi-worker",
      words: [url ?? ""],
      bytes: Buffer.from(text),
      signal,
    });
    return ReadDocument.parse(reply);
  } catch (error) {
    if (error instanceof DocumentRefused) throw refuse(url === undefined ? "document" : "url", error.message);
    throw error;
  }
}

async function fetchDocument(url: string, signal: AbortSignal): Promise<string> {
  try {
    const { status, text } = await safeFetch(url, {
      allowedPrivateHosts: env().allowedPrivateHosts,
      method: "GET",
      headers: { accept: "application/json, application/yaml, text/yaml, */*;q=0.5" },
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_DOCUMENT_BYTES,
      signal,
    });
    if (status === 200) return text;
    throw refuse("url", `The address answered with HTTP status ${status}.`);
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) throw refuse("url", error.message);
    throw error;
  }
}

function refuse(path: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path, message }] });
}
