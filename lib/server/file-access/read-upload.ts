import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { UploadBody } from "@/lib/schema/files/workspace-file";
import { MAX_UPLOAD_BYTES, readForm, readJson } from "@/lib/server/http/read-body";
import { parseInput } from "@/lib/server/http/reply";

/** Only two are needed. */
const MAX_FORM_FIELDS = 10;
/** What a form may add to its file: the path, and what separates them. */
const MAX_FORM_EXTRA_BYTES = 65_536;

/** A file from a JSON body `{path, content}` or a multipart body with `path` and `file`; at most 32 MB. */
export async function readUpload(request: Request): Promise<{ path: string; bytes: Uint8Array }> {
  if (request.headers.get("content-type")?.startsWith("multipart/form-data")) return readFileForm(request);
  const { path, content } = parseInput(UploadBody, await readJson(request, MAX_UPLOAD_BYTES), "body");
  return { path, bytes: new TextEncoder().encode(content) };
}

async function readFileForm(request: Request) {
  const form = await readForm(request, MAX_UPLOAD_BYTES + MAX_FORM_EXTRA_BYTES, MAX_FORM_FIELDS).catch(explainRefusal);
  const file = form.get("file");
  const path = form.get("path") ?? (file instanceof File ? file.name : null);
  if (!(file instanceof File) || typeof path !== "string" || path === "") {
    throw new AppError("invalid_input", "Send the form fields path and file.");
  }
  if (file.size > MAX_UPLOAD_BYTES) throw tooLarge();
  return { path, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function explainRefusal(error: unknown): never {
  throw error instanceof AppError && error.code === "payload_too_large" ? tooLarge() : error;
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", `The file is larger than ${MAX_UPLOAD_BYTES / 2 ** 20} MB.`);
}
