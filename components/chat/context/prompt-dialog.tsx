"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Segments } from "@/components/ui/controls/segments";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { fillWords } from "@/lib/client/chat/context/context-facts";
import { requestQuery } from "@/lib/client/chat/context/context-queries";
import { newParts, type RequestPart, requestJson, requestParts } from "@/lib/client/chat/context/request-parts";
import { errorFacts } from "@/lib/client/http/error-facts";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import type { NextRequestText, ThreadContext } from "@/lib/schema/threads/thread-context";

export interface PromptDialogProps {
  threadId: string;
  model: string | null;
  /** Messages that wait and are not in it. */
  queued: number;
  onClose: () => void;
}

/** The request that the model would get now: by part as text, and as one object. */
export function PromptDialog({ threadId, model, queued, onClose }: PromptDialogProps) {
  const query = useQuery(requestQuery(threadId, model));
  return (
    <Dialog title="What the model sees now" isOpen onClose={onClose} size="xl">
      <div className="-m-4 flex h-[min(70vh,660px)] flex-col max-sm:h-[80dvh]">
        {query.data?.request ? (
          <Request context={query.data} request={query.data.request} queued={queued} />
        ) : query.isError ? (
          <ErrorState
            title="The request could not be put together"
            {...errorFacts(query.error)}
            onRetry={() => void query.refetch()}
          >
            {errorFacts(query.error).message}
          </ErrorState>
        ) : query.data ? (
          <EmptyState title="This prompt is for administrators">
            An administrator can show it to everyone with trace: show_prompt in the agent.
          </EmptyState>
        ) : (
          <SkeletonList label="Loading what the model sees" className="p-4" />
        )}
      </div>
    </Dialog>
  );
}

const VIEWS = [
  { id: "text", name: "Text" },
  { id: "json", name: "As JSON" },
] as const;

interface RequestProps {
  context: ThreadContext;
  request: NextRequestText;
  queued: number;
}

function Request({ context, request, queued }: RequestProps) {
  const [view, setView] = useState("text");
  const [selected, setSelected] = useState<string | null>(null);
  const { lastStep } = context;
  const { cachedTokens } = request;
  const since = lastStep === null ? [] : newParts(request);
  const groups = view === "since" ? since : requestParts(request);
  const parts = groups.flatMap((group) => group.parts);
  const part = parts.find(({ id }) => id === selected) ?? parts[0];
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-2 text-xs text-muted">
        <span className="tnum">
          Put together by the same code that sends it: {fillWords(context).exact}
          {queued === 0 ? "" : `. ${queued === 1 ? "The queued message is" : "Queued messages are"} not in it`}
        </span>
        <span className="flex-1" />
        {cachedTokens === null || cachedTokens === 0 ? null : (
          <span className="tnum">{formatCount(cachedTokens)} tokens cached at the last call</span>
        )}
        <Segments
          label="View"
          options={since.length === 0 ? VIEWS : [...VIEWS, { id: "since", name: `Since step ${lastStep}` }]}
          value={view}
          onChange={setView}
        />
        <CopyButton size="sm" label="Copy the whole request" text={() => requestJson(request)} />
      </div>
      {part === undefined ? (
        <EmptyState title="The model gets nothing yet">
          This agent has no system prompt and no tools, and the thread has no messages.
        </EmptyState>
      ) : view === "json" ? (
        <div className="min-h-0 flex-1 overflow-y-auto bg-code">
          <CodeBlock code={requestJson(request)} title="json" isBare hasLineNumbers wrap />
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 max-sm:flex-col">
          <nav
            aria-label="Parts of the request"
            className="w-[248px] shrink-0 overflow-y-auto border-r border-border p-2 max-sm:h-40 max-sm:w-auto max-sm:border-r-0 max-sm:border-b"
          >
            {groups.map((group) => (
              <PartGroup key={group.title} {...group} shown={part.id} onSelect={setSelected} />
            ))}
          </nav>
          <PartText part={part} />
        </div>
      )}
    </>
  );
}

interface PartGroupProps {
  title: string;
  parts: readonly RequestPart[];
  shown: string;
  onSelect: (id: string) => void;
}

function PartGroup({ title, parts, shown, onSelect }: PartGroupProps) {
  return (
    <section aria-label={title} className="mb-2">
      <h3 className="tnum flex h-7 items-center justify-between px-2 text-xs text-muted">
        {title}
        <span>{formatCount(parts.reduce((sum, { tokens }) => sum + tokens, 0))}</span>
      </h3>
      <ul>
        {parts.map(({ id, name, gist, tokens }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === shown}
              onClick={() => onSelect(id)}
              className={classNames(
                "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-sm touch-row hover:bg-default",
                id === shown && "bg-selection font-medium",
              )}
            >
              <span className="max-w-[70%] shrink-0 truncate">{name}</span>
              <span className="min-w-0 flex-1 truncate text-xs font-normal text-muted">{gist}</span>
              <span className="tnum text-xs text-muted">{formatCount(tokens)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PartText({ part }: { part: RequestPart }) {
  const { name, from, tokens, text, language, added } = part;
  return (
    <section aria-label="Part" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-b border-border px-4 py-1 text-xs">
        <h3 className="min-w-0 truncate text-sm font-medium">{name}</h3>
        <span className="text-muted">{from}</span>
        <span className="flex-1" />
        {added === undefined ? null : (
          <span className="tnum rounded-sm bg-diff-add px-1.5 py-0.5">
            new in v{added.version}: {added.lines.length} {added.lines.length === 1 ? "line" : "lines"}
          </span>
        )}
        <span className="tnum text-muted">about {formatCount(tokens)} tokens</span>
        <CopyButton text={text} label="Copy this part" />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto bg-code">
        <CodeBlock code={text} title={language} isBare hasLineNumbers wrap marked={added?.lines} />
      </div>
    </section>
  );
}
