"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { Tag } from "@/components/ui/tag";
import { flowPreviewQuery } from "@/lib/client/agents/preview-queries";
import { formatCount, formatMoney } from "@/lib/client/ui/text/format";
import type { ContextRuleName } from "@/lib/schema/agents/context-rule";
import type { FlowPreview } from "@/lib/schema/agents/flow-preview";
import { formatDuration } from "@/lib/schema/format-duration";
import { FlowTools } from "./flow-tools";
import { PreviewFrame, usePreviewedVersion } from "./preview-frame";

/** A message's path through an agent, from its arrival to the end of its run. */
export function FlowPage({ agentId }: { agentId: string }) {
  const [version, setVersion] = usePreviewedVersion();
  const query = useQuery(flowPreviewQuery(agentId, version));
  return (
    <PreviewFrame {...{ agentId, version, query }} title="Flow" what="flow" onVersion={(id) => void setVersion(id)}>
      {(flow) => (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <ol aria-label="The way of a message" className="mx-auto max-w-[776px] px-5 py-6">
            <Input flow={flow} agentId={agentId} />
            <Start flow={flow} agentId={agentId} />
            <li className="my-2 rounded-lg border border-dashed border-border-strong p-3 pb-0">
              <h2 className="mb-2 text-xs text-muted">
                Repeated until a reply calls no tool, at most {formatCount(flow.ending.maxIterations)} times
              </h2>
              <ol>
                <Request flow={flow} agentId={agentId} />
                <Model flow={flow} agentId={agentId} />
                <Calls flow={flow} agentId={agentId} />
              </ol>
            </li>
            <End flow={flow} agentId={agentId} />
          </ol>
        </div>
      )}
    </PreviewFrame>
  );
}

interface StageProps {
  flow: FlowPreview;
  agentId: string;
}

interface StageFrameProps {
  number: number;
  title: string;
  /** The editor's tab for it. */
  tab: string;
  agentId: string;
  isLast?: boolean;
  children: ReactNode;
}

function Stage({ number, title, tab, agentId, isLast = false, children }: StageFrameProps) {
  return (
    <li className="relative flex gap-3 pb-5">
      {isLast ? null : (
        <span aria-hidden="true" className="absolute top-6 bottom-0 left-[11px] border-l border-border-strong" />
      )}
      <span
        aria-hidden="true"
        className="tnum flex size-6 shrink-0 items-center justify-center rounded-full border-[1.5px] border-foreground text-xs font-medium"
      >
        {number}
      </span>
      <section aria-label={title} className="min-w-0 flex-1 text-sm">
        <header className="flex min-h-6 items-center gap-2">
          <h2 className="font-medium">{title}</h2>
          <Link
            href={`/admin/agents/${encodeURIComponent(agentId)}?tab=${tab}`}
            aria-label={`Change: ${title}`}
            className="ml-auto text-xs text-link hover:underline touch-target"
          >
            Change
          </Link>
        </header>
        <div className="mt-1 space-y-1.5">{children}</div>
      </section>
    </li>
  );
}

/** The hooks that act here, in order. */
function Hooks({ flow, phases, order }: { flow: FlowPreview; phases: readonly string[]; order: string }) {
  const hooks = flow.hooks.filter((hook) => hook.phases.some((phase) => phases.includes(phase)));
  if (hooks.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1 text-xs text-muted">
      <span>Hooks, {order}:</span>
      <ol className="contents">
        {hooks.map(({ name }) => (
          <li key={name} className="contents">
            <Tag mono>{name}</Tag>
          </li>
        ))}
      </ol>
    </div>
  );
}

const RULES: Record<ContextRuleName, string> = {
  pruning_soft: "old tool results are shortened",
  pruning_hard: "old tool results are cleared",
  summarization: "older messages are summarised for the call",
  memory_flush: "lasting facts are saved to memory",
  compaction: "a summary replaces older messages",
};

/** The context rules that act here, with the tokens at which they do. */
function Rules({ flow, names }: { flow: FlowPreview; names: readonly ContextRuleName[] }) {
  const rules = names.flatMap((name) => flow.rules.find((rule) => rule.name === name) ?? []);
  if (rules.length === 0) return null;
  return (
    <ul className="text-muted">
      {rules.map(({ name, at }) => (
        <li key={name} className="tnum">
          From {formatCount(at)} of {formatCount(flow.window)} tokens {RULES[name]}.
        </li>
      ))}
    </ul>
  );
}

const GUARDS: Record<FlowPreview["input"]["guard"], string> = {
  off: "The injection guard is off.",
  log: "The injection guard writes what it finds into the log; the message passes.",
  warn: "Where the injection guard finds something, the model is told.",
  block: "Where the injection guard finds something, the message is refused.",
};

