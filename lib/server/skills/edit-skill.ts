import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { SkillDetail, WriteSkillFileBody } from "@/lib/schema/skills/skill";
import type { Viewer } from "@/lib/schema/users/user";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { getSkillDetail } from "./get-skill";
import { decodeFile } from "./read-skill-upload";
import { findInstalled, type StoredSkillFile, saveSkill } from "./save-skill";
import { checkSkillPackage, hashSkillFiles, type UploadedSkillFile } from "./skill-package";
import { noSkill } from "./skill-row";

/** A change of one file; null removes it. */
interface FileEdit {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  /** The number of the version that the edit is based on. */
  readonly version: number;
}

/**
 * Writes a file of a skill as the next version. Throws `conflict` with the current version if another version has been
 * created since, `invalid_input` for anything an upload may not contain either. Identical content creates no new
 * version.
 */
export function writeSkillFile(
  services: Services,
  name: string,
  body: WriteSkillFileBody,
  viewer: Viewer,
): Promise<SkillDetail> {
  const { path, bytes } = decodeFile(body);
  return editSkill(services, name, { path, bytes, version: body.version }, viewer);
}

/** Removes a file of a skill; earlier versions keep it. Throws `not_found`. */
export function removeSkillFile(
  services: Services,
  name: string,
  edit: { readonly path: string; readonly version: number },
  viewer: Viewer,
): Promise<SkillDetail> {
  return editSkill(services, name, { ...edit, bytes: null }, viewer);
}

async function editSkill(services: Services, name: string, edit: FileEdit, viewer: Viewer): Promise<SkillDetail> {
  const { path, bytes, version } = edit;
  const before = await findInstalled(services.database, name);
  if (!before || before.isDeleted) throw noSkill(name);
  if (before.version !== version) throw await versionConflict(services.database, name);
  const { skill, files } = await applyEdit(
    services.database,
    name,
    await storedFiles(services.database, before.id, version),
    edit,
  );
  const contentHash = hashSkillFiles(files);
  if (contentHash === before.contentHash) return getSkillDetail(services.database, name);
  const next = version + 1;
  const details = { path, ...(bytes === null ? { removed: true } : {}) };
  try {
    await saveSkill(services, {
      skill,
      source: "edit",
      contentHash,
      files,
      version: next,
      before,
      viewerId: viewer.id,
      audit: { action: "skill.edited", details },
    });
  } catch (error) {
    throw error instanceof AppError && error.code === "conflict"
      ? await versionConflict(services.database, name)
      : error;
  }
  return getSkillDetail(services.database, name);
}

/** The skill after the edit, validated like an upload, with its files; the edited file is stored as a blob. */
async function applyEdit(
  database: Database,
  name: string,
  stored: readonly StoredSkillFile[],
  { path, bytes }: FileEdit,
) {
  if (bytes === null) requireRemovable(name, stored, path);
  const others = stored.filter((file) => file.path !== path);
  const edited = bytes === null ? [] : [{ path, bytes }];
  const skill = checkSkillPackage([...(await withBytes(database, others)), ...edited], name);
  if (skill.files.length < others.length + edited.length) throw new AppError("invalid_input", leftOut(path));
  refuseRenaming(name, skill.name);
  return { skill, files: [...others, ...(await Promise.all(edited.map((given) => store(database, given))))] };
}

function requireRemovable(name: string, stored: readonly StoredSkillFile[], path: string): void {
  if (!stored.some((file) => file.path === path)) throw new AppError("not_found", `${name} has no file ${path}.`);
  if (path === "SKILL.md") throw new AppError("invalid_input", NO_INSTRUCTIONS);
}

const NO_INSTRUCTIONS =
  "SKILL.md can't be removed: a skill is a folder with a SKILL.md at its top. Delete the skill instead.";

/** Uploads silently drop such files; an edit of one would be lost. */
function leftOut(path: string): string {
  return `${path} has the name of a file that an operating system leaves behind, which skills leave out. Choose another path.`;
}

function refuseRenaming(name: string, next: string): void {
  if (next === name) return;
  const message = `must stay ${name}: another name is another skill, which is uploaded as one`;
  throw new AppError("invalid_input", `SKILL.md: name ${message}.`, { details: [{ path: "content", message }] });
}

async function versionConflict(database: Database, name: string): Promise<AppError> {
  const current = await getSkillDetail(database, name);
  const message = `${name} is now at version ${current.version}. Compare yours with it, then save again.`;
  return new AppError("conflict", message, { details: { current } });
}

async function storedFiles(database: Database, skillId: string, number: number): Promise<StoredSkillFile[]> {
  const rows = await database.skillFile.findMany({ where: { skillId, number } });
  return rows.map(({ path, blobHash, sizeBytes }) => ({ path, hash: blobHash, sizeBytes }));
}

async function withBytes(database: Database, files: readonly StoredSkillFile[]): Promise<UploadedSkillFile[]> {
  const hashes = [...new Set(files.map(({ hash }) => hash))];
  const blobs = await database.blob.findMany({ where: { hash: { in: hashes } } });
  const contents = new Map(blobs.map(({ hash, content }) => [hash, new Uint8Array(content)]));
  return files.map(({ path, hash }) => ({ path, bytes: contents.get(hash) ?? new Uint8Array() }));
}

async function store(database: Database, { path, bytes }: UploadedSkillFile): Promise<StoredSkillFile> {
  return { path, hash: await storeBlob(database, bytes), sizeBytes: bytes.byteLength };
}
