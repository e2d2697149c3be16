import { setImmediate } from "node:timers/promises";
import { AppError } from "@/lib/schema/app-error";
import type { InputMessage } from "@/lib/schema/messages/message";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { guardModeOf } from "@/lib/server/platform/guard-default";
import { logger } from "@/lib/server/platform/logger";
import { PATTERN_NAMES, type PatternName } from "@/lib/text/scan/patterns";
import { INJECTION_DETECTED, type InputFinding, scanInput } from "@/lib/text/scan/scan-input";
import type { AgentVersion } from "./agent-version";

/** Incoming messages, as sent: nothing has been stripped from them yet. */
export interface GuardedInput {
  readonly ownerId: string;
  readonly version: AgentVersion;
  readonly messages: readonly InputMessage[];
}

/**
 * Scans messages by the agent's `guard.mode` (S4 §4). Returns what to log and trace; null if nothing was found or
 * scanned for. In mode `block` it throws `input_blocked` instead, after one log line and one audit entry (D-61): call
 * it before anything is stored.
 */
export async function guardInput(database: Database, input: GuardedInput): Promise<InputFinding | null> {
  const mode = guardModeOf(input.version.config);
  if (mode === "off") return null;
  const patterns = await findPatterns(input.messages);
  if (patterns.length === 0) return null;
  if (mode !== "block") return { patterns, mode };
  await recordBlocked(database, input, patterns);
  throw new AppError("input_blocked", `The message was blocked because it looks like ${patterns.join(", ")}.`, {
    details: { patterns },
  });
}

/**
 * Like `guardInput`, for entry points that store something before the run: throws in mode `block`, otherwise does
 * nothing.
 */
export async function refuseBlockedInput(database: Database, input: GuardedInput): Promise<void> {
  if (guardModeOf(input.version.config) === "block") await guardInput(database, input);
}

/**
 * The same for text that a person writes to a waiting run: answers, reasons. In mode `block` it throws `input_blocked`
 * and nothing is decided; otherwise a finding is a log line.
 */
export async function guardDecision(
  database: Database,
  guarded: Omit<GuardedInput, "messages"> & { readonly texts: readonly string[] },
  runId: string,
): Promise<void> {
  const { texts, ...rest } = guarded;
  const input = { ...rest, messages: texts.map((content) => ({ role: "user" as const, content })) };
  const finding = await guardInput(database, input);
  if (finding) logFinding(input, runId, finding);
}

/** Logs one line per run that was started despite a finding. */
export function logFinding({ ownerId, version }: GuardedInput, runId: string, { patterns, mode }: InputFinding): void {
  const fields = { runId, agentId: version.agentId, userId: ownerId, patterns, mode };
  logger()[mode === "log" ? "info" : "warn"](fields, INJECTION_DETECTED);
}

/** Between two messages everybody else has a turn: a megabyte takes a good part of a second. */
async function findPatterns(messages: readonly InputMessage[]): Promise<PatternName[]> {
  const found = new Set<PatternName>();
  for (const { content } of messages) {
    for (const name of scanInput(content)) found.add(name);
    await setImmediate();
  }
  return PATTERN_NAMES.filter((name) => found.has(name));
}

async function recordBlocked(
  database: Database,
  { ownerId, version }: GuardedInput,
  patterns: readonly PatternName[],
): Promise<void> {
  const { agentId } = version;
  logger().warn({ agentId, userId: ownerId, patterns, mode: "block" }, INJECTION_DETECTED);
  const record = { actorId: ownerId, action: "input.blocked", target: `agent:${agentId}`, details: { patterns } };
  await database.auditEntry.create({ data: auditColumns(record) });
}
