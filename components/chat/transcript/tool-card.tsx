"use client";
import { ChevronRight, ListTree } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useId } from "react";
import { z } from "zod";
import { ApprovalDecision } from "@/components/chat/asks/approval-decision";
import { Terminal } from "@/components/ui/code/terminal";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { PathText } from "@/components/ui/path-text";
import { callKey } from "@/lib/client/chat/asks/use-decisions";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { useFileOpener } from "@/lib/client/files/artifact/file-opener";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { moveWithArrows } from "@/lib/client/ui/input/move-with-arrows";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { ToolKind } from "@/lib/schema/tools/tool";
import { ToolOutcome } from "./tool-outcome";

/** Most calls are folded, so the body is loaded when one is opened. */
export const LazyToolBody = dynamic(async () => (await loadWithRetry(() => import("./tool-body"))).ToolBody, {
  loading: () => null,
});

/** Edits and commands open automatically while they are the latest; older ones fold. */
const OPENS_ITSELF: ReadonlySet<ToolKind> = new Set(["command", "edit"]);

const IsOpen = z.boolean();

/**
 * Whether a person has opened (true) or folded (false) this call, as a card or inside a folded run; null if neither.
 */
export function useOpenCall(runId: string, callId: string) {
  return useRemembered(openKey(runId, callId), IsOpen);
}

export function openKey(runId: string, callId: string): string {
  return `open ${callKey(runId, callId)}`;
}

export interface ToolCardProps {
  runId: string;
  call: ToolCallView;
  /** The last step of the transcript. */
  isLatest: boolean;
  traceHref: string | null;
}

/** Name, one-line gist, facts, time. Expands to arguments, result, error and what was omitted. */
export function ToolCard({ runId, call, isLatest, traceHref }: ToolCardProps) {
  const chosen = useOpenCall(runId, call.id);
  const bodyId = useId();
  const isOpen = chosen.value ?? (isLatest && OPENS_ITSELF.has(call.kind));
  return (
    <article className="overflow-hidden rounded-lg border border-border bg-surface">
      <div
        role="toolbar"
        aria-label={call.name}
        onKeyDown={moveWithArrows}
        className={classNames("flex min-h-9 items-center pr-1", isOpen && "border-b border-separator")}
      >
        <ToolHead call={call} isOpen={isOpen} bodyId={bodyId} onToggle={() => chosen.set(!isOpen)} />
        <OpenWritten call={call} />
        <span className="flex max-sm:hidden">
          <CopyButton text={() => copyText(call)} label="Copy call and result" size="xs" tabIndex={-1} />
          {traceHref === null ? null : (
            <Link
              href={`${traceHref}?call=${encodeURIComponent(call.id)}`}
              prefetch={false}
              tabIndex={-1}
              aria-label="Open in the trace"
              title="Open in the trace"
              className={`${ICON_BUTTON} size-6 [&>svg]:size-3.5`}
            >
              <ListTree aria-hidden />
            </Link>
          )}
        </span>
      </div>
      {isOpen ? (
        <div id={bodyId}>
          {call.state === "running" && call.kind === "command" ? (
            <Terminal command={call.gist} output="" exitCode={null} isRunning />
          ) : (
            <LazyToolBody call={call} traceHref={traceHref} />
          )}
        </div>
      ) : null}
      {call.approval === null ? null : <ApprovalDecision approval={call.approval} />}
      {call.granted ? (
        <p className="border-t border-separator px-3 py-1.5 text-xs break-words text-muted">
          Ran without asking: allowed in this thread by an earlier decision on{" "}
          {call.granted.pattern === undefined ? "exactly this call" : `commands like ${call.granted.pattern} …`}
        </p>
      ) : null}
    </article>
  );
}

/** Shows the file written by the call beside the conversation. */
function OpenWritten({ call: { display } }: { call: ToolCallView }) {
  const open = useFileOpener();
  const { kind, path } = (display ?? {}) as { kind?: unknown; path?: unknown };
  if (open === null || kind !== "file-change" || typeof path !== "string") return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Open ${path}`}
      onClick={() => open(path)}
      className="shrink-0 px-1.5 text-xs text-link touch-target hover:underline"
    >
      Open
    </button>
  );
}

interface ToolHeadProps {
  call: ToolCallView;
  isOpen: boolean;
  bodyId: string;
  onToggle: () => void;
}

/** The head is the button that expands the card. */
export function ToolHead({ call, isOpen, bodyId, onToggle }: ToolHeadProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? bodyId : undefined}
      onClick={onToggle}
      className="flex min-h-9 min-w-0 flex-1 items-center gap-2 pr-1.5 pl-2.5 text-left -outline-offset-2 touch-row"
    >
      <ChevronRight className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90")} aria-hidden />
      <span className="shrink-0 font-mono text-xs font-medium">{call.name}</span>
      {isPath(call) ? (
        <PathText path={call.gist} />
      ) : (
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted" title={call.gist}>
          {call.gist}
        </span>
      )}
      <ToolOutcome call={call} />
    </button>
  );
}

/** In little room a path keeps its end: that is what tells files apart. */
function isPath({ gist, args }: ToolCallView): boolean {
  return gist !== "" && (args.path === gist || args.file_path === gist);
}

function copyText(call: ToolCallView): string {
  return [`${call.name} ${JSON.stringify(call.args, null, 2)}`, call.error ?? call.output].filter(Boolean).join("\n\n");
}
