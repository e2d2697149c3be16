import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const NODE_TESTS = "{lib,app,prisma,scripts,bench}/**/*.test.ts";
const DOM_TESTS = "{components,app,lib/client}/**/*.test.tsx";

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { "server-only": fileURLToPath(new URL("./lib/testing/empty-module.ts", import.meta.url)) },
  },
  test: {
    setupFiles: ["./lib/testing/fail-on-console-error.ts"],
    env: { RINGMASTER_LOG_LEVEL: "silent" },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: [NODE_TESTS, "*.test.ts"],
          globalSetup: ["./lib/testing/database-templates.ts"],
        },
      },
      {
        extends: true,
        test: { name: "dom", include: [DOM_TESTS, "components/**/*.test.ts"], environment: "happy-dom" },
      },
    ],
  },
});
