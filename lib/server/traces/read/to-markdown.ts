import { formatDuration } from "@/lib/schema/format-duration";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { ReadCall, ReadPassage, ReadRun, ReadText, ReadTrace } from "@/lib/schema/traces/read-trace";

/** The same text as Markdown: calls with their arguments and results in fences, subagents as quotes. */
export function toMarkdown(trace: ReadTrace): string {
  const runs = new Map(trace.runs.map((run) => [run.runId, run]));
  const root = runs.get(trace.runId) ?? trace.runs[0];
  const head = [`# ${oneLine(trace.title ?? "Untitled run")}`, `${trace.askedBy}, ${trace.startedAt}`];
  const rest = trace.hasMoreRuns ? ["*More runs of subagents are not shown.*"] : [];
  return `${[...head, ...(root ? linesOf(root, runs) : []), ...rest].join("\n\n")}\n`;
}

function linesOf(run: ReadRun, runs: ReadonlyMap<string, ReadRun>): string[] {
  const removed = run.hasMessages ? [] : ["*Its messages were removed. Calls, times and cost are kept.*"];
  return [...removed, ...run.passages.flatMap((passage) => passageLines(passage, runs))];
}

function passageLines(passage: ReadPassage, runs: ReadonlyMap<string, ReadRun>): string[] {
  switch (passage.kind) {
    case "message":
      return ["**Message**", quote(wholeOf(passage.text))];
    case "step":
      return [`## Step ${passage.step}${stepTotals(passage)}`];
    case "thought":
      return [`*Thought*`, quote(wholeOf(passage.text))];
    case "answer":
      return [wholeOf(passage.text)];
    case "call":
      return callLines(passage, runs);
    case "wait":
      return [`**${oneLine(passage.title)}.** ${oneLine(passage.decision)}`];
    case "notice":
      return [`*${oneLine(passage.text)}*`];
  }
}

function stepTotals({ workedMs, costUsd }: Extract<ReadPassage, { kind: "step" }>): string {
  const facts = [
    workedMs === null ? null : formatDuration(workedMs),
    costUsd === null || costUsd === 0 ? null : formatUsd(costUsd),
  ].filter((fact) => fact !== null);
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

function callLines(call: ReadCall, runs: ReadonlyMap<string, ReadRun>): string[] {
  const took = call.durationMs === null ? "" : `, ${formatDuration(call.durationMs)}`;
  const gist = call.gist === "" ? "" : ` ${code(call.gist)}`;
  const children = call.childRunIds.flatMap((id) => {
    const run = runs.get(id);
    if (!run) return [];
    return [
      quote(
        [`**${run.name}, ${run.steps === 1 ? "1 step" : `${run.steps} steps`}**`, ...linesOf(run, runs)].join("\n\n"),
      ),
    ];
  });
  return [
    `- **${call.tool}**${gist} (${call.status}${took})`,
    ...(call.args.text === "{}" || call.args.text === "" ? [] : [fenced(call.args, "json")]),
    ...children,
    ...(call.result === null ? [] : [fenced(call.result, "")]),
  ];
}

function wholeOf({ text, chars }: ReadText): string {
  return chars > text.length ? `${text}\n\n[${(chars - text.length).toLocaleString("en")} more characters]` : text;
}

/** A fence longer than any inside of it. */
function fenced(text: ReadText, language: string): string {
  const whole = wholeOf(text);
  const longest = Math.max(2, ...[...whole.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${whole.replace(/\n$/u, "")}\n${fence}`;
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return longest === 0 ? `${mark}${oneLine(text)}${mark}` : `${mark} ${oneLine(text)} ${mark}`;
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
