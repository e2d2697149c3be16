"use client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { type TabItem, Tabs } from "@/components/ui/controls/tabs";
import { summarizeSpan } from "@/lib/client/trace/span-summary";
import type { SpanNode } from "@/lib/client/trace/span-tree";
import { spanWait } from "@/lib/client/trace/span-wait";
import type { BodyState } from "@/lib/client/trace/use-span-body";
import { classNames } from "@/lib/client/ui/class-names";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { Span } from "@/lib/schema/traces/span";
import type { SpanBody } from "@/lib/schema/traces/span-body";
import { SpanCost } from "./span-cost";
import { SpanDecision } from "./span-decision";
import { SpanHead } from "./span-head";
import { SpanMessages } from "./span-messages";
import { SpanToolCalls } from "./span-tool-calls";

export interface SpanDetailProps {
  node: SpanNode;
  span: Span;
  nowMs: number;
  body: BodyState;
  notes: TabItem;
  replayStep: number | null;
  tab: string;
  onTab: (tab: string) => void;
  onOpenEarlier: () => void;
  onClose: () => void;
}

/** One span in full: what it read and answered, its tools, what it cost, and the record as stored. */
export function SpanDetail(props: SpanDetailProps) {
  const tabs = tabsFor(props);
  const wasRefused = summarizeSpan(props.span).refusal !== null;
  const first = tabs.find((tab) => tab.id !== props.notes.id) ?? tabs[0];
  const selected = tabs.some((tab) => tab.id === props.tab) ? props.tab : first?.id;
  return (
    <>
      <SpanHead {...props} />
      {props.span.error === null ? null : (
        <p
          className={classNames(
            "mx-4 mb-2 rounded-md px-2.5 py-1.5 text-xs break-words whitespace-pre-wrap",
            wasRefused ? "bg-default" : "bg-fail-soft text-fail-text",
          )}
        >
          {failureText(props.span.error)}
        </p>
      )}
      <Tabs label="Span" items={tabs} selected={selected} onSelect={props.onTab} className="min-h-0 flex-1" />
    </>
  );
}

/** A summary may itself be a model call; one composed of other spans is not. */
function isModelCall(span: Span): boolean {
  return span.type === "llm" || (span.type === "summary" && "kept_messages" in span.attributes);
}

function tabsFor({ span, body, notes, onOpenEarlier }: SpanDetailProps): TabItem[] {
  const tabs: TabItem[] = [];
  const wait = spanWait(span);
  if (wait !== null) {
    tabs.push({ id: "decision", label: "Decision", content: <SpanDecision span={span} wait={wait} /> });
  }
  const show = (render: (body: SpanBody) => React.ReactNode) => <BodyOf state={body}>{render}</BodyOf>;
  if (isModelCall(span)) {
    tabs.push({
      id: "messages",
      label: "Messages",
      content: show((found) => (
        <SpanMessages
          span={found.span}
          system={found.system}
          isPromptHidden={found.isPromptHidden}
          modelCall={found.modelCall}
          isOpening={body.isOpeningEarlier}
          onOpenEarlier={onOpenEarlier}
        />
      )),
    });
  }
  if (wait === null && (span.type === "llm" || span.type === "tool")) {
    const calls = body.data?.toolCalls.length ?? 0;
    tabs.push({
      id: "tools",
      label: span.type === "tool" || calls === 0 ? "Tools" : `Tools ${calls}`,
      content: show((found) => <SpanToolCalls span={found.span} calls={found.toolCalls} />),
    });
  }
  if (span.type === "llm" || (span.type === "summary" && summarizeSpan(span).inputTokens !== null)) {
    tabs.push({ id: "cost", label: "Tokens & cost", content: <SpanCost span={span} /> });
  }
  tabs.push(notes);
  tabs.push({ id: "raw", label: "Raw", content: show((found) => <SpanRaw span={found.span} />) });
  return tabs;
}

function BodyOf({ state, children }: { state: BodyState; children: (body: SpanBody) => React.ReactNode }) {
  if (state.data) return children(state.data);
  if (state.error === null) {
    return (
      <p role="status" className="p-4 text-xs text-muted">
        Loading
      </p>
    );
  }
  return (
    <div className="p-4 text-sm">
      <p className="font-medium">The span could not be loaded</p>
      <p className="text-muted">{state.error}</p>
      <button type="button" className="mt-2 text-link hover:underline" onClick={state.onRetry}>
        Try again
      </button>
    </div>
  );
}

/** The stored record, whole. */
function SpanRaw({ span }: { span: Span }) {
  return (
    <div className="p-3">
      <CodeBlock wrap title="span.json" code={JSON.stringify(span, null, 2)} />
    </div>
  );
}
