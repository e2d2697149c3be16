"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Columns2 } from "lucide-react";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Segments } from "@/components/ui/controls/segments";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { requestQuery } from "@/lib/client/chat/context/context-queries";
import { fillLabel, ruleSteps } from "@/lib/client/chat/context/context-summary";
import {
  newParts,
  type RequestGroup,
  type RequestPart,
  requestJson,
  requestParts,
} from "@/lib/client/chat/context/request-parts";
import { summarizeError } from "@/lib/client/http/error-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import type { NextRequestText, ThreadContext } from "@/lib/schema/threads/thread-context";
import { ContextBar, GROUP_LOOKS } from "./context-bar";
import { RequestChanges } from "./request-changes";

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
      <div className="-m-4 flex h-[min(76vh,700px)] flex-col max-sm:h-[80dvh]">
        {query.data?.request ? (
          <Request threadId={threadId} context={query.data} request={query.data.request} queued={queued} />
        ) : query.isError ? (
          <ErrorState
            title="The request could not be assembled"
            {...summarizeError(query.error)}
            onRetry={() => void query.refetch()}
          >
            {summarizeError(query.error).message}
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
  { id: "json", name: "As sent, JSON" },
];

interface RequestProps {
  threadId: string;
  context: ThreadContext;
  request: NextRequestText;
  queued: number;
}

function Request({ threadId, context, request, queued }: RequestProps) {
  const [view, setView] = useState("text");
  const { lastStep } = context;
  const since = lastStep === null ? [] : newParts(request);
  const groups = view === "since" ? since : requestParts(request);
  const views = [
    ...VIEWS,
    ...(since.length === 0 ? [] : [{ id: "since", name: `Since step ${lastStep}` }]),
    ...(view === "compare" ? [{ id: "compare", name: "Compared" }] : []),
  ];
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-2 text-xs text-muted">
        <Sender context={context} />
        <span className="flex-1" />
        <Segments label="View" options={views} value={view} onChange={setView} />
        <CopyButton size="sm" label="Copy the whole request" text={() => requestJson(request)} />
      </div>
      <Fill context={context} cachedTokens={request.cachedTokens ?? 0} />
      <View view={view} threadId={threadId} request={request} groups={groups} />
      <footer className="flex shrink-0 flex-wrap items-center justify-between gap-2 border-t border-border px-4 py-2 text-xs text-muted">
        <p className="min-w-0 break-words">{queuedText(request.queued, queued)}</p>
        {lastStep === null || view === "compare" ? null : (
          <Button onPress={() => setView("compare")}>
            <Columns2 aria-hidden /> Compare with step {lastStep}
          </Button>
        )}
      </footer>
    </>
  );
}

interface ViewProps {
  view: string;
  threadId: string;
  request: NextRequestText;
  groups: readonly RequestGroup[];
}

function View({ view, threadId, request, groups }: ViewProps) {
  if (view === "compare") return <RequestChanges threadId={threadId} request={request} />;
  if (groups.length === 0) {
    return (
      <EmptyState title="The model gets nothing yet">
        This agent has no system prompt and no tools, and the thread has no messages.
      </EmptyState>
    );
  }
  if (view !== "json") return <Parts key={view} groups={groups} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-code">
      <CodeBlock code={requestJson(request)} title="json" isBare hasLineNumbers wrap />
    </div>
  );
}

/** Whose request it is, and when it would be sent. */
function Sender({ context: { agentName, version, nextStep } }: { context: ThreadContext }) {
  const sender = version === null ? `${agentName}, the draft` : `${agentName} v${version}`;
  const when = nextStep === null ? "with your next message" : `before step ${nextStep}`;
  return (
    <p className="tnum min-w-0">
      {sender}, {when}, put together by the same code that sends it
    </p>
  );
}

/** How the request fills the window, part by part. */
function Fill({ context, cachedTokens }: { context: ThreadContext; cachedTokens: number }) {
  return (
    <div className="shrink-0 border-b border-border px-4 py-2.5">
      <ContextBar context={context} steps={ruleSteps(context)} />
      <p className="tnum mt-1.5 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span>{fillLabel(context).exact}</span>
        {cachedTokens === 0 ? null : <span>{formatCount(cachedTokens)} tokens cached at the last call</span>}
      </p>
    </div>
  );
}

