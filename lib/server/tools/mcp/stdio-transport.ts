import type { ChildProcess } from "node:child_process";
import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createLineReader } from "@/lib/server/tools/mcp/reading/line-reader";
import { killGroup, startGroup } from "@/lib/workspaces/sandbox/process-group";

const KEPT_ERROR_CHARS = 2_000;

/** A program's standard input and output as an MCP transport; `serverCommand` describes how it is started. */
export interface StdioTransport extends Transport {
  /** The tail of its standard error. */
  complaints(): string;
  readonly pid: number | undefined;
  /** The revision agreed on; undefined before. */
  readonly protocolVersion: string | undefined;
}

export function createStdioTransport(argv: readonly string[], env: Readonly<Record<string, string>>): StdioTransport {
  let child: ChildProcess | undefined;
  let errors = "";
  let protocolVersion: string | undefined;
  const lines = createLineReader();
  const transport: StdioTransport = {
    get pid() {
      return child?.pid;
    },
    complaints: () => errors.trim(),
    get protocolVersion() {
      return protocolVersion;
    },
    setProtocolVersion(version) {
      protocolVersion = version;
    },
    async start() {
      child = await launch(argv, env);
      child.stdout?.on("data", (chunk: Buffer) => deliver(chunk));
      child.stderr?.on("data", (chunk: Buffer) => {
        errors = (errors + chunk.toString("utf8")).slice(-KEPT_ERROR_CHARS);
      });
      child.stdin?.on("error", (error) => transport.onerror?.(error));
      const ended = child;
      // The process holding the leash would keep the output open.
      ended.once("exit", () => killGroup(ended));
      ended.once("close", () => transport.onclose?.());
      // A program that has closed its output answers nothing any more.
      child.stdout?.once("end", () => killGroup(ended));
    },
    async send(message) {
      const stdin = child?.stdin;
      if (!stdin?.writable) throw new Error("The program has ended.");
      await new Promise<void>((resolve, reject) => {
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      if (child) killGroup(child);
    },
  };
  const deliver = (chunk: Buffer) => {
    const messages = lines.read(chunk);
    if (messages === null) {
      transport.onerror?.(new Error("The program wrote a line that is too long."));
      if (child) killGroup(child);
      return;
    }
    for (const message of messages) transport.onmessage?.(message as unknown as JSONRPCMessage);
  };
  return transport;
}

function launch(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = startGroup({ argv, cwd: "/tmp", env, stdin: "pipe" });
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", reject);
  });
}
