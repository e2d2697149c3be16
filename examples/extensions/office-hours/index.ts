import { defineHook, guardHook, human, z } from "ringmaster";

/** Adds context before a run: once, and then it holds in every call of the model, also after the run has waited. */
export default defineHook({
  name: "office-hours",
  description: "Tells the model whether somebody is in the office.",
  config: z.object({
    opens: z.number().int().min(0).max(23).default(9),
    closes: z.number().int().min(1).max(24).default(17),
  }),
  create: ({ opens, closes }) =>
    guardHook({
      preGeneration({ state, now }) {
        const hour = new Date(now).getHours();
        const isOpen = hour >= opens && hour < closes;
        state.messages.unshift(human(`[The office is ${isOpen ? "open" : `closed until ${opens}:00`}.]`));
        if (!isOpen) state.systemPrompt += "\n\nNobody is in the office. Take a note instead of promising a call.";
      },
    }),
});
