// Which reader the program has for each column that holds JSON, so that a test can open what an earlier version stored.
import { z } from "zod";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { ImageRef, ToolCall } from "@/lib/schema/messages/message";
import { ProviderModel } from "@/lib/schema/provider";
import { Question } from "@/lib/schema/runs/interrupt";
import { OriginDetails } from "@/lib/schema/runs/run";
import { RunEvent } from "@/lib/schema/runs/run-event";
import { Todo } from "@/lib/schema/runs/todo";
import { McpMount } from "@/lib/schema/tools/mcp-server";
import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { NotificationPreferences } from "@/lib/schema/users/notification";
import { Role, Scope } from "@/lib/schema/users/user";
import { WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { RunInput } from "@/lib/server/engine/run-input";
import { EvidenceState, Verdict } from "@/lib/server/triggers/boards/read-board";

const texts = z.array(z.string());
/** Of any shape, by design: arguments, facts and answers of others, or read by kind. */
const free = z.json();

/** By `table.column`. */
export const STORED_JSON: Readonly<Record<string, z.ZodType>> = {
  "agent_draft.config": free,
  "agent_version.config": AgentConfig,
  "api_key.agents": texts,
  "api_key.scopes": z.array(Scope),
  "approval.answers": free,
  "approval.args": z.record(z.string(), z.unknown()),
  "approval.editedArgs": free,
  "approval.facts": free,
  "approval.questions": z.array(Question),
  "audit_entry.after": z.record(z.string(), z.unknown()),
  "audit_entry.before": z.record(z.string(), z.unknown()),
  "audit_entry.details": z.record(z.string(), z.unknown()),
  "board.members": texts,
  "board_card.dependsOn": texts,
  "board_card.evidence": free,
  "board_card.evidenceState": EvidenceState,
  "board_run.verdict": Verdict,
  "delivery.body": free,
  "delivery.target": OutgoingTarget,
  "delivery_attempt.headers": free,
  "delivery_attempt.response": free,
  "grant.args": z.record(z.string(), z.unknown()),
  "http_tool.parameters": z.record(z.string(), z.unknown()),
  "kept_reply.body": free,
  "mcp_server.args": texts,
  "mcp_server.facts": free,
  "mcp_server.mounts": z.array(McpMount),
  "mcp_tool.definition": free,
  "mcp_tool.pinned": free,
  "message.content": free,
  "message.images": z.array(ImageRef),
  "message.reasoning": z.array(z.unknown()),
  "message.toolCalls": z.array(ToolCall),
  "notification_choice.choices": NotificationPreferences,
  "provider.allowedRoles": z.array(Role),
  "provider.models": z.array(ProviderModel),
  "run.input": RunInput,
  "run.originDetails": OriginDetails,
  "run.todos": z.array(Todo),
  "run_event.data": RunEvent,
  "setting.value": free,
  "share.content": free,
  "share.include": texts,
  "span.attributes": z.record(z.string(), z.unknown()),
  "timer.data": free,
  "trace.originDetails": OriginDetails,
  "transcript_message.parts": z.array(z.looseObject({ type: z.string() })),
  "trigger.config": free,
  "trigger.state": free,
  "verification.value": free,
  "webhook.events": z.array(WebhookEvent),
};
