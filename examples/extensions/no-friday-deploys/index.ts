import { defineHook, deny, guardHook, proceed, z } from "ringmaster";

const FRIDAY = 5;

/** A guard: it looks at a tool call before it runs, and says no on a Friday. */
export default defineHook({
  name: "no-friday-deploys",
  description: "Refuses calls of the named tools on Fridays.",
  config: z.object({ tools: z.array(z.string()).default(["execute"]) }),
  create: ({ tools }) =>
    guardHook({
      preToolUse({ call, now }) {
        if (!tools.includes(call.name) || new Date(now).getDay() !== FRIDAY) return proceed();
        return deny("Nothing is deployed on a Friday. Prepare it, and tell the user to run it on Monday.");
      },
    }),
});
