import "server-only";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import { type DryRun, DryRunBody } from "@/lib/schema/settings/backup";
import { MAX_UPLOAD_BYTES, readBody } from "@/lib/server/http/read-body";
import { parseInput } from "@/lib/server/http/reply";
import { tryRestore } from "./try-restore";

/** The first byte of every gzip file. */
const GZIP = 0x1f;

/** A dry run of the archive at `{path}`, or of the body itself, which may have up to 32 MB. */
export async function readDryRun(request: Request): Promise<DryRun> {
  const bytes = await readBody(request, MAX_UPLOAD_BYTES);
  if (bytes[0] !== GZIP) return tryRestore(parseInput(DryRunBody, readJsonText(bytes), "body").path);
  const folder = await mkdtemp(path.join(tmpdir(), "ringmaster-upload-"));
  try {
    const file = path.join(folder, "upload.tar.gz");
    await writeFile(file, bytes, { mode: 0o600 });
    return await tryRestore(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readJsonText(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const message = 'Send {"path": "/…"}, or a .tar.gz as the body.';
    throw new AppError("invalid_input", message, { cause: error });
  }
}
