import "server-only";
import type { ChatCompletionBody } from "@/lib/schema/apis/openai";
import type { Viewer } from "@/lib/schema/users/user";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { readChat } from "./read-chat";
import { type StartedReply, startReply } from "./start-reply";

/** Starts the run of a completion, in a thread of its own unless `metadata.thread_id` names one. Throws as `startReply`. */
export function startCompletion(
  services: Services,
  { model, messages, metadata }: ChatCompletionBody,
  viewer: AgentViewer & Pick<Viewer, "keyId">,
): Promise<StartedReply> {
  const clientId = metadata?.thread_id;
  const place =
    clientId === undefined ? ({ kind: "new", isKept: false } as const) : ({ kind: "named", clientId } as const);
  return startReply(services, { model, chat: readChat(messages), field: "messages", place }, viewer);
}
