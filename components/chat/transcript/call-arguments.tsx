"use client";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { ScheduleCall } from "@/components/chat/asks/schedule-call";
import { ArgumentsBlock } from "@/components/ui/code/arguments-block";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Diff } from "@/components/ui/code/diff";
import { ScrollArea } from "@/components/ui/scroll-area";
import { diffRows } from "@/lib/client/files/diff-rows";
import { readScheduleCall } from "@/lib/client/schedules/schedule-call";
import { revealHidden } from "@/lib/client/ui/text/reveal-hidden";
import type { ToolKind } from "@/lib/schema/tools/tool";

type Args = Readonly<Record<string, unknown>>;

interface CallArgumentsProps {
  args: Args;
  kind?: ToolKind | undefined;
  isWriting?: boolean;
}

/**
 * The exact call, drawn by the shape of its arguments: a command, an edit, a file or a schedule as such, otherwise the
 * arguments as JSON. Nothing that matters is omitted or hidden.
 */
export function CallArguments({ args: given, kind, isWriting = false }: CallArgumentsProps) {
  const end = useEnd(isWriting);
  const args = revealHidden(given);
  const schedule = kind === "schedule" ? readScheduleCall(args) : null;
  if (schedule !== null) return <ScheduleCall call={schedule} />;
  const { command, path, old_text: oldText, new_text: newText, content, ...others } = args;
  if (typeof command === "string") {
    return (
      <>
        <ScrollArea label="Command" className="max-h-96 bg-code px-3 py-2.5 font-mono text-xs leading-5">
          <pre className="break-words whitespace-pre-wrap">
            <span className="text-subtle select-none">$ </span>
            {command}
          </pre>
        </ScrollArea>
        <Others args={without(args, "command")} />
      </>
    );
  }
  if (typeof path === "string" && typeof oldText === "string" && typeof newText === "string") {
    return (
      <>
        <PathLine path={path} />
        <EditDiff before={oldText} after={newText} path={path} />
        <Others args={others} />
      </>
    );
  }
  if (typeof path === "string" && typeof oldText === "string" && newText === undefined) {
    // The model is still writing the replacement.
    return (
      <>
        <PathLine path={path} />
        <CodeBlock isBare wrap code={oldText} title={path} className="max-h-96 overflow-auto" />
      </>
    );
  }
  if (typeof path === "string" && typeof content === "string") {
    return (
      <>
        <PathLine path={path} />
        <div ref={end} className="max-h-96 overflow-auto">
          <CodeBlock isBare wrap code={content} title={path} />
        </div>
        <Others args={others} />
      </>
    );
  }
  return <ArgumentsBlock args={args} />;
}

/** Keeps the end of a file in view while it is being written. */
function useEnd(isWriting: boolean): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isWriting && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  });
  return place;
}

/** Compared once: the card is rerendered whenever any part of it changes. */
function EditDiff({ before, after, path }: { before: string; after: string; path: string }) {
  const rows = useMemo(() => diffRows(before, after), [before, after]);
  return <Diff rows={rows} path={path} className="max-h-96" />;
}

function without(args: Args, name: string): Args {
  return Object.fromEntries(Object.entries(args).filter(([key]) => key !== name));
}

function Others({ args }: { args: Args }) {
  if (Object.keys(args).length === 0) return null;
  return (
    <p className="border-t border-separator bg-code px-3 py-1 font-mono text-xs break-words text-muted">
      {JSON.stringify(args)}
    </p>
  );
}

function PathLine({ path }: { path: string }) {
  return <p className="border-b border-separator px-3 py-1.5 font-mono text-xs break-all">{path}</p>;
}
