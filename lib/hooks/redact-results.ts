import type { Hook } from "@/lib/agent/hooks/hook";
import type { ToolResult } from "@/lib/schema/tools/tool";

interface RedactOptions {
  redact(text: string): string;
  /** Tools whose results are the workspace's own files, which are never changed. */
  readonly except: ReadonlySet<string>;
}

/**
 * Takes secrets out of what tools return, before anything else sees it. The innermost ring: what it returns is cut,
 * stored, traced, shown and sent to the model.
 */
export function redactResultsHook({ redact, except }: RedactOptions): Hook {
  return {
    name: "redact-results",
    async wrapToolCall(call, next) {
      const outcome = await next(call);
      if (outcome.kind !== "result" || except.has(call.name)) return outcome;
      return { ...outcome, result: redactResult(outcome.result, redact) };
    },
  };
}

function redactResult(result: ToolResult, redact: (text: string) => string): ToolResult {
  const { output, error, forUser, display } = result;
  return {
    ...result,
    output: redact(output),
    ...(error === undefined ? {} : { error: redact(error) }),
    ...(forUser === undefined ? {} : { forUser: redact(forUser) }),
    ...(display === undefined ? {} : redactDisplay(display, redact)),
  };
}

/** As JSON, so that names of fields and texts at any depth are covered. */
function redactDisplay(display: unknown, redact: (text: string) => string): Pick<ToolResult, "display"> {
  const written = JSON.stringify(display);
  if (written === undefined) return { display };
  const redacted = redact(written);
  return redacted === written ? { display } : parseDisplay(redacted);
}

/** A secret that was a bare number leaves no JSON: nothing is then shown but the text. */
function parseDisplay(json: string): Pick<ToolResult, "display"> {
  try {
    return { display: JSON.parse(json) };
  } catch {
    return { display: undefined };
  }
}
