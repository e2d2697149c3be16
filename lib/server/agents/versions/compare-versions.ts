import "server-only";
import { diffWordsWithSpace } from "diff";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import type { CompareQuery, ConfigChange, PromptPart, VersionComparison } from "@/lib/schema/agents/agent-version";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import { draftSource } from "@/lib/server/agents/drafts/agent-draft";
import { getCurrentVersion, getVersionSource, type VersionSource } from "@/lib/server/agents/publish-version";
import type { Services } from "@/lib/server/platform/services";
import { namedVersion } from "./named-version";

/** Prompts that differ by more edits are shown as one removed and one added text. */
const MAX_PROMPT_EDITS = 4_000;

/**
 * The differences between two versions, one of which may be the draft: fields with both values, the prompt word by
 * word, and prompt files as `prompt_files.<name>`. Throws `not_found` for an unknown version.
 */
export async function compareVersions(
  services: Services,
  agentId: string,
  { from, to }: CompareQuery,
  viewer: Viewer,
): Promise<VersionComparison> {
  const [before, after] = await Promise.all([from, to].map((name) => findSource(services, agentId, name, viewer)));
  if (!before || !after) throw new Error("two versions are compared");
  return {
    changes: changesOf(withFiles(before), withFiles(after), ""),
    promptDiff: diffPrompts(promptOf(before.raw), promptOf(after.raw)),
  };
}

async function findSource(services: Services, agentId: string, name: string, viewer: Viewer): Promise<VersionSource> {
  if (name === "current") return getCurrentVersion(services.database, agentId);
  if (name !== "draft")
    return getVersionSource(services.database, (await namedVersion(services, agentId, name, viewer)).id);
  const { raw, files, problem } = await draftSource(services, agentId);
  if (raw) return { raw, files };
  throw new AppError("invalid_input", `The draft can't be read. Line ${problem?.line ?? 1}: ${problem?.message ?? ""}`);
}

function withFiles({ raw, files }: VersionSource): RawConfig {
  if (files.length === 0) return raw;
  return { ...raw, prompt_files: Object.fromEntries(files.map(({ name, content }: PromptFile) => [name, content])) };
}

/** The most specific fields that differ; lists are compared as a whole. */
export function changesOf(before: unknown, after: unknown, path: string): ConfigChange[] {
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesOf(before[name], after[name], path === "" ? name : `${path}.${name}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function promptOf({ system_prompt: prompt }: RawConfig): string {
  return typeof prompt === "string" ? prompt : "";
}

function diffPrompts(before: string, after: string): PromptPart[] {
  if (before === after) return [];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_PROMPT_EDITS });
  const whole: PromptPart[] = [
    { text: before, change: "removed" },
    { text: after, change: "added" },
  ];
  const found = parts?.map(({ value: text, added, removed }): PromptPart => {
    return { text, change: added ? "added" : removed ? "removed" : "same" };
  });
  return (found ?? whole).filter(({ text }) => text !== "");
}
