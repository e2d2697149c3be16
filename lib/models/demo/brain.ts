import type { ModelRequest } from "@/lib/agent/model";
import { failureText, finalAnswerText, helpText, missingToolText, tooLongText } from "./answers";
import { takeAttached } from "./attached-rules";
import { boardScript, newCardScript } from "./board-rules";
import { delegationScript, takeoverText } from "./delegation-rules";
import { fileScript } from "./file-rules";
import { heartbeatScript } from "./heartbeat-rules";
import { memoryScript } from "./memory-rules";
import { peopleScript } from "./people-rules";
import { PLAN, plannedSteps, planScript } from "./plan-rules";
import { FILE, plainRequest, splitRequest } from "./request";
import { type AskedSkill, askedSkillOf, skillScript, withoutCommand } from "./skill-rules";
import { housekeepingText } from "./summary";
import { templateScript } from "./template-rules";
import { toolScript } from "./tool-rules";
import { type DemoResult, type DemoRound, type DemoScript, type DemoTurn, readTurn } from "./turn";
import { websiteScript } from "./website";

/** The rules are regular expressions that run on the server's only thread; text of this length takes milliseconds. */
const MOST_CHARS = 4_000;
const FIRST_FILE = new RegExp(FILE);

/** Decides what the demo model does next. Pure: the same request gives the same answer. */
export function decide(request: ModelRequest): DemoRound {
  const housekeeping = housekeepingText(request);
  if (housekeeping !== null) return { thought: "", say: housekeeping, calls: [] };
  const turn = readTurn(request);
  const takeover = takeoverText(turn);
  if (takeover !== null) return answer("Another agent handed this conversation to me.", takeover);
  if (turn.offered.size === 0 && turn.rounds.length > 0) return answer("My tools are gone.", finalAnswerText(turn));
  if (turn.text.length > MOST_CHARS) return answer("This is too long for my rules.", tooLongText(MOST_CHARS));
  const skill = askedSkillOf(request);
  const scripts = skill ? understandWithSkill(skill, turn) : understand(turn);
  if (scripts === null) return answer("None of my rules fits this request.", helpFor(turn));
  const missing = missingTools(scripts, turn.offered);
  if (missing.length > 0) return answer("I lack a tool for this.", missingToolText(missing));
  return follow(scripts, turn);
}

function helpFor(turn: DemoTurn): string {
  const worksHere = (text: string) => {
    const scripts = understand({ ...turn, text });
    return scripts !== null && missingTools(scripts, turn.offered).length === 0;
  };
  return helpText(turn.offered, worksHere);
}

function missingTools(scripts: readonly DemoScript[], offered: ReadonlySet<string>): string[] {
  return [...new Set(scripts.flatMap((script) => script.needs))].filter((tool) => !offered.has(tool));
}

/** Uses the skill first, then the rest of its command if a rule matches. */
function understandWithSkill(skill: AskedSkill, turn: DemoTurn): DemoScript[] {
  return [skillScript(skill), ...(understand({ ...turn, text: withoutCommand(turn.text) }) ?? [])];
}

/** The scripts of a request, in order; null if no rule matches. */
function understand(turn: DemoTurn): DemoScript[] | null {
  const { offered, lastFile } = turn;
  const beat = heartbeatScript(turn.text);
  if (beat) return [beat];
  const board = boardScript(turn.text, (task) => understand({ ...turn, text: task }));
  if (board) return board;
  const template = templateScript(turn.text);
  if (template) return [template];
  const { text, attached } = takeAttached(turn.text);
  if (attached) {
    const rest = understand({ ...turn, text }) ?? [];
    return [attached.script, ...rest.filter((script) => !attached.covers(script))];
  }
  const request = plainRequest(text);
  const website = websiteScript(request, offered);
  if (website) return [website];
  const plan = PLAN.exec(request);
  if (plan) return [planOf(plan[1] ?? "", offered)];
  const whole = scriptFor(request, offered, lastFile);
  const parts = splitRequest(request);
  const steps = parts.length > 1 ? scriptsFor(parts, offered, lastFile) : null;
  if (steps === null) return whole ? [whole] : null;
  const worthTodos = steps.length > 2 && offered.has("write_todos");
  if (!worthTodos) return steps;
  return [plannedSteps(steps.map((script, index) => ({ title: parts[index] ?? "", script })))];
}

function planOf(topic: string, offered: ReadonlySet<string>): DemoScript {
  const parts = splitRequest(topic.replace(/^(?:and\s+)?(?:do|execute|carry out)\s*:?\s+/i, ""));
  const scripts = scriptsFor(parts, offered);
  if (scripts === null) return planScript(topic, offered);
  return plannedSteps(scripts.map((script, index) => ({ title: parts[index] ?? "", script })));
}

/** One script per part; null if a part is not understood, which means that the split was wrong. */
function scriptsFor(parts: readonly string[], offered: ReadonlySet<string>, fileBefore?: string): DemoScript[] | null {
  const scripts: DemoScript[] = [];
  let lastFile = fileBefore;
  for (const part of parts) {
    const script = scriptFor(part, offered, lastFile);
    if (!script) return null;
    lastFile = FIRST_FILE.exec(part)?.[1] ?? lastFile;
    scripts.push(script);
  }
  return scripts;
}

function scriptFor(text: string, offered: ReadonlySet<string>, lastFile: string | undefined): DemoScript | null {
  const request = lastFile ? text.replace(/\b(?:it|this file|the file)\b(?=[.!]?$)/i, lastFile) : text;
  return (
    delegationScript(request) ??
    newCardScript(request) ??
    peopleScript(request, offered) ??
    memoryScript(request) ??
    toolScript(request, lastFile) ??
    fileScript(request, offered)
  );
}

function follow(scripts: readonly DemoScript[], turn: DemoTurn): DemoRound {
  const conclusions: string[] = [];
  let start = 0;
  for (const script of scripts) {
    const own = turn.rounds.slice(start, start + script.rounds.length);
    const failed = failureOf(script, own);
    if (failed) return answer("A tool failed, so I stop.", [...conclusions, failureText(failed)].join("\n\n"));
    const next = script.rounds[own.length];
    if (next) return next(own);
    conclusions.push(script.conclude(own));
    start += script.rounds.length;
  }
  return answer("Everything is done; now I report the result.", conclusions.join("\n\n"));
}

function failureOf(script: DemoScript, own: DemoTurn["rounds"]): DemoResult | undefined {
  for (const [index, results] of own.entries()) {
    const failed = results.find((result) => result.isError);
    if (failed && !script.mayFail?.has(index)) return failed;
  }
  return undefined;
}

function answer(thought: string, say: string): DemoRound {
  return { thought, say, calls: [] };
}
