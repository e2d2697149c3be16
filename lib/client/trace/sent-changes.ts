import type { Span } from "@/lib/schema/traces/span";

type Describe = (value: unknown) => string | null;

const counted =
  (one: string, many: string): Describe =>
  (value) =>
    typeof value === "number" && value > 0 ? (value === 1 ? `1 ${one}` : `${value} ${many}`) : null;
const named =
  (one: string, many: string): Describe =>
  (value) =>
    Array.isArray(value) && value.length > 0 ? `${value.length === 1 ? one : many} ${value.join(", ")}` : null;

/** How each change is said; the names are those that the model's way to its provider tells. */
const LEFT_OUT: Readonly<Record<string, Describe>> = {
  pictures: named("the picture", "the pictures"),
  older_pictures: counted("older picture", "older pictures"),
  tools: named("the tool", "the tools"),
  thoughts: counted("reply's thoughts", "replies' thoughts"),
  refused_thoughts: counted(
    "reply's thoughts that the provider refused",
    "replies' thoughts that the provider refused",
  ),
};
const REWRITTEN: Readonly<Record<string, Describe>> = {
  messages_as_text: counted(
    "message with a call or result written as text",
    "messages with calls and results written as text",
  ),
  max_tokens: (value) => (typeof value === "number" ? `an output limit of ${value} tokens` : null),
  turns_merged: counted("turn joined with its neighbour", "turns joined with their neighbours"),
  turns_added: counted("turn added between two others", "turns added between others"),
  call_ids: counted("call id shortened", "call ids shortened"),
  system_as: (value) => (typeof value === "string" ? `the system prompt sent as ${value}` : null),
};

/** What the provider was sent otherwise than the request shows, in two sentences at most. */
export function describeSentChanges({ attributes }: Span): string[] {
  return [
    sentence("Not sent", LEFT_OUT, attributes.left_out),
    sentence("Sent otherwise", REWRITTEN, attributes.rewritten),
  ].flatMap((text) => text ?? []);
}

function sentence(lead: string, table: Readonly<Record<string, Describe>>, changes: unknown): string | null {
  if (typeof changes !== "object" || changes === null) return null;
  const said = Object.entries(table).flatMap(([name, describe]) => {
    return describe((changes as Record<string, unknown>)[name]) ?? [];
  });
  return said.length === 0 ? null : `${lead}: ${said.join("; ")}.`;
}
