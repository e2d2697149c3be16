import { diffWordsWithSpace } from "diff";
import { type ConfigChange, isObject, isSame, valueAt } from "@/lib/client/agents/config-text/config-values";
import type { RawConfig } from "@/lib/schema/agents/agent-api";

const LONG_TEXT = 60;

/** A config value on one line, in YAML's flow style. */
export function valueText(value: unknown): string {
  if (value === undefined) return "not set";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, below]) => `${key}: ${valueText(below)}`)
    .join(", ")}}`;
}

/** A change in a few words: "20 → 25", "+ openai:gpt-5.1", "+28 −10 words". */
export function changeText({ before, after }: Pick<ConfigChange, "before" | "after">): string {
  if (Array.isArray(before ?? []) && Array.isArray(after ?? []) && (Array.isArray(before) || Array.isArray(after))) {
    return listChange(asList(before), asList(after));
  }
  if (isLong(before) || isLong(after)) return textChange(asText(before), asText(after));
  if (before === undefined) return valueText(after);
  return after === undefined ? `no longer ${valueText(before)}` : `${valueText(before)} → ${valueText(after)}`;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listChange(before: readonly unknown[], after: readonly unknown[]): string {
  const added = after.filter((item) => !before.some((other) => isSame(other, item)));
  const removed = before.filter((item) => !after.some((other) => isSame(other, item)));
  if (added.length === 0 && removed.length === 0) return "another order";
  return [...added.map((item) => `+ ${valueText(item)}`), ...removed.map((item) => `− ${valueText(item)}`)].join(", ");
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > LONG_TEXT || value.includes("\n"));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : valueText(value);
}

/** Number of words added and removed. */
export function countChanges(before: string, after: string): { added: number; removed: number } {
  const parts = diffWordsWithSpace(before, after);
  const count = (kind: "added" | "removed") =>
    parts.filter((part) => part[kind]).reduce((sum, { value }) => sum + value.split(/\s+/u).filter(Boolean).length, 0);
  return { added: count("added"), removed: count("removed") };
}

function textChange(before: string, after: string): string {
  const { added, removed } = countChanges(before, after);
  const parts = [added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""].filter(Boolean).join(" ");
  return parts === "" ? "other spaces" : `${parts} ${added + removed === 1 ? "word" : "words"}`;
}

const MODES = ["plan", "default", "accept_edits", "bypass"];

/** What a change newly allows the agent to do, or to do without asking a person; null if neither. */
export function wideningOf({ path, before, after }: ConfigChange, was: RawConfig): string | null {
  return WIDENINGS[path.join(".")]?.(before, after, was) || null;
}

type Widening = (before: unknown, after: unknown, was: RawConfig) => string | null | undefined | false;

const isChecking = (permissions: unknown) => valueAt(permissions, ["enabled"]) === true;

const WIDENINGS: Readonly<Record<string, Widening>> = {
  permissions: (before, after) => isChecking(before) && !isChecking(after) && UNCHECKED,
  "permissions.enabled": (before, after) => before === true && after !== true && UNCHECKED,
  "permissions.mode": (before, after) => rankOf(after) > rankOf(before) && MODE_LABELS[String(after)],
  "permissions.allow": (before, after, was) => isChecking(was.permissions) && hasMore(before, after) && UNASKED,
  "permissions.ask": (before, after) => hasMore(after, before) && UNASKED,
  "permissions.deny": (before, after) => hasMore(after, before) && "is no longer denied",
  "backend.network": (_, after) => after === true && "commands reach the network",
  "backend.type": (before) => before === "state" && "can run commands",
  backend: (before, after) => before === undefined && valueAt(after, ["type"]) !== "state" && "can run commands",
  tools: (before, after) => hasMore(before, after) && "can use more tools",
};

const UNCHECKED = "no call is checked any more";
const UNASKED = "no longer asks a person";
const MODE_LABELS: Readonly<Record<string, string>> = {
  accept_edits: "edits files unasked",
  bypass: "asks nobody any more",
  default: "may also change things",
};

function rankOf(mode: unknown): number {
  return MODES.indexOf(typeof mode === "string" ? mode : "default");
}

/** Whether the second list has something that the first lacks. */
function hasMore(left: unknown, right: unknown): boolean {
  return asList(right).some((item) => !asList(left).some((other) => isSame(other, item)));
}
