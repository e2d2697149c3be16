import type { McpServerRow } from "@/lib/server/tools/mcp/server-row";
import { withoutDatabase } from "@/lib/testing/databases/services-of";

// Starts a program as an MCP server, reports that, and runs until it is killed. `mark` is on the program's command
// line.
const [script = "", mark = "", unsandboxed = ""] = process.argv.slice(2);
process.env.RINGMASTER_ALLOW_STDIO_MCP = "1";
const { connectMcp } = await import("@/lib/server/tools/mcp/connect");
const row = {
  id: "own",
  transport: "stdio",
  command: process.execPath,
  args: JSON.stringify([script, "stdio", mark]),
  mounts: JSON.stringify([{ path: process.cwd(), readOnly: true }]),
  unsandboxed: unsandboxed === "unsandboxed",
  network: false,
  secretsEncrypted: null,
  createdAt: new Date(),
  revision: 1,
  facts: null,
} as McpServerRow;
await connectMcp(withoutDatabase, row);
process.stdout.write("connected\n");
setInterval(() => undefined, 60_000);
