import { z } from "zod";

const Message = z.record(z.string(), z.json());

/** POST `/mcp`: one message of JSON-RPC 2.0, or a list of them from clients of before 2025-06-18. */
export const McpBody = z.union([Message, z.array(Message).min(1).max(100)]);
export type McpBody = z.infer<typeof McpBody>;

/** What the document says of a message: the protocol has its own, in two generations. */
export const McpMessage = z
  .looseObject({ jsonrpc: z.literal("2.0") })
  .describe("A message of the Model Context Protocol, of 2026-07-28 or an earlier revision.");
