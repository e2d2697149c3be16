import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { RINGMASTER_URL = "http://localhost:3000", RINGMASTER_API_KEY = "" } = process.env;
const [tool, ...words] = process.argv.slice(2);

const terminal = createInterface({ input: stdin });
const lines = terminal[Symbol.asyncIterator]();

const client = new Client(
  { name: "ringmaster-example", version: "1.0.0" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
);

// A call that needs a person, or a question of the agent: each field of the form is asked for in the terminal.
client.setRequestHandler("elicitation/create", async ({ params }) => {
  if (!("requestedSchema" in params)) return { action: "decline" };
  console.log(`\n${params.message}`);
  const content: Record<string, string | number> = {};
  for (const [name, field] of Object.entries(params.requestedSchema.properties)) {
    const choices = "enum" in field ? ` (${field.enum?.join(" or ")})` : "";
    stdout.write(`${name}${choices}: `);
    const { value: given = "" } = await lines.next();
    if (given !== "") content[name] = field.type === "number" || field.type === "integer" ? Number(given) : given;
  }
  return { action: "accept", content };
});

const headers = { authorization: `Bearer ${RINGMASTER_API_KEY}` };
const transport = new StreamableHTTPClientTransport(new URL("/mcp", RINGMASTER_URL), { requestInit: { headers } });
await client.connect(transport).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

if (tool === undefined) {
  const { tools } = await client.listTools();
  for (const { name, description } of tools) console.log(`${name}: ${description}`);
} else {
  const { content, isError } = await client.callTool(
    { name: tool, arguments: { message: words.join(" ") } },
    { timeout: 3_600_000, onprogress: ({ message }) => console.error(message) },
  );
  for (const part of content) if (part.type === "text") console.log(part.text);
  process.exitCode = isError ? 1 : 0;
}
terminal.close();
await client.close();
