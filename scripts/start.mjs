// npm start, npm run dev. This file may contain only what an old Node understands.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Ringmaster needs Node 22.18 or newer; this is ${process.version} (${process.execPath}).\n` +
      `Start it with "npm start": after "npm ci" that brings its own Node 24.\n`,
  );
  process.exit(1);
}

await import("./resolve-imports.ts");
const { serve } = await import("./server/serve.ts");
await serve({
  isDevelopment: process.argv.includes("--dev"),
  withoutBackup: process.argv.includes("--without-backup"),
});
