import { escapeHtml } from "@/lib/schema/escape-html";
import { formatDuration } from "@/lib/schema/format-duration";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { ReadCall, ReadPassage, ReadRun, ReadText, ReadTrace } from "@/lib/schema/traces/read-trace";

type Runs = ReadonlyMap<string, ReadRun>;

/** The text of the run: calls fold, subagents stand in the calls that started them. */
export function readPart(trace: ReadTrace): string {
  const runs = new Map(trace.runs.map((run) => [run.runId, run]));
  const root = runs.get(trace.runId) ?? trace.runs[0];
  const rest = trace.hasMoreRuns ? '<p class="muted">More runs of subagents are not shown.</p>' : "";
  return `${root === undefined ? "" : partOf(root, runs)}${rest}`;
}

function partOf(run: ReadRun, runs: Runs): string {
  const removed = run.hasMessages
    ? ""
    : '<p class="muted">Its messages were removed. Calls, times and cost are kept.</p>';
  return removed + run.passages.map((passage) => passagePart(passage, runs)).join("\n");
}

function passagePart(passage: ReadPassage, runs: Runs): string {
  switch (passage.kind) {
    case "message":
      return `<div class="message">${wholeOf(passage.text)}</div>`;
    case "step":
      return `<h2>Step ${passage.step}${stepTotals(passage)}</h2>`;
    case "thought":
      return `<details><summary class="muted">Thought</summary><div class="answer muted">${wholeOf(passage.text)}</div></details>`;
    case "answer":
      return `<div class="answer">${wholeOf(passage.text)}</div>`;
    case "call":
      return callPart(passage, runs);
    case "wait":
      return `<p class="wait"><strong>${escapeHtml(passage.title)}</strong><br>${escapeHtml(passage.decision)}</p>`;
    case "notice":
      return `<p class="${passage.tone === "fail" ? "fail" : "muted"}">${escapeHtml(passage.text)}</p>`;
  }
}

function stepTotals({ workedMs, costUsd }: Extract<ReadPassage, { kind: "step" }>): string {
  const facts = [
    ...(workedMs === null ? [] : [formatDuration(workedMs)]),
    ...(costUsd === null || costUsd === 0 ? [] : [formatUsd(costUsd)]),
  ];
  return facts.length === 0 ? "" : ` <span class="muted">${facts.join(", ")}</span>`;
}

function callPart(call: ReadCall, runs: Runs): string {
  const { tool, gist, status, durationMs, args, result, isError, childRunIds } = call;
  const state = isError || status === "failed" ? ' class="fail"' : "";
  const took = durationMs === null ? "" : `, ${formatDuration(durationMs)}`;
  const children = childRunIds.flatMap((id) => {
    const run = runs.get(id);
    if (run === undefined) return [];
    const steps = run.steps === 1 ? "1 step" : `${run.steps} steps`;
    return [
      `<details class="child"><summary>${escapeHtml(run.name)}, ${steps}</summary>${partOf(run, runs)}</details>`,
    ];
  });
  return [
    `<details><summary${state}><strong>${escapeHtml(tool)}</strong> ${escapeHtml(gist)} <span class="muted">${status}${took}</span></summary>`,
    args.text === "" || args.text === "{}" ? "" : `<pre>${wholeOf(args)}</pre>`,
    ...children,
    result === null ? "" : `<pre>${wholeOf(result)}</pre>`,
    "</details>",
  ].join("");
}

function wholeOf({ text, chars }: ReadText): string {
  const more = chars - text.length;
  return `${escapeHtml(text)}${more > 0 ? `\n\n[${more.toLocaleString("en")} more characters]` : ""}`;
}
