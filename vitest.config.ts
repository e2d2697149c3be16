import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { "server-only": new URL("./lib/testing/empty-module.ts", import.meta.url).pathname },
  },
  test: {
    setupFiles: ["./lib/testing/fail-on-console-error.ts"],
    projects: [
      { extends: true, test: { name: "node", include: ["{lib,app,prisma,scripts}/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "dom", include: ["{components,lib/client}/**/*.test.tsx"], environment: "happy-dom" },
      },
    ],
  },
});