const BUSY: Record<FlowPreview["input"]["onBusy"], string> = {
  queue: "A message sent during a run waits for its end.",
  reject: "A message sent during a run is refused.",
  interrupt: "A message sent during a run stops it.",
};

function Input({ flow, agentId }: StageProps) {
  const { guard, maxMessageChars, onBusy } = flow.input;
  return (
    <Stage number={1} title="A message arrives" tab="hooks" agentId={agentId}>
      <p>{GUARDS[guard]}</p>
      <p className="text-muted">
        The model reads its first {formatCount(maxMessageChars)} characters. {BUSY[onBusy]}
      </p>
    </Stage>
  );
}

function Start({ flow, agentId }: StageProps) {
  return (
    <Stage number={2} title="The run begins" tab="context" agentId={agentId}>
      <Rules flow={flow} names={["pruning_soft", "pruning_hard"]} />
      <Hooks flow={flow} phases={["before_agent"]} order="one after the other" />
    </Stage>
  );
}

function Request({ flow, agentId }: StageProps) {
  return (
    <Stage number={3} title="The request is put together" tab="prompt" agentId={agentId}>
      <Hooks flow={flow} phases={["modify_request"]} order="each changing what the one before left" />
      <p>
        <Link
          href={`/admin/agents/${encodeURIComponent(agentId)}/prompt`}
          className="text-xs text-link underline touch-target"
        >
          Prompt preview
        </Link>
      </p>
    </Stage>
  );
}

function Model({ flow, agentId }: StageProps) {
  const [first, ...fallbacks] = flow.models;
  return (
    <Stage number={4} title="The model is called" tab="basics" agentId={agentId}>
      <p className="break-words">
        <span className="font-mono text-xs">{first}</span>
        <span className="text-muted">
          , {flow.retries === 0 ? "tried once" : `tried again up to ${flow.retries} times`}
        </span>
      </p>
      {fallbacks.length === 0 ? (
        <p className="text-muted">There is no fallback: if the model fails for good, the run fails.</p>
      ) : (
        <ol aria-label="Fallback models" className="text-muted">
          {fallbacks.map((model) => (
            <li key={model}>
              then <span className="font-mono text-xs text-foreground">{model}</span>
            </li>
          ))}
        </ol>
      )}
      <Rules flow={flow} names={["summarization"]} />
      <Hooks flow={flow} phases={["wrap_model_call"]} order="the first is the outermost ring" />
    </Stage>
  );
}

function Calls({ flow, agentId }: StageProps) {
  return (
    <Stage number={5} title="Its tool calls run" tab="tools" agentId={agentId} isLast>
      <FlowTools tools={flow.tools} maxParallel={flow.maxParallelTools} />
      {flow.subagents.length === 0 ? null : (
        <>
          <h3 className="pt-1 text-xs text-muted">Subagents it may start</h3>
          <ul>
            {flow.subagents.map(({ name, description }) => (
              <li key={name} className="flex min-w-0 gap-2">
                <span className="font-mono text-xs leading-5">{name}</span>
                <span className="min-w-0 truncate text-muted">{description}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Hooks
        flow={flow}
        phases={["wrap_tool_call", "pre_tool_use", "post_tool_use"]}
        order="around every call, the first is the outermost ring"
      />
    </Stage>
  );
}

const ON_REACH: Readonly<Record<string, string>> = {
  wait: "it waits for a person",
  stop: "it stops",
  final_answer: "it answers with what it has",
};

function End({ flow, agentId }: StageProps) {
  const { maxIterations, onLimit, runMs, stopAtRepeats, runUsd, runTokens, onReach } = flow.ending;
  const caps = [
    ...(runUsd === null ? [] : [formatMoney(runUsd)]),
    ...(runTokens === null ? [] : [`${formatCount(runTokens)} tokens`]),
  ];
  return (
    <Stage number={6} title="The run ends" tab="limits" agentId={agentId} isLast>
      <ul className="text-muted">
        <li className="text-foreground">With a reply that calls no tool, which is the answer.</li>
        <li>
          After {formatCount(maxIterations)} steps{" "}
          {onLimit === "stop" ? "it stops at its limit" : "the model answers with what it has"}.
        </li>
        <li>After {formatDuration(runMs)} of work it fails.</li>
        {stopAtRepeats === null ? null : (
          <li>When the same call fails {formatCount(stopAtRepeats)} times, it stops at its limit.</li>
        )}
        {caps.length === 0 ? null : (
          <li>
            At {caps.join(" or ")} {ON_REACH[onReach] ?? onReach}.
          </li>
        )}
      </ul>
      <Hooks flow={flow} phases={["after_agent"]} order="afterwards, one after the other" />
      <Rules flow={flow} names={["memory_flush", "compaction"]} />
    </Stage>
  );
}
