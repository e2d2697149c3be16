import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/**
 * What is still found by its name, whoever asks. Everything else that the parts of the server share is handed on in
 * `Services` (`lib/server/platform/services.ts`): the list only gets shorter.
 */
const FOUND_BY_NAME = [
  "services",
  "EXTENSION_LOADER",
  "agent-versions",
  "backup",
  "better-auth",
  "budget-rows",
  "change-watches",
  "channel-changes",
  "channel-holder",
  "channel-typing",
  "counters",
  "data-directory-locks",
  "database-damage",
  "docker-backend",
  "docker-probes",
  "document-texts",
  "document-turns",
  "environment",
  "extensions",
  "feed-revisions",
  "generated-secrets",
  "guard-default",
  "heard-topics",
  "id-clock",
  "id-randomness",
  "job-senders",
  "known-secrets",
  "linked-people",
  "logger",
  "masks",
  "mcp-held-calls",
  "mcp-pool",
  "mcp-revisions",
  "mcp-token-lock",
  "memory-blames",
  "memory-indexes",
  "memory-revision",
  "memory-sizes",
  "message-pictures",
  "model-registry",
  "notification-choices",
  "oidc-arrivals",
  "oidc-auth",
  "open-event-streams",
  "openapi-document",
  "otlp-collector",
  "outgoing-webhooks",
  "proxy-hint",
  "rate-limits",
  "request-context",
  "rescued-databases",
  "run-dispatchers",
  "run-host",
  "run-lifecycle",
  "run-signals",
  "sandbox-probe",
  "secret-box",
  "service-user",
  "settings",
  "skill-folders",
  "span-buffers",
  "start-context",
  "start-failure",
  "storage",
  "stream-admissions",
  "stream-checks",
  "user-time-zones",
];

const USE = /\bprocessState(?:<[^"]*?>)?\(\s*(?:"([a-z-]+)"|([A-Z_]+)\b)/g;

test("nothing but what is listed is found by its name in the process", () => {
  const found = new Set(listSources().flatMap((file) => namesIn(readFileSync(file, "utf8"))));
  expect([...found].toSorted()).toEqual(FOUND_BY_NAME.toSorted());
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
