import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { readConfigText } from "./config-text";
import { isSame } from "./config-values";
import { setInText } from "./edit-config-text";

/** The text with the fields of another config: each that differs is changed, all else stays as it was written. */
export function setConfig(text: string, next: RawConfig): string {
  const before = readConfigText(text).config;
  if (before === null) return text;
  const names = [...new Set([...Object.keys(before), ...Object.keys(next)])];
  return names
    .filter((name) => !isSame(before[name], next[name]))
    .reduce((changed, name) => setInText(changed, [name], next[name]), text);
}
