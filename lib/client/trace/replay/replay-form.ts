import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { type ReplayableTool, ReplayBody, type ReplayPlan } from "@/lib/schema/traces/replay";
import { ReplayTools, type ToolPolicy } from "@/lib/schema/traces/replay-tools";

/** What the form of a replay shows. Choices are texts, because a list is made of them. */
const ReplayForm = z.object({
  fromStep: z.string(),
  /** A number, `draft`, or empty for the recorded one. */
  version: z.string(),
  model: z.string(),
  systemPrompt: z.string(),
  message: z.string(),
  /** A call whose result or arguments are changed; empty for none. */
  callId: z.string(),
  callPart: z.enum(["result", "args"]),
  result: z.string(),
  /** JSON. */
  args: z.string(),
  /** How calls are answered, and those that the recording lacks. */
  tools: ReplayTools.shape.default.unwrap(),
  onMiss: z.enum(["fail", "sandbox", "ask"]),
  /** Of each tool of the plan: a policy of its own, `fixed` for a text, or empty for that of all; and its text. */
  per: z.array(z.enum(["", "recorded", "sandbox", "live", "ask", "fail", "fixed"])),
  fixed: z.array(z.string()),
  /** Whether the tools that do more than read may really run. */
  isConfirmed: z.boolean(),
  reusesDecisions: z.boolean(),
  repeat: z.string(),
  withControl: z.boolean(),
});
export type ReplayForm = z.infer<typeof ReplayForm>;

/** As recorded. */
export function recordedForm({ model, systemPrompt, message, tools }: ReplayPlan, fromStep: number): ReplayForm {
  return {
    fromStep: String(fromStep),
    version: "",
    model,
    systemPrompt: systemPrompt ?? "",
    message: message ?? "",
    callId: "",
    callPart: "result",
    result: "",
    args: "",
    tools: "recorded",
    onMiss: "fail",
    per: tools.map(() => ""),
    fixed: tools.map(() => ""),
    isConfirmed: false,
    reusesDecisions: true,
    repeat: "3",
    withControl: true,
  };
}

/** What the form changes of the recording; undefined for nothing. */
export function changesOf(plan: ReplayPlan, form: ReplayForm): ReplayBody["with"] {
  const config = {
    ...(form.model === plan.model ? {} : { model: form.model }),
    ...(plan.systemPrompt === null || form.systemPrompt === plan.systemPrompt
      ? {}
      : { system_prompt: form.systemPrompt }),
  };
  const { callId, callPart, result, args } = form;
  const changes = {
    ...versionOf(form.version),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(plan.message === null || form.message === plan.message ? {} : { message: form.message }),
    ...(callId === "" || callPart !== "result" ? {} : { results: { [callId]: result } }),
    ...(callId === "" || callPart !== "args" ? {} : { args: { [callId]: readArgs(args) } }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function versionOf(version: string): { readonly version?: number; readonly draft?: true } {
  if (version === "") return {};
  return version === "draft" ? { draft: true } : { version: Number(version) };
}

/** What is no JSON object stays a text, which the request refuses. */
function readArgs(text: string): Record<string, unknown> {
  return readJsonObject(text) ?? (text as unknown as Record<string, unknown>);
}

type ToolChoice = Pick<ReplayForm, "tools" | "per">;

/** How each tool's calls are answered. */
export function policiesOf(tools: readonly ReplayableTool[], { tools: all, per }: ToolChoice): readonly string[] {
  return tools.map((_, index) => per[index] || all);
}

/** The tools that would really run and do more than read: each has to be confirmed. */
export function liveTools(tools: readonly ReplayableTool[], form: ToolChoice): string[] {
  const policies = policiesOf(tools, form);
  return tools
    .filter(({ readOnly }, index) => readOnly === false && policies[index] === "live")
    .map(({ name }) => name);
}

const RUNNING: ReadonlySet<string> = new Set(["sandbox", "live", "ask"]);

/** Whether a call may really run. */
export function mayRun(tools: readonly ReplayableTool[], form: ToolChoice & Pick<ReplayForm, "onMiss">): boolean {
  return form.onMiss !== "fail" || RUNNING.has(form.tools) || policiesOf(tools, form).some((one) => RUNNING.has(one));
}

/** Whether a call may get its recorded result, so that one may lack it. */
export function mayMiss(tools: readonly ReplayableTool[], form: ToolChoice): boolean {
  return [form.tools, ...policiesOf(tools, form)].some((policy) => policy === "recorded" || policy === "sandbox");
}

/** How often the recording calls each tool. */
export function recordedCalls({ calls }: Pick<ReplayPlan, "calls">): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, all]) => [tool, all.length]));
}

