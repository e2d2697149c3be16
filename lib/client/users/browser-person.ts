/** What this browser keeps for the person who is signed in: drafts, unsent messages and files, choices. */
const PREFIX = "ringmaster-";
/** Whose these are; also tells the other tabs when that changes. */
const PERSON = "ringmaster-person";
const ATTACHED_DATABASE = "ringmaster-attached";

/**
 * Forgets all of it once somebody else signs in; called before anything of it is shown. What a person wrote before
 * their session expired is still there when they return.
 */
export function claimBrowser(personId: string): void {
  try {
    const before = localStorage.getItem(PERSON);
    if (before === personId) return;
    if (before !== null) forgetPerson();
    localStorage.setItem(PERSON, personId);
  } catch {
    // Storage is forbidden: nothing is kept either.
  }
}

/** Forgets everything kept for a person in this browser, as they sign out. */
export function forgetPerson(): void {
  for (const storage of [() => localStorage, () => sessionStorage]) clear(storage);
  try {
    indexedDB.deleteDatabase(ATTACHED_DATABASE);
  } catch {
    // Without IndexedDB no files are kept.
  }
  void closeNotifications().catch(() => undefined);
}

function clear(open: () => Storage): void {
  try {
    const storage = open();
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    for (const key of keys) if (key.startsWith(PREFIX)) storage.removeItem(key);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

/** What the service worker has shown of the person's runs. */
async function closeNotifications(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration("/sw.js");
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}

/**
 * Calls `leave` once the person has signed out in another tab, or somebody else has signed in there: this tab's own
 * memory of them is forgotten too. Returns a function that stops this.
 */
export function onPersonGone(personId: string, leave: () => void): () => void {
  const look = ({ key, newValue }: StorageEvent) => {
    // A null key: the person has cleared the browser's data.
    if (key !== PERSON || newValue === personId) return;
    clear(() => sessionStorage);
    leave();
  };
  window.addEventListener("storage", look);
  return () => window.removeEventListener("storage", look);
}
