import { z } from "zod";
import { formSchema } from "@/lib/client/forms/typed";
import { ReplayBody, type ReplayPlan } from "@/lib/schema/traces/replay";

/** What the form of a replay shows. Choices are texts, because a list is made of them. */
const ReplayForm = z.object({
  fromStep: z.string(),
  model: z.string(),
  systemPrompt: z.string(),
  message: z.string(),
  /** A call whose result is changed; empty for none. */
  callId: z.string(),
  result: z.string(),
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

/** How many runs the form starts. */
export function runsOf(plan: ReplayPlan, form: ReplayForm): number {
  const isChanged = changesOf(plan, form) !== undefined;
  return Number(form.repeat) * (isChanged && form.withControl ? 2 : 1);
}

const Request = z.object({
  replay: ReplayBody.pick({ runId: true, fromStep: true, repeat: true, with: true }),
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
