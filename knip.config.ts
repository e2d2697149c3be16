import type { KnipConfig } from "knip";

// `knip` tells what nothing uses; `knip --production` what only tests use. A test may look into a file: what the file
// itself uses may be exported for it, and what exists for tests with good reason is marked @internal.
const isProduction = process.argv.includes("--production");

const config: KnipConfig = {
  entry: [
    "scripts/backup/{backup,restore}.ts!",
    "scripts/ringmaster/ringmaster.ts!",
    "scripts/generate/generate.ts!",
    "scripts/release/pack-release.ts!",
    "scripts/testing/{run-checks,run-journeys}.ts!",
    "scripts/database/database.ts!",
    "scripts/testing/outside-errors-reporter.ts!",
    // Loaded before a program, by name.
    "scripts/testing/killing/{kill-at-statement,postgres,sqlite}.ts",
    "scripts/git-hooks/check-subject.ts!",
    "scripts/extensions/{register-ringmaster,reload-extensions,run-extension-tests}.ts!",
    // What programs import as "ringmaster/client".
    "lib/api-client/ringmaster-client.ts!",
    // What extensions import as "ringmaster" and "ringmaster/testing".
    "lib/sdk/{ringmaster,testing}.ts!",
    "prisma/schema-engine.ts!",
    // A thread, started by the name of its file.
    "lib/workspaces/search-worker.ts!",
    "lib/server/agents/hooks/trial/trial-worker.ts!",
    "lib/server/files/documents/document-worker.ts!",
    "lib/server/triggers/channels/email/mail-worker.ts!",
    "lib/server/files/pages/page-worker.ts!",
    "lib/server/tools/http/openapi/openapi-worker.ts!",
    // Started as processes of their own.
    "scripts/server/check-file.ts!",
    "bench/triggers/server-process.ts",
    "lib/testing/processes/{approval-host,asking-child-host,connecting-host,container-owner,killable-board,killable-channel,killable-creation,killable-delivery,killable-host,killable-parent,killable-poison,killable-steered,killable-trigger,log-to-full-disk,remote-host}.ts",
    "lib/testing/processes/{mcp,spending,traces}/*.ts",
  ],
  project: [
    "{app,components,lib,prisma}/**/*.{ts,tsx,css}!",
    "scripts/**/*.{ts,mjs}!",
    "*.{ts,mjs}!",
    "!lib/testing/**!",
    "!scripts/{testing,screenshots}/**!",
    "{bench,e2e}/**/*.{ts,mjs}",
    "!bench/peers/**",
  ],
  // Mermaid's bundle is sent to browsers as a file, app/fonts.ts reads the fonts as files, @sparticuz/chromium is in
  // e2e/package.json, and the MCP servers are programs that tests start by their files; recheck is loaded in its version
  // without programs.
  ignoreDependencies: [
    "@fontsource-variable/geist",
    "@mermaid-js/tiny",
    "geist",
    "@sparticuz/chromium",
    "recheck",
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/server-filesystem",
    "@modelcontextprotocol/server-memory",
    "@modelcontextprotocol/server-sequential-thinking",
  ],
  ignoreBinaries: [
    "awk",
    "bwrap",
    "dovecot",
    "ldd",
    "mkfifo",
    "mount",
    "pg_restore",
    "podman",
    "prometheus",
    "promtool",
    "systemd-analyze",
    "umount",
  ],
  ignoreExportsUsedInFile: isProduction,
};

export default config;
