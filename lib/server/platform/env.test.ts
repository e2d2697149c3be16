import { describe, expect, test } from "vitest";
import { EnvironmentError, env, parseEnvironment } from "./env";
import { forgetProcessState } from "./process-state";

const parse = (source: Record<string, string>) => parseEnvironment(source, "/srv/app");

describe("parseEnvironment", () => {
  test("gives the documented defaults for an empty environment", () => {
    expect(parse({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      dataDirectory: "/srv/app/data",
      databaseUrl: "file:/srv/app/data/ringmaster.db",
      publicUrl: "http://127.0.0.1:3000",
      secrets: [],
      adminApiKey: null,
      traceVerbose: false,
      logLevel: "info",
    });
  });

  test("puts the database file into the data directory", () => {
    expect(parse({ RINGMASTER_DATA_DIR: "/var/lib/rm" }).databaseUrl).toBe("file:/var/lib/rm/ringmaster.db");
  });

  test("makes a relative database file absolute and leaves a Postgres address alone", () => {
    expect(parse({ DATABASE_URL: "file:./x.db" }).databaseUrl).toBe("file:/srv/app/x.db");
    expect(parse({ DATABASE_URL: "postgresql://u:p@h/d" }).databaseUrl).toBe("postgresql://u:p@h/d");
  });

  test("takes addresses and networks as trusted proxies, and nothing else", () => {
    const { trustedProxies } = parse({ RINGMASTER_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8, fd00::/8" });
    expect(trustedProxies).toEqual(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]);
    for (const wrong of ["proxy.example", "10.0.0.0/33", "*"]) {
      expect(() => parse({ RINGMASTER_TRUSTED_PROXIES: wrong })).toThrow(/RINGMASTER_TRUSTED_PROXIES.*10\.0\.0\.0\/8/);
    }
  });

  test("a role other than all needs Postgres, and numbers of runs are whole", () => {
    expect(parse({})).toMatchObject({ role: "all", workerSlots: 128, maxRunsPerUser: 20, maxQueued: 10_000 });
    const postgres = { DATABASE_URL: "postgresql://u:p@h/d" };
    expect(parse({ ...postgres, RINGMASTER_ROLE: "worker", RINGMASTER_WORKER_SLOTS: "8" })).toMatchObject({
      role: "worker",
      workerSlots: 8,
    });
    for (const role of ["web", "worker"]) expect(() => parse({ RINGMASTER_ROLE: role })).toThrow(/needs Postgres/);
    expect(() => parse({ ...postgres, RINGMASTER_ROLE: "boss" })).toThrow(
      "RINGMASTER_ROLE must be all, web or worker.",
    );
    expect(() => parse({ RINGMASTER_MAX_QUEUED: "0" })).toThrow(/RINGMASTER_MAX_QUEUED must be a whole number/);
  });

  test("a process has at least one connection to Postgres for each of its users", () => {
    expect(parse({}).databaseConnections).toBeNull();
    expect(parse({ RINGMASTER_DB_CONNECTIONS: "12" }).databaseConnections).toBe(12);
    for (const wrong of ["2", "0", "many"]) {
      expect(() => parse({ RINGMASTER_DB_CONNECTIONS: wrong })).toThrow(/RINGMASTER_DB_CONNECTIONS must be/);
    }
  });

  test("keeps each kind of data for its time, which a list can change", () => {
    const dayMs = 86_400_000;
    const { retention } = parse({ RINGMASTER_RETENTION: "traces = 2w, audit=never" });
    const unchanged = { events: dayMs, deletedThreads: 30 * dayMs, threads: null, fileVersions: null };
    expect(retention).toEqual({ ...unchanged, traces: 14 * dayMs, audit: null });
    for (const wrong of ["traces", "traces=30", "logs=30d", "traces=-1d", "toString=1d"]) {
      expect(() => parse({ RINGMASTER_RETENTION: wrong })).toThrow(/RINGMASTER_RETENTION must be a list such as/);
    }
  });

  test("reads several secrets, newest first", () => {
    const secrets = parse({ RINGMASTER_SECRET: `${"n".repeat(32)}, ${"o".repeat(32)}` }).secrets;
    expect(secrets).toEqual(["n".repeat(32), "o".repeat(32)]);
  });

  test("enables a provider by its variable", () => {
    const { providers } = parse({ OPENAI_API_KEY: "sk-x", OLLAMA_BASE_URL: "http://127.0.0.1:11434/v1" });
    expect(providers.openai).toEqual({ apiKey: "sk-x", baseUrl: null });
    expect(providers.ollama).toEqual({ apiKey: null, baseUrl: "http://127.0.0.1:11434/v1" });
    expect(providers.anthropic).toBeNull();
  });

  test("treats an empty variable as not set", () => {
    expect(parse({ RINGMASTER_ADMIN_API_KEY: "", PORT: " ", OPENAI_API_KEY: "" })).toMatchObject({
      adminApiKey: null,
      port: 3000,
      providers: { openai: null },
    });
  });

  test("strips the path of the public address", () => {
    expect(parse({ RINGMASTER_PUBLIC_URL: "https://agents.example.org/x/" }).publicUrl).toBe(
      "https://agents.example.org",
    );
  });

  test("knows a server that listens everywhere by an address that works from elsewhere", () => {
    const shared = { netmask: "255.255.255.0", family: "IPv4" as const, mac: "", cidr: null };
    const networks = {
      lo: [{ ...shared, address: "127.0.0.1", internal: true }],
      eth0: [{ ...shared, address: "192.0.2.2", internal: false }],
    };
    const publicUrl = (HOST: string) => parseEnvironment({ HOST }, "/srv/app", networks).publicUrl;
    expect(publicUrl("0.0.0.0")).toBe("http://192.0.2.2:3000");
    expect(publicUrl("::")).toBe("http://192.0.2.2:3000");
    expect(publicUrl("127.0.0.1")).toBe("http://127.0.0.1:3000");
    expect(parse({ HOST: "0.0.0.0" }).publicUrl).toBe("http://localhost:3000");
  });

  test("is frozen at every level", () => {
    expect(Object.isFrozen(parse({ OPENAI_API_KEY: "sk-x" }).providers.openai)).toBe(true);
  });

  test.each([
    ["RINGMASTER_ADMIN_API_KEY", "x".repeat(23), "at least 24 characters"],
    ["RINGMASTER_SECRET", "short", "at least 16 characters"],
    ["PORT", "70000", "port number"],
    ["PORT", "0x10", "port number"],
    ["DATABASE_URL", "mysql://x", "postgresql://"],
    ["RINGMASTER_PUBLIC_URL", "javascript:alert(1)", "http:// or https://"],
    ["RINGMASTER_ALLOWED_PRIVATE_HOSTS", "localhost", "host:port"],
    ["RINGMASTER_DEFAULT_MODEL", "gpt", "provider:model"],
  ])("refuses %s=%s, naming it but not its value", (name, value, reason) => {
    const failure = catchError(() => parse({ [name]: value }));
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(failure.message).toContain(name);
    expect(failure.message).toContain(reason);
    if (name.includes("KEY") || name.includes("SECRET")) expect(failure.message).not.toContain(value);
  });
});

describe("env", () => {
  test("deletes secrets from the process environment and remembers them", () => {
    process.env.RINGMASTER_ADMIN_API_KEY = "k".repeat(24);
    forgetProcessState("environment");
    expect(env().adminApiKey).toBe("k".repeat(24));
    expect(process.env.RINGMASTER_ADMIN_API_KEY).toBeUndefined();
    expect(env().adminApiKey).toBe("k".repeat(24));
    forgetProcessState("environment");
  });
});

function catchError(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
