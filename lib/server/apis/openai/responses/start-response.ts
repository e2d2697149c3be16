import "server-only";
import type { ChatMessage } from "@/lib/schema/apis/openai";
import type { InputItem, OutputItem, ResponseBody, ResponseRequest } from "@/lib/schema/apis/responses";
import type { Viewer } from "@/lib/schema/users/user";
import { readChat } from "@/lib/server/apis/openai/read-chat";
import { type ReplyPlace, type StartedReply, startReply } from "@/lib/server/apis/openai/start-reply";
import type { Database } from "@/lib/server/platform/db/database";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { findItem, requireResponse } from "./find-response";

type Sender = AgentViewer & Pick<Viewer, "keyId">;

export interface StartedResponse extends StartedReply {
  readonly request: ResponseRequest;
}

/**
 * Starts the run of a response: in a thread of its own, or behind the response that it continues. Throws `not_found`
 * for somebody else's or an unknown response or item, and as `startReply`.
 */
export async function startResponse(services: Services, body: ResponseBody, viewer: Sender): Promise<StartedResponse> {
  const { model, instructions = null, metadata, previous_response_id: previousId = null } = body;
  const isStored = body.store ?? true;
  const place =
    previousId === null
      ? ({ kind: "new", isKept: isStored } as const)
      : await placeAfter(services.database, previousId, viewer);
  const chat = readChat(await readItems(services.database, body.input, viewer));
  const request = { model, instructions, metadata: metadata ?? {}, previousResponseId: previousId, isStored };
  const started = await startReply(services, { model, chat, field: "input", place, response: request }, viewer);
  return { ...started, request };
}

async function placeAfter(database: Database, id: string, viewer: Sender): Promise<ReplyPlace> {
  const { run } = await requireResponse(database, id, "previous_response_id", viewer);
  return { kind: "after", runId: run.id, thread: run.thread };
}

/** The items as messages. Clients name a call twice, where it was made and where it ended. */
async function readItems(database: Database, items: readonly InputItem[], viewer: Sender): Promise<ChatMessage[]> {
  const named = new Set<string>();
  const messages: ChatMessage[] = [];
  for (const item of items) {
    if (item.role === "item_reference") {
      if (!named.has(item.id)) messages.push(...writtenBy(await findItem(database, item.id, viewer)));
      named.add(item.id);
    } else if (item.role === "mcp_call") messages.push(...callAndResult(item, `sent_${messages.length}`));
    else if (item.role !== "passed_over") messages.push(item);
  }
  return messages;
}

function writtenBy(item: OutputItem): ChatMessage[] {
  if (item.type === "mcp_call") return callAndResult(item, item.id);
  return [{ role: "assistant", content: item.content.map(({ text }) => text).join("") }];
}

interface MadeCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly output?: string | null | undefined;
  readonly error?: unknown;
}

function callAndResult({ name, arguments: sent, output, error }: MadeCall, id: string): ChatMessage[] {
  const problem = typeof error === "string" || !error ? error : JSON.stringify(error);
  return [
    { role: "assistant", content: null, tool_calls: [{ id, function: { name, arguments: sent } }] },
    { role: "tool", tool_call_id: id, content: output ?? (problem ? `Error: ${problem}` : "") },
  ];
}
