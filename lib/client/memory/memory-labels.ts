import type { MemoryVersion } from "@/lib/schema/files/memory";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const LONG_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** "today", "14 Nov", "14 Nov 2025". */
export function dayLabel(at: string, now: Date = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return "today";
  return (date.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(date);
}

/** "7 November" of 2026-11-07. */
export function longDay(date: string): string {
  return LONG_DAY.format(new Date(`${date}T00:00:00Z`));
}

/** "Nov 2026" of 2026-11. */
export function monthLabel(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/** The day `step` days later, or earlier if negative. */
export function moveDay(date: string, step: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + step * 86_400_000).toISOString().slice(0, 10);
}

/** The next or previous month. */
export function moveMonth(month: string, step: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}

/** The weeks of a month, starting on Monday; null for days outside it. */
export function weeksOf(month: string): (string | null)[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const cells: (string | null)[] = [
    ...Array<null>((first.getUTCDay() + 6) % 7).fill(null),
    ...Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, "0")}`),
  ];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** The path of a day's note. */
export function notePath(date: string): string {
  const digits = date.replaceAll("-", "");
  return `memory/${digits.slice(0, 6)}/${digits}.md`;
}

/** The day of a note; null for another document. */
export function noteDay(path: string): string | null {
  const digits = /^memory\/\d{6}\/(\d{8})\.md$/.exec(path)?.[1];
  return digits === undefined ? null : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** A version's author, as a title: for a run, the run's title. */
export function writerOf({ author, authorName, run }: Pick<MemoryVersion, "author" | "authorName" | "run">): string {
  if (author === "agent") return run?.title ?? "A run";
  if (author === "seeded") return "Template";
  if (author === "outside") return "From outside";
  return authorName ?? "A person";
}

/** A version's origin, in a few words. */
export function mannerOf(version: MemoryVersion, ownerId: string | null): string {
  const { author, authorId, deleted, restoredVersion, run } = version;
  if (deleted) return "deleted";
  if (restoredVersion !== null) return `restored v${restoredVersion}`;
  if (author === "agent") return run?.isFlush ? "memory flush" : "a run";
  if (author === "seeded") return "for a new user";
  if (author === "outside") return "changed in its folder";
  return ownerId === null || authorId === ownerId ? "by hand" : "as admin";
}
