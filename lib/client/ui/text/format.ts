import { formatSize } from "@/lib/schema/files/format-size";
import { formatDuration } from "@/lib/schema/format-duration";
import type { ShownUsage } from "@/lib/schema/runs/usage";

/** Words for numbers, the same on every page. Unknown is "unknown", never 0. */

/** A running clock: "0:07", "1:02", "1:00:05". */
export function formatClock(durationMs: number): string {
  const whole = Math.max(0, Math.floor(durationMs / 1000));
  const pad = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** "1,234". Grouped by hand: the first number that `Intl` formats takes a phone 70 ms. */
export function formatCount(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString("en");
  const digits = String(Math.abs(value));
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return `${value < 0 ? "-" : ""}${groups.join(",")}`;
}

/** "812", "6.1k", "212k", "84.2M", "2.04B". */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${shorten(tokens / 1000)}k`;
  if (tokens < 999_500_000) return `${shorten(tokens / 1_000_000)}M`;
  return `${(tokens / 1_000_000_000).toFixed(2)}B`;
}

function shorten(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

/** "6.1k tokens", with the mark of an estimate (D-84); "tokens unknown". */
export function tokenText({ estimated, knownUsage, inputTokens, outputTokens }: ShownUsage): string {
  if (knownUsage !== undefined) return "tokens unknown";
  return `${formatTokens((inputTokens ?? 0) + (outputTokens ?? 0))} tokens${estimated ? " (estimated)" : ""}`;
}

/** "$0.145"; "unknown" if a model has no known price. */
export function formatCost(costUsd: number | null | undefined): string {
  if (costUsd === null || costUsd === undefined) return "unknown";
  if (costUsd === 0) return "$0";
  if (costUsd < 0.001) return "<$0.001";
  return `$${costUsd < 10 ? costUsd.toFixed(3) : costUsd.toFixed(2)}`;
}

/** Sums: "$2,346.72"; below a cent as in `formatCost`. */
export function formatMoney(usd: number): string {
  if (usd !== 0 && usd < 0.01) return formatCost(usd);
  const cents = Math.round(usd * 100);
  const options = { minimumFractionDigits: cents % 100 === 0 ? 0 : 2, maximumFractionDigits: 2 };
  return `$${(cents / 100).toLocaleString("en", options)}`;
}

export function formatBytes(sizeBytes: number): string {
  return formatSize(sizeBytes);
}

/** "now", "6 min", "3 h" within the same day; "Wed" within a week; then the date. */
export function formatRelative(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  if (agoMs < 45_000) return "now";
  const minutes = Math.max(1, Math.round(agoMs / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const at = new Date(atMs);
  if (agoMs < 6 * 86_400_000) return at.toLocaleDateString("en", { weekday: "short" });
  const sameYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) });
}

/** The same within a sentence, after a verb: "6 min ago", "now". */
export function formatAgo(atMs: number, nowMs: number): string {
  const words = formatRelative(atMs, nowMs);
  return / (min|h)$/.test(words) ? `${words} ago` : words;
}

/** The time until then: "2 h", "30 days"; "a moment" if it is due. */
export function formatRemaining(untilMs: number, nowMs: number): string {
  const leftMs = untilMs - nowMs;
  if (leftMs < 60_000) return "a moment";
  const minutes = Math.round(leftMs / 60_000);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** "14:31". */
export function formatTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** "20 Nov 2026, 14:02:11". */
export function formatExact(atMs: number): string {
  exact ??= new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return exact.format(atMs);
}

/** Made once: each row of a list has an exact time, and a format takes half a millisecond to make on a phone. */
let exact: Intl.DateTimeFormat | undefined;

/** One or two letters for an avatar. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const picked = letters.map((word) => [...(word ?? "")][0] ?? "").join("");
  return picked.toUpperCase() || "?";
}

/** Time to the first token; nothing may have arrived yet, or at all. */
export function firstTokenText(firstMs: number | null, isRunning: boolean): string {
  if (firstMs !== null) return formatDuration(firstMs);
  return isRunning ? "not yet known" : "none";
}
