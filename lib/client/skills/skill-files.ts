/** A file that was chosen or dropped; `path` includes the folder it came in. */
export interface PickedFile {
  readonly path: string;
  readonly file: File;
}

const ARCHIVE = /\.(zip|skill)$/i;

/** The contents of a file or folder input. */
export function readPicked(files: Iterable<File>): PickedFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The dropped files, folders with all their contents. */
export async function readDropped(transfer: DataTransfer): Promise<PickedFile[]> {
  // The entries are gone after the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

/** One upload per skill: each archive separately, each folder separately, single files together. */
export function groupSkills(files: readonly PickedFile[]): PickedFile[][] {
  const groups = new Map<string, PickedFile[]>();
  for (const picked of files) {
    const [top = "", ...rest] = picked.path.split("/");
    const key = rest.length > 0 || ARCHIVE.test(top) ? top : "";
    groups.set(key, [...(groups.get(key) ?? []), picked]);
  }
  return [...groups.values()];
}

/** The body of POST `/api/skills`: an archive unchanged, otherwise a path for each file. */
export function toSkillForm(files: readonly PickedFile[]): FormData {
  const form = new FormData();
  const [only] = files;
  if (only && files.length === 1 && ARCHIVE.test(only.path)) {
    form.append("file", only.file);
    return form;
  }
  for (const { path, file } of files) {
    form.append("path", path);
    form.append("file", file);
  }
  return form;
}

async function readEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (isFolder(entry)) return (await Promise.all((await readFolder(entry)).map(readEntry))).flat();
  const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
  return [{ path: entry.fullPath.replace(/^\//, ""), file }];
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** A browser returns a folder's entries a hundred at a time. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}
