import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { UploadBody } from "@/lib/schema/files/workspace-file";
import { MAX_UPLOAD_BYTES, readBody } from "@/lib/server/http/read-body";
import { parseInput } from "@/lib/server/http/reply";

/** A file from a JSON body `{path, content}` or a multipart one with `path` and `file`; at most 32 MB. */
export async function readUpload(request: Request): Promise<{ path: string; bytes: Uint8Array }> {
  const contentType = request.headers.get("content-type") ?? "";
  const body = await readBody(request, MAX_UPLOAD_BYTES);
  if (contentType.startsWith("multipart/form-data")) return readForm(body, contentType);
  const { path, content } = parseInput(UploadBody, parseJson(body), "body");
  return { path, bytes: new TextEncoder().encode(content) };
}

async function readForm(body: Uint8Array<ArrayBuffer>, contentType: string) {
  const form = await new Response(body, { headers: { "content-type": contentType } }).formData().catch((cause) => {
    throw new AppError("invalid_input", "The body is not valid multipart/form-data.", { cause });
  });
  const file = form.get("file");
  const path = form.get("path") ?? (file instanceof File ? file.name : null);
  if (!(file instanceof File) || typeof path !== "string" || path === "") {
    throw new AppError("invalid_input", "Send the form fields path and file.");
  }
  return { path, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError("invalid_input", "The body is not valid JSON in UTF-8.", { cause });
  }
}
