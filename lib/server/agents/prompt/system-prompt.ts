import type { PromptSection } from "@/lib/agent/model";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";

/** A plain agent sends only its own text (D-36). */
export function systemPrompt({ system_prompt: text }: AgentConfig): PromptSection[] {
  return text === "" ? [] : [{ name: "identity", text }];
}
