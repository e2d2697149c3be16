import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { HttpToolList, TestHttpToolReply } from "@/lib/schema/tools/http-tool";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { env } from "@/lib/server/platform/env";
import type { OutgoingAnswer } from "@/lib/server/platform/safe-fetch";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { callHttpTool } from "./http-tool";
import { definitionOf, toHttpTool } from "./stored-http-tool";

/** Every HTTP tool, by name; of its secrets only whether there is one. */
export async function listRegisteredTools(database: Database): Promise<HttpToolList> {
  const rows = await database.httpTool.findMany({ orderBy: { name: "asc" } });
  return { httpTools: readEach(rows, "HTTP tool", toHttpTool), nextCursor: null };
}

const MAX_SHOWN = 100_000;

/**
 * One real call as an agent would make it; the ids of run, thread and call start with `test_`. A call that
 * fails is a reply, not an error. Throws `not_found`, and `invalid_input` for arguments that do not match.
 */
export async function testHttpTool(
  database: Database,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<TestHttpToolReply> {
  const row = await database.httpTool.findUnique({ where: { name } });
  if (!row) throw new AppError("not_found", `There is no registered tool "${name}".`);
  const parameters = JSON.parse(row.parameters);
  const parsed = readParameters(parameters).safeParse(args);
  if (!parsed.success) {
    const details = parsed.error.issues.map(({ path, message }) => ({ path: ["args", ...path].join("."), message }));
    const words = details.map(({ path, message }) => `${path}: ${message}`).join("; ");
    throw new AppError("invalid_input", `The arguments do not fit. ${words}.`, { details });
  }
  const id = createId("test");
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  let answer: OutgoingAnswer | undefined;
  const shown = () => (answer === undefined ? {} : { answer: { ...answer, text: answer.text.slice(0, MAX_SHOWN) } });
  try {
    const origin = { runId: id, threadId: id, toolCallId: id, nowMs: Date.now(), signal };
    const rules = { allowedPrivateHosts: env().allowedPrivateHosts };
    const onAnswer = (given: OutgoingAnswer) => {
      answer = given;
    };
    const result = await callHttpTool(definitionOf(row), { args: parsed.data, rules, origin, onAnswer });
    return { ok: true, output: typeof result === "string" ? result : result.output, durationMs: took(), ...shown() };
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, output: "", error: message, durationMs: took(), ...shown() };
  }
}
