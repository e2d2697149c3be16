import { AppError } from "@/lib/schema/app-error";
import { InstallSkillBody, SKILL_LIMITS, type SkillSource } from "@/lib/schema/skills/skill";
import { MAX_UPLOAD_BYTES, readBody, readForm, readJson } from "@/lib/server/http/read-body";
import { parseInput } from "@/lib/server/http/reply";
import { readZip } from "./read-zip";
import type { UploadedSkillFile } from "./skill-package";

/** The upload, unpacked but not yet checked. */
export interface SkillUpload {
  readonly source: SkillSource;
  readonly files: readonly UploadedSkillFile[];
  /** The archive's name without its extension. */
  readonly fallbackName: string | null;
  /** The name required by the request, if any. */
  readonly name?: string | undefined;
}

/**
 * A skill from a request of at most 32 MB: a zip archive (`application/zip`, or the form field `file` alone), a folder
 * (form fields `path` and `file`, repeated, in the same order), or JSON `{files: [{path, content}]}`.
 */
export async function readSkillUpload(request: Request): Promise<SkillUpload> {
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.startsWith("multipart/form-data")) return readSkillForm(request);
  if (/^application\/(zip|x-zip-compressed|octet-stream)\b/.test(contentType)) {
    const files = await readZip(await readBody(request, MAX_UPLOAD_BYTES));
    return { source: "zip", files, fallbackName: null };
  }
  const { name, files } = parseInput(InstallSkillBody, await readJson(request, MAX_UPLOAD_BYTES), "body");
  return { source: "json", files: files.map(decodeFile), fallbackName: name ?? null, name };
}

/** Two fields per file plus slack, so that `checkSkillPackage` refuses too many files with a clear message. */
const MAX_FORM_FIELDS = 4 * SKILL_LIMITS.files;

async function readSkillForm(request: Request): Promise<SkillUpload> {
  const form = await readForm(request, MAX_UPLOAD_BYTES, MAX_FORM_FIELDS);
  const files = form.getAll("file").filter((value) => value instanceof File);
  const paths = form.getAll("path").filter((value) => typeof value === "string");
  const [only] = files;
  if (only && files.length === 1 && paths.length === 0) return readArchive(only);
  if (files.length === 0 || files.length !== paths.length) {
    throw new AppError("invalid_input", "Send a zip archive as file, or a folder as one path and one file per file.");
  }
  return {
    source: "folder",
    files: await Promise.all(files.map((file, at) => readPart(file, paths[at]))),
    fallbackName: null,
  };
}

async function readArchive(file: File): Promise<SkillUpload> {
  const files = await readZip(new Uint8Array(await file.arrayBuffer()));
  return { source: "zip", files, fallbackName: file.name.replace(/\.(zip|skill)$/i, "") };
}

async function readPart(file: File, path = ""): Promise<UploadedSkillFile> {
  return { path, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** A file of a JSON body as bytes. Throws `invalid_input` for invalid base64. */
export function decodeFile({ path, content, encoding }: InstallSkillBody["files"][number]): UploadedSkillFile {
  if (encoding === "utf8") return { path, bytes: new TextEncoder().encode(content) };
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(content)) {
    throw new AppError("invalid_input", `The content of ${path} is not base64.`);
  }
  return { path, bytes: new Uint8Array(Buffer.from(content, "base64")) };
}
