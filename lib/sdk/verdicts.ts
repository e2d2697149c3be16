import type { Verdict } from "@/lib/agent/hooks/guard";

/** The call may run, even if an inner guard would ask a person. */
export function allow(): Verdict {
  return { verdict: "allow" };
}

/** The call does not run; the model reads `text` instead of a result, so it should say what to do next. */
export function deny(text: string): Verdict {
  return { verdict: "deny", message: text };
}

/** The call waits for approval; `text` tells the person why they are asked. */
export function ask(text?: string): Verdict {
  return text === undefined ? { verdict: "ask" } : { verdict: "ask", message: text };
}

/** No opinion: the other guards decide. */
export function proceed(): Verdict {
  return { verdict: "continue" };
}
