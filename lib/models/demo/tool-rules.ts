import { FILE, unquote } from "./request";
import { callRound, codeBlock, type DemoScript, readJson, resultOf } from "./turn";

const RUN = /^(?:run|execute)\s+(?:the\s+)?(?:(?:shell\s+)?command\b|script\b)?\s*:?\s*([\s\S]+?)$/i;
const CALCULATE = /^(?:calculate|compute|evaluate|what(?:'s| is)|how much is)\s+:?\s*([\s\S]+?)\s*[?=.]?$/i;
const ARITHMETIC =
  /^(?=.*\d)(?=.*[-+*/^%×÷(])[\d\s.,+\-*/^%()×÷]+$|^(?=.*\d)[\s\d.,+\-*/^%()]*\b(?:sqrt|sin|cos|tan|log|ln|exp|abs|round|floor|ceil|min|max|pi)\b[\w\s.,+\-*/^%()]*$/i;
const TIME =
  /^(?:what(?:'s| is)?\s+(?:the\s+)?(?:current\s+)?(?:time|date|day)|what time is it|which day is it|tell me the (?:time|date)|current (?:time|date))\b(?:.*?\bin\s+([A-Za-z_/ ]+?))?(?:\s+(?:is it|now|today|it is|right now))*[?.!]?$/i;

const DELETE = new RegExp(String.raw`^(?:delete|remove)\s+(?:the\s+)?(?:file\s+)?${FILE}[.!]?$`, "i");
const MOVE = new RegExp(
  String.raw`^(?:rename|move)\s+(?:the\s+)?(?:file\s+)?${FILE}\s+(?:to|as|into)\s+["'\x60]?([\w@+./-]+?)["'\x60]?[.!]?$`,
  "i",
);
const MAKE_FOLDER =
  /^(?:create|make|add)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:folder|directory)\s+(?:called\s+|named\s+)?["'`]?([\w@+./-]+?)["'`]?[.!]?$/i;

const INTERPRETERS = new Map([
  ["py", "python3"],
  ["js", "node"],
  ["mjs", "node"],
  ["sh", "sh"],
  ["rb", "ruby"],
]);
const CITIES = new Map([
  ["berlin", "Europe/Berlin"],
  ["paris", "Europe/Paris"],
  ["london", "Europe/London"],
  ["madrid", "Europe/Madrid"],
  ["rome", "Europe/Rome"],
  ["tokyo", "Asia/Tokyo"],
  ["delhi", "Asia/Kolkata"],
  ["sydney", "Australia/Sydney"],
  ["new york", "America/New_York"],
  ["los angeles", "America/Los_Angeles"],
  ["san francisco", "America/Los_Angeles"],
  ["utc", "UTC"],
]);

/** The script for a request for a command, arithmetic or the time, or null. `lastFile` is what "run it" refers to. */
export function toolScript(text: string, lastFile: string | undefined): DemoScript | null {
  const time = TIME.exec(text);
  if (time) return timeScript(time[1]);
  const housekeeping = housekeepingCommand(text);
  if (housekeeping) return runScript(housekeeping);
  const run = RUN.exec(text);
  if (run) return runScript(commandFor(unquote(run[1] ?? ""), lastFile));
  const expression = toSymbols(CALCULATE.exec(text)?.[1] ?? text);
  return ARITHMETIC.test(expression) ? calculateScript(expression) : null;
}

/** The names contain no shell metacharacters, so they need no quotes. */
function housekeepingCommand(text: string): string | undefined {
  const deleted = DELETE.exec(text)?.[1];
  if (deleted) return `rm -- ${deleted}`;
  const [, from, to] = MOVE.exec(text) ?? [];
  if (from && to) return `mv -- ${from} ${to}`;
  const folder = MAKE_FOLDER.exec(text)?.[1];
  return folder ? `mkdir -p -- ${folder}` : undefined;
}

function commandFor(asked: string, lastFile: string | undefined): string {
  const target = /^(?:it|that|this|the (?:file|script|program))[.!]?$/i.test(asked) ? (lastFile ?? asked) : asked;
  const extension = /^[\w@+./-]+\.(\w+)$/.exec(target)?.[1];
  const interpreter = extension ? INTERPRETERS.get(extension) : undefined;
  return interpreter ? `${interpreter} ${target}` : target;
}

function runScript(command: string): DemoScript {
  return {
    needs: ["execute"],
    rounds: [
      () =>
        callRound(
          {
            thought: "The user wants a command to run; execute runs it in the sandbox.",
            say: `I'll run \`${command}\`.`,
          },
          "execute",
          {
            command,
          },
        ),
    ],
    conclude(done) {
      const raw = resultOf(done, 0)?.text ?? "";
      const result = readJson(raw) as { exit_code?: unknown; output?: unknown; duration_ms?: unknown } | undefined;
      if (typeof result?.output !== "string") return codeBlock(raw);
      const state = result.exit_code === 0 ? "It succeeded" : `It ended with exit code ${result.exit_code}`;
      const took = typeof result.duration_ms === "number" ? ` after ${Math.round(result.duration_ms)} ms` : "";
      const output = result.output === "" ? "It printed nothing." : codeBlock(result.output, "text");
      return `${state}${took}.\n\n${output}`;
    },
  };
}

function calculateScript(expression: string): DemoScript {
  return {
    needs: ["calculate"],
    rounds: [
      () =>
        callRound({ thought: "This is arithmetic, which a tool does better than I do.", say: "" }, "calculate", {
          expression,
        }),
    ],
    conclude: (done) => `\`${expression}\` = **${resultOf(done, 0)?.text ?? "?"}**`,
  };
}

function timeScript(place: string | undefined): DemoScript {
  const zone = place && (CITIES.get(place.trim().toLowerCase()) ?? (place.includes("/") ? place.trim() : undefined));
  return {
    needs: ["current_datetime"],
    rounds: [
      () =>
        callRound(
          { thought: "I have no clock; current_datetime has one.", say: "" },
          "current_datetime",
          zone ? { timezone: zone } : {},
        ),
    ],
    conclude: (done) => `It is **${resultOf(done, 0)?.text ?? "?"}**${zone ? ` (${zone})` : ""}.`,
  };
}

function toSymbols(expression: string): string {
  return expression
    .replace(/\s+/g, " ")
    .replace(/ (?:times|multiplied by) |×/gi, " * ")
    .replace(/ divided by |÷/gi, " / ")
    .replace(/ plus /gi, " + ")
    .replace(/ minus /gi, " - ")
    .trim();
}
