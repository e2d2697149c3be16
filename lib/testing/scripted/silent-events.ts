import type { RunEvent } from "@/lib/schema/runs/run-event";
import { REPLY, RUN_STARTED } from "@/lib/testing/scripted/reply-events";

/** A run whose only reply turns out to be silent at its end, after some of it has been shown. */
export const SILENT: readonly RunEvent[] = [
  RUN_STARTED,
  { type: "model.started", step: 1, model: "openai:gpt" },
  { type: "text.delta", step: 1, delta: "All quiet." },
  { type: "step.reset", step: 1 },
  {
    type: "model.completed",
    step: 1,
    durationMs: 30,
    reply: { ...REPLY, content: "", model: "openai:gpt", silent: true },
  },
  { type: "run.completed", status: "completed", silent: true },
];
