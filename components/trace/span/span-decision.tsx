import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Time } from "@/components/ui/time";
import type { SpanWait } from "@/lib/client/trace/span-wait";
import { formatExact } from "@/lib/client/ui/text/format";
import type { Span } from "@/lib/schema/traces/span";

/** The ask of a person: its call, since when and why, and who decided. */
export function SpanDecision({ span, wait }: { span: Span; wait: SpanWait }) {
  const { tool_name: tool, tool_args: args } = span.attributes;
  const asked = typeof args === "string" ? args : JSON.stringify(args ?? {}, null, 2);
  return (
    <div className="flex flex-col gap-4 p-4 text-sm">
      <CodeBlock wrap title={typeof tool === "string" ? tool : wait.kind} code={asked} />
      <dl className="grid grid-cols-[112px_1fr] gap-x-3 gap-y-1.5 text-xs">
        <Fact label="Asked">{wait.askedOf}</Fact>
        <Fact label="Since">
          <Moment atMs={span.startedAtMs} />
        </Fact>
        <Fact label="Why">{wait.rule}</Fact>
        <Fact label="Decision">{[wait.decision, wait.decider].filter(Boolean).join(" ")}</Fact>
        <Fact label="Decided">{span.endedAtMs === null ? null : <Moment atMs={span.endedAtMs} />}</Fact>
        <Fact label="Reason">{wait.note}</Fact>
      </dl>
    </div>
  );
}

function Moment({ atMs }: { atMs: number }) {
  return (
    <>
      {formatExact(atMs)} (<Time at={atMs} />)
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="tnum min-w-0 break-words whitespace-pre-wrap">{children}</dd>
    </>
  );
}
