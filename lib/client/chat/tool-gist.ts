import { formatTokens } from "@/lib/client/ui/format";
import type { ToolCallView } from "./transcript-steps";

/** The one argument that says what a call is about, in one line. */
export function toolGist(call: Pick<ToolCallView, "name" | "args">): string {
  const { name, args } = call;
  if (name === "write_todos") return todosGist(args.todos);
  if (name === "grep" || name === "glob") {
    const place = textOf(args.path) || textOf(args.include) || textOf(args.glob);
    return [textOf(args.pattern), place && `in ${place}`].filter(Boolean).join(" ");
  }
  for (const key of ["path", "file_path", "command", "expression", "name", "query", "url", "pattern", "timezone"]) {
    const text = textOf(args[key]);
    if (text) return oneLine(text);
  }
  const first = Object.entries(args).find(([, value]) => typeof value === "string" || typeof value === "number");
  return first ? oneLine(`${first[0]}: ${String(first[1])}`) : "";
}

function todosGist(todos: unknown): string {
  if (!Array.isArray(todos)) return "";
  const done = todos.filter((todo: unknown) => statusOf(todo) === "done").length;
  return `${done} of ${todos.length} done`;
}

function statusOf(todo: unknown): unknown {
  return typeof todo === "object" && todo !== null && "status" in todo ? todo.status : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** "grep, read_file ×2, ls": the names of a folded run in order of their first call. */
export function runGist(calls: readonly Pick<ToolCallView, "name">[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}

/** Said when eviction cut what the model read. */
export function truncationText(truncatedChars: number): string {
  return `${formatTokens(truncatedChars)} characters were left out of what the model read`;
}
