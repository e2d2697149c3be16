import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";

/** POST `/api/mcp-servers/{id}/connect`: the page to which the browser returns; `threadId` goes with `thread`. */
export const ConnectMcpServerBody = z
  .strictObject({
    returnTo: z.enum(["tools", "connections", "inbox", "thread"]).default("connections"),
    threadId: RowId.optional(),
  })
  .refine(({ returnTo, threadId }) => (returnTo === "thread") === (threadId !== undefined), {
    path: ["threadId"],
    message: "goes with returnTo: thread",
  });
export type ConnectMcpServerBody = z.output<typeof ConnectMcpServerBody>;
/** The page to which the browser returns. */
export type ConnectReturn = z.input<typeof ConnectMcpServerBody>;

/** The page on which the person grants access. */
export const ConnectMcpServerReply = z.object({ url: z.string() });

/** The parameters a server's sign-in adds to the callback address; its others are ignored. */
export const McpCallbackQuery = z.object({
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(5_000).optional(),
  error: z.string().max(500).optional(),
});
export type McpCallbackQuery = z.infer<typeof McpCallbackQuery>;

/** The outcome, as passed to the page that reports it. */
export const McpConnectResult = z.enum(["connected", "denied", "failed"]);
export type McpConnectResult = z.infer<typeof McpConnectResult>;

/**
 * `lost`: the server no longer accepts it, so it has to be made again. `account` is the account name, if the server
 * reports one.
 */
export const OwnMcpConnection = z.object({
  state: z.enum(["none", "connected", "lost"]),
  account: z.string().nullable(),
  connectedAt: z.string().nullable(),
});
export type OwnMcpConnection = z.infer<typeof OwnMcpConnection>;

/** GET `/api/mcp-connections`: the servers to which each person connects with their own account. */
export const McpConnectionList = z.object({
  connections: z.array(OwnMcpConnection.extend({ serverId: z.string(), host: z.string() })),
  nextCursor: z.string().nullable(),
});
export type McpConnectionList = z.infer<typeof McpConnectionList>;

/** GET `/api/mcp-servers/{id}/connections`: without `userId` the connection is shared, and `name` is who made it. */
export const McpHolderList = z.object({
  holders: z.array(OwnMcpConnection.extend({ userId: z.string().nullable(), name: z.string().nullable() })),
  nextCursor: z.string().nullable(),
});
export type McpHolderList = z.infer<typeof McpHolderList>;
