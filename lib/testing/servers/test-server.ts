import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Role, Scope } from "@/lib/schema/users/user";
import type { Route } from "@/lib/server/http/route";
import type { Database } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import type { Services } from "@/lib/server/platform/services";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { keepServices } from "@/lib/server/wiring/services";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";

const STATES = [
  "environment",
  "services",
  "logger",
  "secret-box",
  "known-secrets",
  "settings",
  "masks",
  "outgoing-webhooks",
  "user-time-zones",
];

/** How to call a route: `as` is one of the three people, a custom bearer key, or nobody. */
interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly params?: Record<string, string | string[]>;
  readonly body?: unknown;
  readonly as?: Role;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface TestServer {
  readonly services: Services;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  call(route: Route, call?: Call): Promise<Response>;
  /** Adds a key for a user; those of the three roles have the role as their id. */
  addKey(userId: string, scopes: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * The process's environment and database for tests of route handlers: an empty migrated database, three users
 * (`viewer`, `member`, `admin`) with a key each, `environment` as additional variables, `open` for another kind of
 * database. One at a time per process.
 */
export async function startTestServer(
  environment: Record<string, string> = {},
  open: () => Promise<TestDatabase> = createTestDatabase,
): Promise<TestServer> {
  const { database, url, close } = await open();
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "ringmaster-data-"));
  for (const name of STATES) forgetProcessState(name);
  const variables = {
    RINGMASTER_DATA_DIR: dataDirectory,
    DATABASE_URL: url,
    RINGMASTER_LOG_LEVEL: "silent",
    ...environment,
  };
  processState("environment", () => parseEnvironment(variables, dataDirectory));
  const services = keepServices(servicesOf(database));
  const keys = new Map<Role, string>();
  const addKey = async (userId: string, scopes: readonly Scope[]) => {
    const key = `rm_test_${crypto.randomUUID()}`;
    await database.apiKey.create({
      data: {
        id: `key_${crypto.randomUUID()}`,
        userId,
        name: userId,
        prefix: "rm_test_",
        sha256: hashKey(key),
        scopes: JSON.stringify(scopes),
      },
    });
    return key;
  };
  for (const role of ["viewer", "member", "admin"] as const) {
    await database.user.create({ data: { id: role, name: `The ${role}`, email: `${role}@example.test`, role } });
    keys.set(role, await addKey(role, ["admin"]));
  }
  return {
    services,
    database,
    databaseUrl: url,
    dataDirectory,
    addKey,
    call: (route, call = {}) => route(toRequest(call, keys), { params: Promise.resolve(call.params ?? {}) }),
    close: async () => {
      for (const name of STATES) forgetProcessState(name);
      await close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

function toRequest(
  { method, path: url = "/", body, as, key, headers, signal }: Call,
  keys: Map<Role, string>,
): Request {
  const bearer = key ?? (as ? keys.get(as) : undefined);
  return new Request(new URL(url, "http://127.0.0.1:3000"), {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...(bearer ? { authorization: `Bearer ${bearer}` } : {}), ...headers },
    signal,
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
}
