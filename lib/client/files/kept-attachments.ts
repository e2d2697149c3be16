/** Files that were attached and not sent yet, in this browser's IndexedDB: a reload must not lose them. */
const DATABASE = "ringmaster-attached";
const STORE = "files";
const KEPT_DAYS = 7;

interface KeptFile {
  readonly id: string;
  /** The thread, or whose start page, as for drafts. */
  readonly place: string;
  readonly file: File;
  readonly keptAtMs: number;
}

const ids = new WeakMap<File, string>();
let lastKeptAtMs = 0;

export async function keepFile(place: string, { id, file }: Pick<KeptFile, "id" | "file">): Promise<void> {
  ids.set(file, id);
  // Files attached together within a millisecond keep their order.
  lastKeptAtMs = Math.max(Date.now(), lastKeptAtMs + 1);
  const keptAtMs = lastKeptAtMs;
  await change((store) => store.put({ id, place, file, keptAtMs } satisfies KeptFile));
}

/** The files attached there, in order; those older than a week are deleted. */
export async function keptFiles(place: string): Promise<Pick<KeptFile, "id" | "file">[]> {
  const all: KeptFile[] = await change((store) => store.getAll());
  const old = all.filter(({ keptAtMs }) => keptAtMs < Date.now() - KEPT_DAYS * 86_400_000);
  await forgetIds(old.map(({ id }) => id));
  const own = all.filter((kept) => kept.place === place && !old.includes(kept));
  for (const { id, file } of own) ids.set(file, id);
  return own.toSorted((one, other) => one.keptAtMs - other.keptAtMs).map(({ id, file }) => ({ id, file }));
}

/** The server has them, or they are no longer wanted. */
export async function forgetFiles(files: readonly File[]): Promise<void> {
  await forgetIds(files.flatMap((file) => ids.get(file) ?? []));
}

async function forgetIds(gone: readonly string[]): Promise<void> {
  for (const id of gone) await change((store) => store.delete(id));
}

async function change<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, "readwrite");
    const request = work(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
