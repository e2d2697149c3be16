import { z } from "zod";
import { Todo } from "@/lib/schema/runs/todo";

/** A run may open its hits without asking. */
export const WEB_SEARCH = "web_search";

/** A tool of an MCP server whose result is more than text. `data` of an image is base64. */
const McpDisplay = z.object({
  kind: z.literal("mcp"),
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({ type: z.literal("image"), mediaType: z.string(), data: z.string() }),
      z.object({ type: z.literal("resource"), uri: z.string(), text: z.string() }),
    ]),
  ),
});
export type McpDisplay = z.infer<typeof McpDisplay>;

/**
 * `display` of a built-in tool's result: what its card draws. Never cut by eviction, but each shape is bounded where it
 * is created. A tool that is not built in may have any display, or none: parse before drawing.
 */
export const ToolDisplay = z.discriminatedUnion("kind", [
  McpDisplay,
  /** `write_todos` */
  z.object({ kind: z.literal("todos"), todos: z.array(Todo) }),
  /**
   * `write_file`, `edit_file`. `patch` is a unified diff, empty if nothing changed, null if one of the two texts is
   * binary or too large to compare. `path` is relative to the workspace root.
   */
  z.object({
    kind: z.literal("file-change"),
    path: z.string(),
    operation: z.enum(["created", "changed"]),
    sizeBytes: z.number(),
    addedLines: z.number(),
    removedLines: z.number(),
    patch: z.string().nullable(),
  }),
  /** `view_image`: the picture is kept under its hash for as long as the thread exists. */
  z.object({
    kind: z.literal("image"),
    path: z.string(),
    hash: z.string(),
    width: z.number().optional(),
    height: z.number().optional(),
  }),
  /** `read_file`; the text itself is the result's output. Lines count from 1; `endLine` is 0 for an empty file. */
  z.object({
    kind: z.literal("file-text"),
    path: z.string(),
    sizeBytes: z.number(),
    startLine: z.number(),
    endLine: z.number(),
    totalLines: z.number(),
  }),
  /** `ls`; `omitted` entries are not in the list. */
  z.object({
    kind: z.literal("entries"),
    path: z.string(),
    entries: z.array(z.object({ name: z.string(), type: z.enum(["file", "dir", "link"]), size: z.number() })),
    omitted: z.number(),
  }),
  /** `glob` */
  z.object({
    kind: z.literal("files"),
    pattern: z.string(),
    path: z.string(),
    files: z.array(z.string()),
    truncated: z.boolean(),
  }),
  /** `grep` */
  z.object({
    kind: z.literal("matches"),
    pattern: z.string(),
    path: z.string(),
    matches: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
    truncated: z.boolean(),
  }),
  /** `web_fetch`; the text itself is the result's output. `number` is how the reply cites the page. */
  z.object({ kind: z.literal("web-page"), number: z.number(), url: z.string(), title: z.string().nullable() }),
  /** `web_search` */
  z.object({
    kind: z.literal("web-hits"),
    query: z.string(),
    hits: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string(), date: z.string().optional() })),
  }),
  /** `schedule`: what was made or paused, or all there are. `next` is the due times to come, soonest first. */
  z.object({
    kind: z.literal("schedules"),
    schedules: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        time: z.object({ cron: z.string().optional(), every: z.string().optional(), at: z.string().optional() }),
        timezone: z.string(),
        enabled: z.boolean(),
        next: z.array(z.string()),
      }),
    ),
  }),
  /** `execute`; `output` is stdout and stderr in order. `stopped` says why it was ended early. */
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    exitCode: z.number().nullable(),
    output: z.string(),
    truncated: z.boolean(),
    durationMs: z.number(),
    stopped: z.string().optional(),
    notice: z.string().optional(),
  }),
]);
export type ToolDisplay = z.infer<typeof ToolDisplay>;
