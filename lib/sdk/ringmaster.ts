// What an extension imports as "ringmaster" (docs/guide/first-hook.md).
import { z } from "zod";
import { ai, human, Messages, system, tool } from "@/lib/agent/messages/messages";
import { defineHook, guardHook, type HookExtension, type HookPhases } from "./define-hook";
import {
  definePromptSection,
  type SectionExtension,
  type SectionFacts,
  type SectionMode,
} from "./define-prompt-section";
import { defineTool, type ToolContext, type ToolExtension } from "./define-tool";
import { allow, ask, deny, proceed } from "./verdicts";

export type { Guard, GuardedCall, Verdict } from "@/lib/agent/hooks/guard";
export type { RunOutcome } from "@/lib/agent/hooks/hook";
export type { ModelRequest, PromptSection } from "@/lib/agent/model";
export type { RunContext } from "@/lib/agent/run-context";
export type { ToolOutcome, ToolOutput } from "@/lib/agent/tools/tool";
export type { Message, ToolCall } from "@/lib/schema/messages/message";
export type { ModelReply } from "@/lib/schema/runs/run-event";
export type { ToolResult } from "@/lib/schema/tools/tool";
export type { HookExtension, HookPhases, SectionExtension, SectionFacts, SectionMode, ToolContext, ToolExtension };
/** What the default export of an extension's file may be; a list of them is also allowed. */
export type Extension = HookExtension | ToolExtension | SectionExtension;

export {
  ai,
  allow,
  ask,
  defineHook,
  definePromptSection,
  defineTool,
  deny,
  guardHook,
  human,
  Messages,
  proceed,
  system,
  tool,
  z,
};
