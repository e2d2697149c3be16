// A real MCP server of the revision 2026-07-28 over its input and output. The argument says what it does with clients of
// the revisions before: "serve" or "reject".
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { currentProtocolServer } from "@/lib/testing/servers/mcp/current-mcp-server";

const legacy = process.argv[2] === "serve" ? "serve" : "reject";
serveStdio(() => currentProtocolServer(new Map(), new Map()), { legacy });