/** The tools that can't run, because the agent has them no longer. */
export function missingTools(tools: readonly ReplayableTool[]): string[] {
  return tools.filter(({ readOnly }) => readOnly === null).map(({ name }) => name);
}

function toolsOf(
  { tools }: ReplayPlan,
  form: ReplayForm,
): Pick<ReplayBody, "tools" | "confirmLive" | "reuse_decisions"> {
  return {
    tools: { default: form.tools, on_miss: mayMiss(tools, form) ? form.onMiss : "fail", per: ownPolicies(tools, form) },
    confirmLive: form.isConfirmed ? liveTools(tools, form) : [],
    reuse_decisions: form.reusesDecisions && mayReuse(tools, form),
  };
}

/** Whether a decision may be asked for again: a call that waits in any case is decided anew. */
export function mayReuse(tools: readonly ReplayableTool[], form: ToolChoice): boolean {
  return [form.tools, ...policiesOf(tools, form)].some((policy) => policy === "sandbox" || policy === "live");
}

/** Tools that the agent has no longer keep their recorded results: they can't run. */
function ownPolicies(tools: readonly ReplayableTool[], form: ReplayForm): ReplayBody["tools"]["per"] {
  const policies = policiesOf(tools, form);
  return Object.fromEntries(
    tools.flatMap(({ name, readOnly }, index): [string, ToolPolicy][] => {
      const policy = ToolChoices.parse(policies[index]);
      if (policy === "fixed") return [[name, { fixed: form.fixed[index] ?? "" }]];
      if (readOnly === null && RUNNING.has(policy)) return [[name, "recorded"]];
      return policy === form.tools ? [] : [[name, policy]];
    }),
  );
}

const ToolChoices = z.enum(["recorded", "sandbox", "live", "ask", "fail", "fixed"]);

/** How many runs the form starts. */
export function runsOf(plan: ReplayPlan, form: ReplayForm): number {
  const isChanged = changesOf(plan, form) !== undefined;
  return Number(form.repeat) * (isChanged && form.withControl ? 2 : 1);
}

const Request = z.object({
  replay: ReplayBody.pick({
    ...{ runId: true, fromStep: true, repeat: true, with: true },
    ...{ tools: true, confirmLive: true, reuse_decisions: true },
  }),
  withControl: z.boolean(),
});

/** The requests that the form of this run sends. */
export function replaySchema(plan: ReplayPlan) {
  return formSchema(
    ReplayForm,
    (form) => ({
      replay: {
        runId: plan.runId,
        fromStep: Number(form.fromStep),
        repeat: Number(form.repeat),
        with: changesOf(plan, form),
        ...toolsOf(plan, form),
      },
      withControl: form.withControl,
    }),
    Request,
  );
}

/** Which field has what stands at a path of the request. */
export function fieldOfReplay(path: string): string {
  if (path.startsWith("replay.with.config.model") || path === "model") return "model";
  if (path.includes("system_prompt")) return "systemPrompt";
  if (path.includes("with.message")) return "message";
  if (path.includes("with.version") || path.includes("with.draft")) return "version";
  if (path.includes("with.args")) return "args";
  return path.includes("with.results") ? "result" : path;
}
