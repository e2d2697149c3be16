"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { callJson } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { THREADS_KEY } from "@/lib/client/http/query-keys";
import { availableSkillsQuery } from "@/lib/client/skills/available-skills";
import { showToast } from "@/lib/client/ui/toast-store";
import { skillCommand } from "@/lib/schema/skills/skill-command";
import type { CancelReply, CommandReply } from "@/lib/schema/threads/thread";

const schemas = async () => (await loadWithRetry(() => import("@/lib/client/chat/page-schemas"))).PAGE_SCHEMAS;
const commandReply = async () => (await schemas()).CommandReply;
const cancelReply = async () => (await schemas()).CancelReply;

export interface SlashCommand {
  readonly name: string;
  readonly does: string;
  /** The text it inserts, if that is more than its name. */
  readonly writes?: string;
  /** Set if choosing it does more than insert text. */
  readonly onChoose?: () => void;
  /** Distinguishes it from others with the same name. */
  readonly key?: string;
}

/** Commands that the server or the page runs at once (`isTypedCommand`). */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "/stop", does: "Stop the run of this thread" },
  { name: "/stopall", does: "Stop all of your runs" },
  { name: "/compact", does: "Summarise the earlier messages for the model" },
  { name: "/new", does: "Start another thread" },
];

/** The commands that work without a thread. */
export const START_COMMANDS: readonly SlashCommand[] = SLASH_COMMANDS.filter(({ name }) => name === "/stopall");

const COMMAND = /^\/(stop|stopall|compact|new)$/i;

/** True for what is done at once instead of being sent to the agent. `/new` is the page's own. */
export function isTypedCommand(content: string): boolean {
  return COMMAND.test(content.trim());
}

/** Has the server do it; returns what happened, as a sentence. */
async function runTypedCommand(threadId: string, content: string): Promise<string> {
  const path = `/api/threads/${encodeURIComponent(threadId)}/messages`;
  return describeCommand(await callJson(commandReply, path, { method: "POST", body: { content } }));
}

/** The same, without a thread. */
async function runCommandWithoutThread(content: string): Promise<string> {
  if (content.trim().toLowerCase() !== "/stopall") return "There is no conversation here yet.";
  return describeStop(await callJson(cancelReply, "/api/runs/cancel-all", { method: "POST" }));
}

export function describeCommand(reply: CommandReply): string {
  if (reply.command !== "compact") return describeStop(reply);
  const { compacted, kept, dropped } = reply.compaction;
  if (dropped) return "Nothing to gain: a summary would not have been shorter, so everything stays as it is.";
  if (compacted === 0) return "There is nothing to summarise yet.";
  const rest = kept === 1 ? "the last one stays as it is" : `the last ${kept} stay as they are`;
  return `Summarised ${compacted} ${compacted === 1 ? "message" : "messages"}; ${rest}.`;
}

function describeStop({ cancelled, held = 0 }: z.infer<typeof CancelReply>): string {
  const runs = cancelled === 1 ? "Stopped 1 run." : `Stopped ${cancelled} runs.`;
  const stopped = cancelled === 0 ? "Nothing was running." : runs;
  if (held === 0) return stopped;
  return `${stopped} ${held === 1 ? "1 queued message is held." : `${held} queued messages are held.`}`;
}

/**
 * Runs a command that was typed instead of a message (`/stop`, `/stopall`, `/compact`, `/new`) and reports the outcome.
 */
export function useTypedCommand(
  threadId: string | null,
  go: (href: string) => void,
): (content: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (content) => {
    if (content.trim().toLowerCase() === "/new") return go("/");
    const title = threadId ? await runTypedCommand(threadId, content) : await runCommandWithoutThread(content);
    showToast({ title });
    await queryClient.invalidateQueries({ queryKey: THREADS_KEY });
    if (threadId) await queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  };
}

const FRESH_MS = 30_000;

/**
 * An agent's skills as commands, loaded when a slash is typed. The chat's own command wins over a skill with the same
 * name.
 */
export function useSkillCommands(agentId: string | undefined, text: string): readonly SlashCommand[] {
  const isAsked = agentId !== undefined && text.startsWith("/");
  const { data } = useQuery({ ...availableSkillsQuery(agentId), enabled: isAsked, staleTime: FRESH_MS });
  const commands = new Map<string, SlashCommand>();
  for (const { name, description } of data?.skills ?? []) {
    const command = skillCommand(name);
    const isTaken = command === "/" || commands.has(command) || SLASH_COMMANDS.some((own) => own.name === command);
    if (!isTaken) commands.set(command, { name: command, does: description, writes: `${command} ` });
  }
  return [...commands.values()];
}
