import "server-only";
import { FINAL_ANSWER } from "@/lib/agent/ask-model";
import type { ModelRequest, PromptSection } from "@/lib/agent/model";
import type { Tool } from "@/lib/agent/tools/tool";
import { AppError } from "@/lib/schema/app-error";
import type { ToolSchema } from "@/lib/schema/tools/tool";
import type { Database } from "@/lib/server/platform/db/database";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { loadStepRequest } from "@/lib/server/traces/load-sent-request";
import { rootSpanId } from "@/lib/server/traces/open-trace";
import type { RecordedRun } from "./recorded-run";

/** What a change of settings does to a request: what it touches, named as in the request. */
export interface TouchedParts {
  readonly before: Pick<ModelRequest, "system" | "tools">;
  readonly after: Pick<ModelRequest, "system" | "tools">;
}

/** Reads what the steps of a run sent; a step beyond the last sends what that one sent. */
export function recordedRequests(db: Database, { run }: RecordedRun) {
  const read = new Map<number, Promise<ModelRequest>>();
  const requestOf = (step: number): Promise<ModelRequest> => {
    const known = read.get(step) ?? load(step);
    read.set(step, known);
    return known;
  };
  const load = async (wanted: number): Promise<ModelRequest> => {
    const step = Math.min(wanted, run.steps);
    const sent = await loadStepRequest(db, { runId: run.id, rootId: rootSpanId(run.id), step });
    if (!sent) throw new AppError("conflict", `What step ${step} of the run sent is no longer kept.`);
    const isLast = sent.system.some(({ name }) => name === FINAL_ANSWER.name);
    // The loop adds this section, and leaves out the tools, where a run has used up its steps.
    return isLast && step > 1 ? requestOf(step - 1) : sent;
  };
  return requestOf;
}

/** The recorded parts, with those that the change touches as it leaves them. */
export function withTouched<Parts extends Pick<ModelRequest, "system" | "tools">>(
  recorded: Parts,
  touched: TouchedParts | null,
): Parts {
  if (touched === null) return recorded;
  const { before, after } = touched;
  return {
    ...recorded,
    system: changedSections(recorded.system, before.system, after.system),
    tools: changedTools(recorded.tools, before.tools, after.tools),
  };
}

function changedSections(
  recorded: readonly PromptSection[],
  before: readonly PromptSection[],
  after: readonly PromptSection[],
): PromptSection[] {
  const textOf = (sections: readonly PromptSection[], name: string) =>
    sections.find((section) => section.name === name)?.text;
  const kept = recorded.flatMap((section): PromptSection[] => {
    const [was, is] = [textOf(before, section.name), textOf(after, section.name)];
    if (was === is || ALWAYS_RECORDED.has(section.name)) return [section];
    if (is === undefined) return [];
    return [{ name: section.name, text: was === undefined ? is : replaced(section.text, was, is) }];
  });
  let place = 0;
  for (const { name, text } of after) {
    const at = kept.findIndex((section) => section.name === name);
    if (at >= 0) place = at + 1;
    else if (textOf(before, name) === undefined && !ALWAYS_RECORDED.has(name)) kept.splice(place++, 0, { name, text });
  }
  return kept;
}

/** The time differs between any two requests. */
const ALWAYS_RECORDED = new Set(["time"]);

/** What else a section held when it was recorded, such as a file's text, stays. */
function replaced(recorded: string, was: string, is: string): string {
  const at = was === "" ? -1 : recorded.indexOf(was);
  return at < 0 ? is : recorded.slice(0, at) + is + recorded.slice(at + was.length);
}

function changedTools(
  recorded: readonly ToolSchema[],
  before: readonly ToolSchema[],
  after: readonly ToolSchema[],
): ToolSchema[] {
  const find = (tools: readonly ToolSchema[], name: string) => tools.find((tool) => tool.name === name);
  const kept = recorded.flatMap((tool): ToolSchema[] => {
    const [was, is] = [find(before, tool.name), find(after, tool.name)];
    if (JSON.stringify(was) === JSON.stringify(is)) return [tool];
    return is === undefined ? [] : [is];
  });
  const added = after.filter(({ name }) => !find(before, name) && !find(recorded, name));
  return [...kept, ...added];
}

interface KnownTool {
  readonly tool: string;
  readonly kind: string;
  readonly aliases: string;
}

/** The tools as a replay offers them: they read arguments as the recorded ones did, and none of them runs. */
export async function recordedTools(
  db: Database,
  { run, endingTools }: RecordedRun,
  schemas: readonly ToolSchema[],
): Promise<Tool[]> {
  const rows: KnownTool[] = await db.call.findMany({
    where: { runId: run.id },
    distinct: ["tool"],
    select: { tool: true, kind: true, aliases: true },
  });
  return schemas.map((schema) => {
    const known = rows.find(({ tool }) => tool === schema.name);
    return {
      ...schema,
      annotations: { readOnly: true },
      ...(known ? { aliases: JSON.parse(known.aliases) as string[] } : {}),
      ...(endingTools.has(schema.name) ? { endsRun: true } : {}),
      parse: parserOf(schema.parameters),
      execute: async () => {
        throw new AppError("not_available", "No tool of a replay runs.");
      },
    };
  });
}

/** Only what fits is not read as another type. */
function parserOf(parameters: ToolSchema["parameters"]): Tool["parse"] {
  const check = checkOf(parameters);
  return (args) => {
    const parsed = check?.safeParse(args);
    return parsed?.success === false ? { ok: false, message: parsed.error.message } : { ok: true, args };
  };
}

/** Null for a schema that can't be compiled: the tool took whatever it was sent. */
function checkOf(parameters: ToolSchema["parameters"]): ReturnType<typeof readParameters> | null {
  try {
    return readParameters(parameters);
  } catch {
    return null;
  }
}
