import type { UsageDimension, UsageReport, UsageRow } from "@/lib/schema/usage/usage-report";

const NAMES: Partial<Record<UsageDimension, keyof UsageRow>> = {
  agent: "agentName",
  user: "userName",
  group: "groupName",
  key: "keyName",
};

const FIGURES = [
  "runs",
  "failed",
  "inputTokens",
  "cachedReadTokens",
  "cachedWriteTokens",
  "outputTokens",
  "reasoningTokens",
  "costUsd",
  "knownCostUsd",
  "unpricedTokens",
  "partialRuns",
  "p50Ms",
  "p95Ms",
] as const satisfies (keyof UsageRow)[];

/** The rows as CSV (RFC 4180). Unknown values are empty, never 0. */
export function usageCsv({ rows }: UsageReport, by: readonly UsageDimension[]): string {
  const columns: (keyof UsageRow)[] = [...by.flatMap((name) => [name, NAMES[name] ?? []].flat()), ...FIGURES];
  const lines = [columns.join(","), ...rows.map((row) => columns.map((name) => cell(row[name])).join(","))];
  return `${lines.join("\r\n")}\r\n`;
}

/** People choose names: a spreadsheet must not execute one that begins like a formula. */
function cell(value: string | number | null | undefined): string {
  if (typeof value !== "string") return String(value ?? "");
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
