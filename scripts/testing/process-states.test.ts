import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What belongs to the process, not to the installation that it serves. */
const OF_THE_PROCESS = [
  // The holder of the services, for Next's second copy of each module.
  "services",
  // What the start script and the server that Next loads tell each other; the script has no services.
  ...["EXTENSION_LOADER", "start-context", "start-failure"],
  // Needed before there are services: to open the database, and to keep secrets out of the log until then.
  ...["environment", "secret-box", "generated-secrets", "known-secrets"],
  // The log and what it says once, the counters of `/metrics`, ids in order, the request that is being answered.
  ...["logger", "proxy-hint", "counters", "id-clock", "id-randomness", "request-context"],
  // The lock and the state of files, which the process has whether or not the database can be opened.
  ...["data-directory-locks", "rescued-databases", "database-damage"],
  // The signal to end.
  "run-lifecycle",
  // What the machine can do, the containers of this process, and what its document processes read, by content.
  ...["sandbox-probe", "docker-backend", "docker-probes", "document-texts", "document-turns"],
];

/**
 * What is still found by its name though it belongs to an installation: to be made with `serviceState`
 * (`lib/server/platform/services.ts`), like everything else that the parts of the server share. The list only gets
 * shorter.
 */
const FOUND_BY_NAME = [
  "agent-versions",
  "budget-rows",
  "extensions",
  "feed-revisions",
  "guard-default",
  "heard-topics",
  "masks",
  "memory-revision",
  "outgoing-webhooks",
  "run-signals",
  "settings",
  "span-buffers",
  "user-time-zones",
];

const USE = /\bprocessState(?:<[^"]*?>)?\(\s*(?:"([a-z-]+)"|([A-Z_]+)\b)/g;
const SERVICE_STATE = /\bserviceState(?:<[^"]*?>)?\(\s*"([a-z-]+)"/g;

test("nothing but what is listed is found by its name in the process", () => {
  const found = new Set(listSources().flatMap((file) => namesIn(readFileSync(file, "utf8"))));
  expect([...found].toSorted()).toEqual([...OF_THE_PROCESS, ...FOUND_BY_NAME].toSorted());
});

test("no two states of the services have the same name", () => {
  const names = listSources().flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(SERVICE_STATE)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("a name is seen whatever type it has", () => {
  expect(namesIn('const a = processState("a-b", () => 1); processState<Map<string, X> | null>(\n  "c",')).toEqual([
    "a-b",
    "c",
  ]);
  expect(namesIn("processState<Loader | null>(LOADER, () => null)")).toEqual(["LOADER"]);
});

function namesIn(text: string): string[] {
  return [...text.matchAll(USE)].map(([, name, constant]) => name ?? constant ?? "");
}

function listSources(): string[] {
  return ["lib/server", "scripts", "app"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
    )
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes("/generated/"));
}
