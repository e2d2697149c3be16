"use client";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { Segments } from "@/components/ui/controls/segments";
import { ScrollArea } from "@/components/ui/scroll-area";
import {
  type ComparedPart,
  compareRequests,
  isTriedCall,
  messageText,
  roughTokens,
} from "@/lib/client/agents/hooks/compare-messages";
import { diffRows } from "@/lib/client/files/diff-rows";
import type { TriedCall, TriedRequest, TryHookReply } from "@/lib/schema/agents/try-hook";

const VIEWS = [
  { id: "changes", name: "Changes" },
  { id: "before", name: "Before" },
  { id: "after", name: "After" },
];

/** Unchanged parts are one dashed line, changed ones a diff; below them the verdict. */
export function TryResult({ reply }: { reply: TryHookReply }) {
  const [view, setView] = useState("changes");
  const { before, after, error, log } = reply;
  const parts = partsOf(before, after);
  return (
    <section aria-label="What it would change" className="space-y-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">What it would change</h3>
        <Segments label="View" options={VIEWS} value={view} onChange={setView} />
      </div>
      {view === "changes" ? (
        parts.map((part) => <Part key={`${part.kind}${part.kind === "same" ? part.from : part.number}`} part={part} />)
      ) : (
        <ScrollArea label={view === "before" ? "Before" : "After"} className="max-h-80 rounded-md bg-code p-2">
          <pre className="font-mono text-xs whitespace-pre-wrap">{asText(view === "before" ? before : after)}</pre>
        </ScrollArea>
      )}
      <p role="status" className={error ? "text-sm break-words text-fail-text" : "text-sm break-words"}>
        {error ? errorText(error) : verdictText(reply, parts)}
      </p>
      {log.length === 0 ? null : (
        <p className="text-xs break-words text-muted">In a run it would write to the log: {log.join(" · ")}</p>
      )}
    </section>
  );
}

function partsOf(before: TriedRequest | TriedCall, after: TriedRequest | TriedCall): readonly ComparedPart[] {
  if (!isTriedCall(before) && !isTriedCall(after)) return compareRequests(before, after);
  const [was, is] = [asText(before), asText(after)];
  if (was === is) return [{ kind: "same", count: 1, tokens: roughTokens(was), from: 1 }];
  return [{ kind: "changed", number: 1, name: "call", before: was, after: is }];
}

function Part({ part }: { part: ComparedPart }) {
  if (part.kind === "same") {
    return (
      <p className="flex justify-between rounded-md border border-dashed border-border-strong px-2.5 py-1 text-xs text-muted">
        <span>{part.count === 1 ? "1 part stays as it is" : `${part.count} parts stay as they are`}</span>
        <span className="tnum">{part.tokens.toLocaleString("en")} tok</span>
      </p>
    );
  }
  const { name, number, before, after } = part;
  return (
    <div className="overflow-hidden rounded-md border border-border">
      <p className="flex justify-between border-b border-separator px-2.5 py-1 text-xs">
        <span>
          <span className="font-mono">{name}</span> {name === "call" ? "" : `part ${number}`}
        </span>
        <span className="tnum text-muted">
          {roughTokens(before)} → {roughTokens(after)} tok
        </span>
      </p>
      <Diff path={`${name} ${number}`} rows={diffRows(before, after)} />
    </div>
  );
}

function asText(tried: TriedRequest | TriedCall): string {
  if (isTriedCall(tried)) {
    const { call, result } = tried;
    const lines = [call === null ? "does not run" : `${call.name} ${JSON.stringify(call.args, null, 2)}`];
    return result === null ? lines.join("\n") : [...lines, "", result].join("\n");
  }
  const system = tried.system.map(({ name, text }) => `system, ${name}: ${text}`);
  return [...system, ...tried.messages.map((message) => `${message.role}: ${messageText(message)}`)].join("\n\n");
}

function errorText({ kind, message, file, line }: NonNullable<TryHookReply["error"]>): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  if (kind === "needs_model" || file === null) return text;
  return `${text} (${file}${line === null ? "" : `, line ${line}`})`;
}

function verdictText({ before, after, verdict, durationMs }: TryHookReply, parts: readonly ComparedPart[]): string {
  const why = verdict?.message === undefined ? "" : ` ${verdict.message}`;
  const took = `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms.`;
  switch (verdict?.verdict) {
    case "deny":
      return `Denies the call.${why}`;
    case "ask":
      return `Asks a person first.${why}`;
    case "answer":
      return isTriedCall(after) ? "Answers itself: the tool does not run." : `Answers itself: ${after.reply ?? ""}`;
  }
  const passes = verdict?.verdict === "allow" ? "Allows it" : "Passes on";
  if (parts.every(({ kind }) => kind === "same")) return `${passes}, nothing changed. ${took}`;
  if (isTriedCall(before) || isTriedCall(after)) return `${passes}, the call changed. ${took}`;
  return `${passes}, ${changeText(parts, after, took)}`;
}

function changeText(parts: readonly ComparedPart[], { system, messages }: TriedRequest, took: string): string {
  const changed = parts.filter((part) => part.kind === "changed");
  const inMessages = changed.filter(({ name }) => isMessage(name));
  const [touched] = inMessages;
  if (touched === undefined) return `the prompt or the tools changed. ${took}`;
  const saved = changed.reduce((sum, part) => sum + roughTokens(part.before) - roughTokens(part.after), 0);
  const what = `${inMessages.length} of ${messages.length} messages changed. ${tokenText(saved)}${took}`;
  if (changed[0] !== touched) return what;
  const number = touched.number - system.length;
  return `${what} The first change is in message ${number}: what the provider had cached after it is read again.`;
}

function tokenText(saved: number): string {
  if (saved === 0) return "";
  const count = Math.abs(saved).toLocaleString("en");
  return `${count} ${count === "1" ? "token" : "tokens"} ${saved > 0 ? "fewer" : "more"}, `;
}

function isMessage(name: string): boolean {
  return name !== "tools" && !name.startsWith("system, ");
}
