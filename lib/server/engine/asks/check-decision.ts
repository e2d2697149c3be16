import type { FieldProblem } from "@/lib/schema/app-error";
import { AppError } from "@/lib/schema/app-error";
import { BudgetRaise, BudgetRefusal } from "@/lib/schema/runs/budget-ask";
import type { Answer, Decision, Question } from "@/lib/schema/runs/interrupt";
import { patternMatches, simpleCommand } from "@/lib/schema/tools/command-pattern";

/** A waiting call, as described by its row. */
export interface PendingApproval {
  readonly id: string;
  readonly kind: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly questions: readonly Question[];
}

/**
 * Checks that the decision fits what was asked. `at` is its index in the body. Throws `invalid_input` naming the field.
 */
export function checkDecision(decision: Decision, asked: PendingApproval, at: number): void {
  const problem = problemOf(decision, asked);
  if (problem) throw invalidDecision(at, problem);
}

function problemOf(decision: Decision, asked: PendingApproval): FieldProblem | null {
  if (asked.kind === "question") return problemOfAnswer(decision, asked);
  if (asked.kind === "connect") return problemOfConnect(decision);
  return asked.kind === "budget" ? problemOfRaise(decision) : problemOfVerdict(decision, asked);
}

function problemOfConnect({ decision, args, answers, scope }: Decision): FieldProblem | null {
  if (decision !== "allow" && decision !== "deny") {
    return { path: "decision", message: "A connection is needed: connect and allow, or deny." };
  }
  if (args !== undefined || answers !== undefined) return { path: "args", message: "A connection has no arguments." };
  if (scope === "thread" || scope === "pattern") return { path: "scope", message: "This decides on one call only." };
  return null;
}

function problemOfRaise({ decision, args, scope }: Decision): FieldProblem | null {
  if (decision !== "allow" && decision !== "deny") {
    return { path: "decision", message: "A budget was reached: allow, with what to add, or deny." };
  }
  if (scope === "thread") return { path: "scope", message: "What is added to a budget holds for its period." };
  const raise = (decision === "deny" ? BudgetRefusal : BudgetRaise).safeParse(args ?? {});
  if (raise.success) return null;
  const [issue] = raise.error.issues;
  return { path: ["args", ...(issue?.path ?? [])].join("."), message: issue?.message ?? "Say how much to add." };
}

export function invalidDecision(at: number, { path, message }: FieldProblem): AppError {
  const field = `decisions.${at}.${path}`;
  return new AppError("invalid_input", `${field}: ${message}`, { details: [{ path: field, message }] });
}

function problemOfVerdict(given: Decision, asked: PendingApproval): FieldProblem | null {
  const { decision, args, answers, scope } = given;
  if (decision === "answer" || answers !== undefined) {
    return { path: "decision", message: "This call asks for an approval: allow, deny or edit." };
  }
  if (decision === "edit" && args === undefined) return { path: "args", message: "An edit needs the new arguments." };
  if (decision !== "edit" && args !== undefined) return { path: "args", message: "Only an edit has arguments." };
  if (decision === "deny" && (scope === "thread" || scope === "pattern")) {
    return { path: "scope", message: "Only allow and edit can hold for the whole thread." };
  }
  return problemOfPattern(given, args ?? asked.args);
}

/** A pattern is only for commands, must itself be one simple command, and must match at least this call. */
function problemOfPattern({ scope, pattern }: Decision, args: PendingApproval["args"]): FieldProblem | null {
  if (scope !== "pattern") {
    return pattern === undefined ? null : { path: "pattern", message: "A pattern goes with scope pattern." };
  }
  if (pattern === undefined) return { path: "pattern", message: "Say the first words of the commands to allow." };
  if (typeof args.command !== "string")
    return { path: "scope", message: "Only a command can be allowed by a pattern." };
  if (simpleCommand(pattern) === null) {
    const message = "Must be the first words of one simple command, without operators, substitutions or wildcards.";
    return { path: "pattern", message };
  }
  if (patternMatches(pattern, args.command)) return null;
  const message =
    simpleCommand(args.command) === null
      ? "This call is more than one simple command, and such calls always ask."
      : "This call does not begin with these words.";
  return { path: "pattern", message };
}

function problemOfAnswer(decision: Decision, { questions }: PendingApproval): FieldProblem | null {
  if (decision.args !== undefined) return { path: "args", message: "A question has no arguments to change." };
  if (decision.scope === "thread" || decision.scope === "pattern")
    return { path: "scope", message: "An answer holds for this question only." };
  if (decision.decision === "deny") return null;
  if (decision.decision !== "answer")
    return { path: "decision", message: "This call asks a question: answer or deny." };
  const { answers = [] } = decision;
  if (answers.length !== questions.length) {
    return { path: "answers", message: `Send ${questions.length} answers, one per question and in the same order.` };
  }
  for (const [index, question] of questions.entries()) {
    const message = problemOfOne(answers[index] ?? "", question);
    if (message) return { path: `answers.${index}`, message };
  }
  return null;
}

/** Options are suggestions: a person may always answer something else. */
function problemOfOne(answer: Answer, { multiple }: Question): string | null {
  if (Array.isArray(answer) && !multiple) return "Only one answer is asked for.";
  const given = Array.isArray(answer) ? answer : [answer];
  const isEmpty = given.length === 0 || given.some((text) => text.trim() === "");
  return isEmpty ? "The answer must not be empty." : null;
}
