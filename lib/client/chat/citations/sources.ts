import type { ToolCallView, TranscriptStep } from "@/lib/client/chat/transcript-steps";

/** A page read for a reply, by the number the reply cites it by. */
export interface Source {
  readonly number: number;
  readonly url: string;
  readonly title: string | null;
  /** The page's text as the model read it, with its surroundings. */
  readonly output: string;
}

const NONE: readonly Source[] = [];

/** The pages of a reply, each once, by number. */
export function sourcesOf(steps: readonly TranscriptStep[]): readonly Source[] {
  const sources = new Map<number, Source>();
  for (const call of steps.flatMap(callsOf)) {
    const page = call.display as { kind?: unknown; number?: unknown; url?: unknown; title?: unknown } | undefined;
    if (page?.kind !== "web-page" || typeof page.number !== "number" || typeof page.url !== "string") continue;
    const title = typeof page.title === "string" ? page.title : null;
    sources.set(page.number, { number: page.number, url: page.url, title, output: call.output });
  }
  if (sources.size === 0) return NONE;
  return [...sources.values()].toSorted((one, other) => one.number - other.number);
}

function callsOf(step: TranscriptStep): readonly ToolCallView[] {
  if (step.kind === "tool") return [step.call];
  return step.kind === "tool-run" ? step.calls : [];
}
