import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { canTestPostgres, POSTGRES_ONLY, storeTests } from "./scripts/testing/store-tests.ts";

const NODE_TESTS = "{lib,app,prisma,scripts,bench}/**/*.test.ts";
const DOM_TESTS = "{components,app,lib/client}/**/*.test.tsx";

/** The tests that go through the store, again on Postgres. */
const postgres: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: "postgres",
    include: storeTests(),
    provide: { testDatabase: "postgresql" },
    globalSetup: ["./lib/testing/databases/postgres-template.ts"],
  },
};

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { "server-only": fileURLToPath(new URL("./node_modules/server-only/empty.js", import.meta.url)) },
  },
  test: {
    setupFiles: ["./lib/testing/setup/start-clean.ts", "./lib/testing/setup/fail-on-console-error.ts"],
    // Two fifths less work; start-clean.ts sees to it that files do not get in each other's way.
    isolate: false,
    env: { RINGMASTER_LOG_LEVEL: "silent" },
    maxWorkers: 3,
    // A second try, which npm test names: such a test is not steady, yet one of thousands should not hide what the rest says.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is polled comes within milliseconds; a machine with other work may take its time.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: [NODE_TESTS, "*.test.ts"],
          exclude: ["**/node_modules/**", POSTGRES_ONLY],
          provide: { testDatabase: "sqlite" },
          globalSetup: ["./lib/testing/databases/sqlite-template.ts"],
        },
      },
      ...(canTestPostgres() ? [postgres] : []),
      {
        extends: true,
        test: {
          name: "dom",
          include: [DOM_TESTS, "components/**/*.test.ts"],
          environment: "happy-dom",
          setupFiles: ["./lib/testing/setup/shared-window.ts"],
        },
      },
    ],
  },
});
