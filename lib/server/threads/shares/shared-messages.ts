import type { ToolMetaData } from "@/lib/schema/messages/ui-message";
import type { ShareInclude } from "@/lib/schema/threads/share";
import type { TranscriptMessage } from "@/lib/schema/threads/thread";

type Part = TranscriptMessage["parts"][number];
type Includes = ReadonlySet<ShareInclude>;

/**
 * The part of messages shown in a share: texts, tool names and how runs ended, plus what is in `include`. Each field is
 * copied by name, so a field added to messages later is shared only once it is listed here. `name` is unique to the
 * share: pages use it to remember what a reader has opened.
 */
export function sharedMessages(
  messages: readonly TranscriptMessage[],
  include: Includes,
  name: string,
): TranscriptMessage[] {
  return messages.flatMap((message, index) => {
    const parts = sharedParts(message.parts, index, include);
    if (parts.length === 0) return [];
    return [
      {
        id: `m${index}`,
        role: message.role,
        parts,
        metadata: sharedMetadata(message.metadata, `${name}-${index}`, include),
      },
    ];
  });
}

function sharedParts(parts: readonly Part[], index: number, include: Includes): Part[] {
  const ids = new Map<unknown, string>();
  const idOf = (toolCallId: unknown) => {
    const known = ids.get(toolCallId) ?? `call-${index}-${ids.size}`;
    ids.set(toolCallId, known);
    return known;
  };
  const edited = editedArguments(parts);
  return parts.flatMap((part): Part[] => {
    switch (part.type) {
      case "text":
        return [{ type: "text", text: String(part.text ?? "") }];
      case "reasoning":
        return include.has("reasoning") ? [{ type: "reasoning", text: String(part.text ?? "") }] : [];
      case "dynamic-tool":
        return [sharedCall(part, idOf(part.toolCallId), edited.get(part.toolCallId), include)];
      case "data-tool-meta":
        return [sharedMeta(part.data as ToolMetaData, idOf, include)];
      case "data-notice":
        return [{ type: part.type, data: { kind: (part.data as { kind: unknown }).kind, text: "" } }];
      default:
        return [];
    }
  });
}

/** The arguments that people substituted for the model's and that the tools were called with. */
function editedArguments(parts: readonly Part[]): Map<unknown, unknown> {
  return new Map(
    parts.flatMap(({ type, data }) => {
      if (type !== "data-approval") return [];
      const { toolCallId, editedArgs } = data as { toolCallId: unknown; editedArgs?: unknown };
      return editedArgs === undefined ? [] : [[toolCallId, editedArgs] as const];
    }),
  );
}

function sharedCall(part: Part, toolCallId: string, edited: unknown, include: Includes): Part {
  const input = include.has("arguments") ? (edited ?? part.input ?? {}) : {};
  const outcome = part.state === "output-available" ? sharedOutput(part, include) : sharedError(part, include);
  return { type: part.type, toolCallId, toolName: String(part.toolName), input, ...outcome };
}

function sharedOutput({ output }: Part, include: Includes) {
  const state = "output-available";
  if (!include.has("results")) return { state, output: { text: "" } };
  const { text, display } = (output ?? {}) as { text?: unknown; display?: unknown };
  // The rendering of a call also contains its arguments: a command, a path, the changed lines.
  const drawing = include.has("arguments") && display !== undefined ? { display } : {};
  return { state, output: { text: String(text ?? ""), ...drawing } };
}

function sharedError({ state, errorText }: Part, include: Includes) {
  const text = include.has("results") && state === "output-error" ? String(errorText ?? "") : "";
  return { state: "output-error", errorText: text === "" ? "The call did not succeed." : text };
}

function sharedMeta(meta: ToolMetaData, idOf: (id: unknown) => string, include: Includes): Part {
  const { toolCallId, startedAtMs, durationMs, kind, gist } = meta;
  const data = {
    toolCallId: idOf(toolCallId),
    startedAtMs,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(kind === undefined ? {} : { kind }),
    gist: include.has("arguments") ? (gist ?? "") : "",
  };
  return { type: "data-tool-meta", data };
}

function sharedMetadata(metadata: unknown, runId: string, include: Includes) {
  const { usage, costUsd } = (metadata ?? {}) as { usage?: unknown; costUsd?: unknown };
  return { runId, ...(include.has("cost") ? { usage, costUsd } : {}) };
}
