import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { type ReplayableTool, ReplayBody, type ReplayPlan } from "@/lib/schema/traces/replay";
import { ReplayTools } from "@/lib/schema/traces/replay-tools";

/** What the form of a replay shows. Choices are texts, because a list is made of them. */
const ReplayForm = z.object({
  fromStep: z.string(),
  model: z.string(),
  systemPrompt: z.string(),
  message: z.string(),
  /** A call whose result is changed; empty for none. */
  callId: z.string(),
  result: z.string(),
  /** How calls are answered, and those that the recording lacks. */
  tools: ReplayTools.shape.default.unwrap(),
  onMiss: z.enum(["fail", "sandbox", "ask"]),
  /** Whether the tools that do more than read may really run. */
  isConfirmed: z.boolean(),
  reusesDecisions: z.boolean(),
  repeat: z.string(),
  withControl: z.boolean(),
});
export type ReplayForm = z.infer<typeof ReplayForm>;

/** As recorded. */
export function recordedForm({ model, systemPrompt, message }: ReplayPlan, fromStep: number): ReplayForm {
  return {
    fromStep: String(fromStep),
    model,
    systemPrompt: systemPrompt ?? "",
    message: message ?? "",
    callId: "",
    result: "",
    tools: "recorded",
    onMiss: "fail",
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
  const changes = {
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(plan.message === null || form.message === plan.message ? {} : { message: form.message }),
    ...(form.callId === "" ? {} : { results: { [form.callId]: form.result } }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** The tools that would really run and do more than read: each has to be confirmed. */
export function liveTools(tools: readonly ReplayableTool[], form: Pick<ReplayForm, "tools">): string[] {
  if (form.tools !== "live") return [];
  return tools.filter(({ readOnly }) => readOnly === false).map(({ name }) => name);
}

/** The tools that can't run, because the agent has them no longer. */
export function missingTools(tools: readonly ReplayableTool[]): string[] {
  return tools.filter(({ readOnly }) => readOnly === null).map(({ name }) => name);
}

function toolsOf(
  { tools }: ReplayPlan,
  form: ReplayForm,
): Pick<ReplayBody, "tools" | "confirmLive" | "reuse_decisions"> {
  const isAnswered = form.tools === "recorded" || form.tools === "sandbox";
  const onMiss = isAnswered ? form.onMiss : "fail";
  const stay = form.tools === "recorded" ? [] : missingTools(tools);
  return {
    tools: {
      default: form.tools,
      on_miss: onMiss,
      per: Object.fromEntries(stay.map((name) => [name, "recorded" as const])),
    },
    confirmLive: form.isConfirmed ? liveTools(tools, form) : [],
    reuse_decisions: form.reusesDecisions && (form.tools === "sandbox" || form.tools === "live"),
  };
}

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
  return path.includes("with.results") ? "result" : path;
}
