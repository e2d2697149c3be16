import type { PromptSection } from "@/lib/agent/model";
import type { DelegateInfo } from "@/lib/agent/subagents";
import type { Tool } from "@/lib/agent/tools/tool";
import { delegationText } from "@/lib/prompt/delegation-text";

/** Section 18 of the prompt, for an agent with these tools. */
export function delegationSections(delegates: readonly DelegateInfo[], tools: readonly Tool[]): PromptSection[] {
  const text = delegationText({ delegates, tools: new Set(tools.map(({ name }) => name)) });
  return text === "" ? [] : [{ name: "delegation", text }];
}
