import { capitalize, unquote } from "./request";
import type { DemoScript } from "./turn";

const BEAT = /^This is a heartbeat\.[\s\S]*?<heartbeat_file>\n?([\s\S]*?)\n?<\/heartbeat_file>([\s\S]*)$/;
const TELL = /^(?:[-*+]\s+)?(?:\[ \]\s+)?(?:tell me|say)(?:\s+that)?(?:\s*:)?\s+(\S.*)$/i;

/**
 * The script for a heartbeat run, or null. Repeats a message dictated by a line of HEARTBEAT.md, once; otherwise
 * silent.
 */
export function heartbeatScript(text: string): DemoScript | null {
  const [, tasks, before = ""] = BEAT.exec(text) ?? [];
  if (tasks === undefined) return null;
  const news = tasks
    .split("\n")
    .flatMap((line) => TELL.exec(line.trim())?.[1] ?? [])
    .map((told) => `${capitalize(unquote(told.replace(/[.!]$/, "")))}.`)
    .filter((told) => !before.includes(told));
  return { needs: [], rounds: [], conclude: () => (news.length === 0 ? "NO_REPLY" : news.join("\n")) };
}