/** The queue's first message by its words, the others by their number. */
function queuedText(messages: NextRequestText["queued"], count: number): string {
  const [first] = messages;
  if (first === undefined || count === 0) return "No message is queued.";
  const when = first.mode === "steer" ? "at the next model call" : "when this run has ended";
  const added = `“${first.gist}” is added ${when}, about ${formatCount(first.tokens)} tokens.`;
  const others = messages.length - 1;
  const rest = messages.slice(1).reduce((sum, { tokens }) => sum + tokens, 0);
  const more = others === 0 ? "" : ` ${others} more with about ${formatCount(rest)} tokens.`;
  return `Queued messages are not in it. ${added}${more}`;
}

/** Parts at the left, the text of one at the right. */
function Parts({ groups }: { groups: readonly RequestGroup[] }) {
  const [selected, setSelected] = useState<string | null>(null);
  const parts = groups.flatMap((group) => group.parts);
  const part = parts.find(({ id }) => id === selected) ?? parts[0];
  if (part === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 max-sm:flex-col">
      <nav
        aria-label="Parts of the request"
        className="w-[248px] shrink-0 overflow-y-auto border-r border-border p-2 max-sm:h-40 max-sm:w-auto max-sm:border-r-0 max-sm:border-b"
      >
        {groups.map((group, index) => (
          <PartGroup key={group.title} {...group} startsOpen={index === 0} shown={part.id} onSelect={setSelected} />
        ))}
      </nav>
      <PartText part={part} />
    </div>
  );
}

interface PartGroupProps extends RequestGroup {
  startsOpen: boolean;
  shown: string;
  onSelect: (id: string) => void;
}

function PartGroup({ title, name, parts, startsOpen, shown, onSelect }: PartGroupProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <section aria-label={title}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="tnum flex h-7 w-full items-center gap-2 rounded-md px-1 text-left text-sm font-medium touch-row hover:bg-default"
      >
        <ChevronRight aria-hidden className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90")} />
        {name === null ? null : (
          <span aria-hidden="true" className={classNames("size-2 shrink-0 rounded-xs", GROUP_LOOKS[name])} />
        )}
        <span className="min-w-0 flex-1 truncate">{title}</span>
        <span className="pr-1 text-xs font-normal text-muted">
          {formatCount(parts.reduce((sum, { tokens }) => sum + tokens, 0))}
        </span>
      </button>
      {isOpen ? (
        <ul className="mb-1">
          {parts.map((part) => (
            <PartRow key={part.id} part={part} isShown={part.id === shown} onSelect={onSelect} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface PartRowProps {
  part: RequestPart;
  isShown: boolean;
  onSelect: (id: string) => void;
}

function PartRow({ part: { id, name, gist, tokens }, isShown, onSelect }: PartRowProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => onSelect(id)}
        className={classNames(
          "flex h-7 w-full items-center gap-2 rounded-md pr-2 pl-6.5 text-left text-sm touch-row hover:bg-default",
          isShown && "bg-selection font-medium",
        )}
      >
        <span className="max-w-[70%] shrink-0 truncate">{name}</span>
        <span className="min-w-0 flex-1 truncate text-xs font-normal text-muted">{gist}</span>
        <span className="tnum text-xs font-normal text-muted">{formatCount(tokens)}</span>
      </button>
    </li>
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
          <span className="tnum rounded-sm bg-default px-1.5 py-0.5">
            new in v{added.version}: {added.lines.length} {added.lines.length === 1 ? "line" : "lines"}
          </span>
        )}
        <span className="tnum text-muted">about {formatCount(tokens)} tokens</span>
        <CopyButton text={text} label="Copy this part" />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto bg-code">
        <CodeBlock code={text} title={language} isBare hasLineNumbers wrap marked={noted(added)} />
      </div>
    </section>
  );
}

function noted(added: RequestPart["added"]) {
  return added && { lines: added.lines, note: `new in v${added.version}` };
}
