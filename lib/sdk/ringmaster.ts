// The module that extensions import as "ringmaster" (docs/guide/first-hook.md).
import { z } from "zod";
import type { HookExtension } from "./define-hook";
import type { SectionExtension } from "./define-prompt-section";
import type { ToolExtension } from "./define-tool";

export type { Guard, GuardedCall, Verdict } from "@/lib/agent/hooks/guard";
export type { RunOutcome } from "@/lib/agent/hooks/hook";
export { ai, human, Messages, system, tool } from "@/lib/agent/messages/messages";
export type { ModelRequest, PromptSection } from "@/lib/agent/model";
export type { RunContext } from "@/lib/agent/run-context";
export type { ToolOutcome, ToolOutput } from "@/lib/agent/tools/tool";
export type { Message, ToolCall } from "@/lib/schema/messages/message";
export type { ModelReply } from "@/lib/schema/runs/run-event";
export type { ToolResult } from "@/lib/schema/tools/tool";
export type { HookExtension, HookPhases } from "./define-hook";
export { defineHook, guardHook } from "./define-hook";
export type { SectionContext, SectionExtension, SectionMode } from "./define-prompt-section";
export { definePromptSection } from "./define-prompt-section";
export type { ToolContext, ToolExtension } from "./define-tool";
export { defineTool } from "./define-tool";
export { allow, ask, deny, proceed } from "./verdicts";
export { z };

/** An extension file's default export; a list is also allowed. */
export type Extension = HookExtension | ToolExtension | SectionExtension;
