// npm gives the user of a package the newest versions of what its dependencies want. With npm-shrinkwrap.json beside the
// manifest it installs those that the tests ran with; but not from a file, where only the manifest counts. So that names
// the exact versions too, of all packages that are there once.
import path from "node:path";
import { z } from "zod";

const Versions = z.record(z.string(), z.string()).default({});
const Entry = z.looseObject({
  version: z.string(),
  dependencies: Versions,
  optionalDependencies: Versions,
  peerDependencies: Versions,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
});
type Entry = z.infer<typeof Entry>;

/** The parts of package-lock.json that count here: what is where, by path from the manifest. */
export const Lock = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })),
});
type Lock = z.infer<typeof Lock>;

/** How a package is in this tree follows from its other dependents too, which a release does not have. */
const OF_THE_WHOLE = ["dev", "devOptional", "optional", "peer", "license", "funding"];

const FOLDER = "node_modules/";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * What npm-shrinkwrap.json has to contain for a package of this manifest: all that its dependencies need, where the lock
 * has it, also for other platforms. Its first entry is what the manifest has to name. Throws if the lock lacks something.
 */
export function pinDependencies(lock: Lock, { name, version, dependencies: direct }: Manifest) {
  const names = Object.keys(direct);
  const all = placesOf(lock, names, (entry) => ({ ...entry.dependencies, ...entry.optionalDependencies }));
  // npm lists what is optional among the dependencies too.
  const required = placesOf(lock, names, (entry) =>
    Object.fromEntries(Object.entries(entry.dependencies).filter(([key]) => !(key in entry.optionalDependencies))),
  );
  const places = [...all].toSorted();
  const dependencies = versionsOf(
    lock,
    places.filter((place) => required.has(place)),
  );
  const optionalDependencies = versionsOf(
    lock,
    places.filter((place) => !required.has(place)),
  );
  const entries = places.map((place) => [place, entryOf(lock, place, !required.has(place))] as const);
  const root = { name, version, dependencies, optionalDependencies };
  return { name, version, lockfileVersion: 3, requires: true, packages: { "": root, ...Object.fromEntries(entries) } };
}

/** By name, of those that are not inside another package. */
function versionsOf({ packages }: Lock, places: readonly string[]): Record<string, string> {
  const outer = places.filter((place) => place.lastIndexOf(FOLDER) === 0);
  return Object.fromEntries(outer.map((place) => [place.slice(FOLDER.length), packages[place]?.version ?? ""]));
}

function entryOf({ packages }: Lock, place: string, isOptional: boolean) {
  const kept = Object.entries(packages[place] ?? {}).filter(([key]) => !OF_THE_WHOLE.includes(key));
  return { ...Object.fromEntries(kept), ...(isOptional ? { optional: true } : {}) };
}

/** The places of `names` and of all that these need: `needs` says what an entry needs besides its peers. */
function placesOf(
  lock: Lock,
  names: readonly string[],
  needs: (entry: Entry) => Readonly<Record<string, string>>,
): Set<string> {
  const found = new Set<string>();
  const queue = names.map((name) => findPlace(lock, "", name));
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    const from = place;
    const entry = Entry.parse(lock.packages[place]);
    queue.push(...[...Object.keys(needs(entry)), ...requiredPeers(entry)].map((name) => findPlace(lock, from, name)));
  }
  return found;
}

function requiredPeers({ peerDependencies, peerDependenciesMeta }: Entry): string[] {
  return Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
}

/** Where Node finds the package `name` from a file of the package at `from`. */
function findPlace({ packages }: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const place = path.posix.join(folder === "." ? "" : folder, "node_modules", name);
    if (Object.hasOwn(packages, place)) return place;
    if (folder === "" || folder === ".")
      throw new Error(`package-lock.json lacks ${name}, which ${from || "the release"} needs.`);
  }
}
