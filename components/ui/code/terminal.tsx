"use client";
import { useState } from "react";
import { ScrollArea } from "@/components/ui/scroll-area";
import { classNames } from "@/lib/client/ui/class-names";

const SHOWN_LINES = 12;

export interface TerminalProps {
  command: string;
  output: string;
  /** Null while it runs or if it was ended from outside. */
  exitCode: number | null;
  isRunning?: boolean;
  /** A fact after the exit code: "timed out after 120 s". */
  note?: string;
}

/** `$` and command, the last lines of the output in order, a foot with exit code and what is shown. */
export function Terminal({ command, output, exitCode, isRunning = false, note }: TerminalProps) {
  const [showsAll, setShowsAll] = useState(false);
  const lines = output === "" ? [] : output.replace(/\n$/u, "").split("\n");
  const shown = showsAll ? lines : lines.slice(-SHOWN_LINES);
  return (
    <div className="bg-code font-mono text-xs leading-[19px]">
      <div className="px-3 pt-2 break-words whitespace-pre-wrap">
        <span className="text-subtle select-none">$ </span>
        {command}
        {isRunning ? (
          <span className="ml-1 inline-block h-3.5 w-[7px] animate-caret bg-live align-[-2px] motion-reduce:animate-none" />
        ) : null}
      </div>
      <ScrollArea label="Output" className="max-h-96 px-3 pt-0.5 pb-2 whitespace-pre text-muted">
        {shown.join("\n")}
      </ScrollArea>
      {isRunning ? null : (
        <div className="tnum flex items-center gap-3 border-t border-separator px-3 py-1 font-sans text-xs text-muted">
          <ExitCode exitCode={exitCode} />
          {note ? <span>{note}</span> : null}
          <span>{lineCount(shown.length, lines.length)}</span>
          {lines.length > SHOWN_LINES ? (
            <button
              type="button"
              className="ml-auto text-link hover:underline"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? "Show less" : "Show all"}
            </button>
          ) : null}
        </div>
      )}
    </div>
  );
}

function ExitCode({ exitCode }: { exitCode: number | null }) {
  if (exitCode === null) return <span className="text-fail-text">no exit code</span>;
  return <span className={classNames(exitCode === 0 ? "text-ok-text" : "text-fail-text")}>exit {exitCode}</span>;
}

function lineCount(shown: number, total: number): string {
  if (total === 0) return "no output";
  if (shown < total) return `last ${shown} of ${total} lines`;
  return total === 1 ? "1 line" : `${total} lines`;
}
