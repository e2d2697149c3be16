// Programs that speak the protocol over their input and output as none should.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, expect, test } from "vitest";
import { createStdioTransport, type StdioTransport } from "@/lib/server/tools/mcp/stdio-transport";

/** Answers each request by `send`, which `more` may replace. */
const PROGRAM = `
  let send = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } },
    "tools/call": { content: [{ type: "text", text: "ORDER 4 SHIPPED" }] },
  };
  let answer = ({ id, method }) => send({ jsonrpc: "2.0", id, result: results[method] ?? {} });
  let input = "";
  const read = (chunk) => {
    input += chunk;
    const lines = input.split("\\n");
    input = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) if (message.id !== undefined) answer(message);
  };
  process.stdin.on("data", read);
`;

let transport: StdioTransport | undefined;
let client: Client | undefined;
afterEach(() => client?.close());

async function connect(more: string): Promise<Client> {
  transport = createStdioTransport([process.execPath, "-e", PROGRAM + more], {});
  client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(transport, { timeout: 20_000 });
  return client;
}

const order = async (connected: Client) => {
  const request = { method: "tools/call", params: { name: "order", arguments: {} } };
  return JSON.stringify(await connected.request(request, ResultSchema, { timeout: 20_000 }));
};

test.each<[string, string]>([
  [
    "lines of a log between its messages",
    `const first = send; send = (m) => { console.log("[info] ok {"); first(m); };`,
  ],
  ["a log on its error output", `for (let line = 0; line < 20000; line += 1) console.error("x".repeat(100));`],
  ["a megabyte of a log in one line", `console.log("x".repeat(1e6));`],
  [
    "JSON that is no message",
    `console.log("7"); console.log("[1, 2]"); console.log('{"level":"info"}'); console.log("null");`,
  ],
  ["no line break at the end", `send = (m) => process.stdout.write(JSON.stringify(m));`],
  ["line breaks of Windows", `send = (m) => process.stdout.write(JSON.stringify(m) + "\\r\\n");`],
  ["a byte order mark in each line", `send = (m) => process.stdout.write("\\uFEFF" + JSON.stringify(m) + "\\n");`],
  ["colours of a terminal", `send = (m) => process.stdout.write("\\x1b[32m" + JSON.stringify(m) + "\\x1b[0m\\n");`],
  ["lists of messages", `send = (m) => process.stdout.write(JSON.stringify([m]) + "\\n");`],
  [
    "answers to nobody",
    `const first = send; send = (m) => { first({ ...m, id: 77 }); first({ ...m, id: "x" }); first(m); };`,
  ],
  ["ids as text", `const first = send; send = (m) => first({ ...m, id: String(m.id) });`],
  ["each answer twice", `const first = send; send = (m) => { first(m); first(m); };`],
  ["a text of five megabytes", `results["tools/call"].content.push({ type: "text", text: "y".repeat(5e6) });`],
  [
    "one byte at a time",
    `send = (m) => { for (const byte of Buffer.from(JSON.stringify(m) + "\\n")) process.stdout.write(Buffer.of(byte)); };`,
  ],
  [
    "a request that nobody takes",
    `const first = send; send = (m) => { first({ jsonrpc: "2.0", id: 900, method: "no/such" }); first(m); };`,
  ],
  [
    "a slow start",
    `process.stdin.pause(); const first = answer; answer = (m) => setTimeout(() => first(m), 300); process.stdin.resume();`,
  ],
])("a program that writes %s works", async (_, more) => {
  expect(await order(await connect(more))).toContain("ORDER 4 SHIPPED");
});

test.each<[string, string]>([
  [
    "ends in the middle of a call",
    `answer = (m) => m.method === "tools/call" ? process.exit(7) : send({ jsonrpc: "2.0", id: m.id, result: results[m.method] ?? {} });`,
  ],
  [
    "is killed in the middle of a call",
    `const first = answer; answer = (m) => m.method === "tools/call" ? process.kill(process.pid, "SIGKILL") : first(m);`,
  ],
  [
    "closes its output in the middle of a call",
    `const first = answer; answer = (m) => m.method === "tools/call" ? require("fs").closeSync(1) : first(m);`,
  ],
  [
    "ends in the middle of an answer",
    `const first = answer; answer = (m) => m.method === "tools/call" ? process.stdout.write('{"jsonrpc":"2.0","id":', () => process.exit()) : first(m);`,
  ],
])("a call of a program that %s ends at once", async (_, more) => {
  await expect(order(await connect(more))).rejects.toThrow("Connection closed");
});

test("a program that ends before it says anything is no connection, and its complaint is kept", async () => {
  await expect(connect(`console.error("no licence"); process.exit(3);`)).rejects.toThrow("Connection closed");
  expect(transport?.complaints()).toBe("no licence");
});

test.each<[string, string]>([
  [
    "ignores that it should end",
    `for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {}); setInterval(() => {}, 1000);`,
  ],
  [
    "started another that does",
    `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); setInterval(() => {}, 1000);`,
  ],
])("a program that %s ends with its connection", async (_, more) => {
  const connected = await connect(more);
  const pid = transport?.pid ?? 0;
  expect(isAlive(pid)).toBe(true);
  await connected.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
