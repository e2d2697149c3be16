"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useState } from "react";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { contextPreviewQuery } from "@/lib/client/agents/context/context-queries";
import {
  askedConfig,
  drawnConfig,
  type PlacedRule,
  placeRules,
  ruleText,
} from "@/lib/client/agents/context/context-view";
import { percentText } from "@/lib/client/agents/context/rule-titles";
import { formatCount, formatTokens } from "@/lib/client/ui/text/format";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { WindowSource } from "@/lib/schema/agents/context-rule";
import { contextRules } from "@/lib/schema/agents/context-rules";
import type { ContextPreview, ThreadFill } from "@/lib/schema/threads/thread-context";

export interface ContextPictureProps {
  agentId: string;
  /** The draft's fields. */
  config: RawConfig;
}

/** The rules that keep a conversation inside the window, on one axis with the agent's latest threads. */
export function ContextPicture({ agentId, config }: ContextPictureProps) {
  const [shown, setShown] = useState(() => drawnConfig(config) ?? drawnConfig({}));
  const [seen, setSeen] = useState(config);
  if (seen !== config) {
    setSeen(config);
    setShown(drawnConfig(config) ?? shown);
  }
  const preview = useQuery(contextPreviewQuery(agentId, usePaused(askedConfig(config))));
  return (
    <section aria-label="When each rule acts" className="border-b border-separator px-5 pt-3 pb-4">
      <QueryState what="context" query={preview}>
        {(found) => (shown === null ? null : <Picture config={shown} preview={found} />)}
      </QueryState>
    </section>
  );
}

const PAUSE_MS = 300;

/** The value as of the last pause in typing. */
function usePaused(value: RawConfig): RawConfig {
  const text = JSON.stringify(value);
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(paused);
}

function Picture({ config, preview }: { config: AgentConfig; preview: ContextPreview }) {
  const { window, windowFrom, threads } = preview;
  const rules = placeRules(contextRules(config, window), window);
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-2">
        <h2 className="text-sm font-medium">When each rule acts</h2>
        <span className="tnum text-xs text-muted">
          {formatCount(window)} tokens, {SOURCES[windowFrom]}
        </span>
      </header>
      <Axis rules={rules} window={window} threads={threads} />
      {rules.length === 0 ? (
        <p className="mt-3 text-xs text-muted">
          No rule is active. A conversation that outgrows the window fails at the provider.
        </p>
      ) : (
        <RuleList rules={rules} config={config} threads={threads} />
      )}
      <p className="mt-3 text-xs text-muted">{othersText(config)}</p>
    </>
  );
}

const SOURCES: Record<WindowSource, string> = {
  agent: "set below",
  model: "the model's own",
  assumed: "assumed: the model's window is unknown",
};

interface AxisProps {
  rules: readonly PlacedRule[];
  window: number;
  threads: readonly ThreadFill[];
}

const MARK_PX = 18;

/** One axis from zero to the full window; the rules' lines cross the threads. */
function Axis({ rules, window, threads }: AxisProps) {
  const lines = Math.max(1, ...rules.map(({ line }) => line + 1));
  const marksPx = lines * MARK_PX;
  return (
    <div className="relative mt-2 mr-1">
      <div aria-hidden="true">
        {rules.map(({ name, number, share, line }) => (
          <span key={name} className="pointer-events-none absolute inset-y-0" style={{ left: percentOf(share) }}>
            <span
              className="tnum absolute -translate-x-1/2 rounded-full border border-border-strong bg-surface px-1 text-2xs leading-[14px] font-medium"
              style={{ top: line * MARK_PX }}
            >
              {number}
            </span>
            <span className="absolute bottom-5 border-l border-border-strong" style={{ top: line * MARK_PX + 16 }} />
          </span>
        ))}
      </div>
      <div style={{ paddingTop: marksPx }}>
        <div aria-hidden="true" className="h-1.5 rounded-xs bg-default" />
        {threads.length === 0 ? (
          <p className="relative bg-surface py-2 text-xs text-muted">
            No threads yet. Each appears here with how full it is after its first run.
          </p>
        ) : (
          <ol aria-label="Latest threads, by how full they are" className="py-1">
            {threads.map((thread) => (
              <ThreadRow key={thread.threadId} thread={thread} window={window} />
            ))}
          </ol>
        )}
      </div>
      <div aria-hidden="true" className="tnum flex h-5 justify-between text-2xs text-muted">
        <span>0</span>
        <span>{formatTokens(window / 2)}</span>
        <span>{formatTokens(window)}</span>
      </div>
    </div>
  );
}

const percentOf = (share: number) => `${Math.min(1, share) * 100}%`;

function ThreadRow({ thread, window }: { thread: ThreadFill; window: number }) {
  const { conversation, title, isOwn, ownerName, compactions, updatedAt } = thread;
  const share = conversation / window;
  const name = isOwn ? (title ?? "Untitled") : `A thread of ${ownerName}`;
  const href = isOwn ? `/threads/${thread.threadId}` : thread.traceId && `/traces/${thread.traceId}`;
  const inner = (
    <>
      <span className="flex items-baseline gap-2 text-xs">
        <span className="relative min-w-0 truncate bg-surface pr-1 group-hover:bg-default">{name}</span>
        <span className="flex-1" />
        <span className="tnum relative shrink-0 bg-surface pl-1 text-muted group-hover:bg-default">
          {formatTokens(conversation)} · {percentText(share)}
          {compactions > 0 ? ` · compacted ${compactions === 1 ? "once" : `${compactions} times`}` : ""} ·{" "}
          <Time at={updatedAt} />
        </span>
      </span>
      <span aria-hidden="true" className="mt-0.5 block h-1.5">
        <span
          className={share > 1 ? "block h-full rounded-xs bg-limit" : "block h-full min-w-px rounded-xs bg-kind-model"}
          style={{ width: percentOf(share) }}
        />
      </span>
    </>
  );
  const look = "group block rounded-xs py-1 touch-row";
  return (
    <li>
      {href === null || href === "" ? (
        <span className={look}>{inner}</span>
      ) : (
        <Link href={href} prefetch={false} className={`${look} hover:bg-default`}>
          {inner}
        </Link>
      )}
    </li>
  );
}

interface RuleListProps {
  rules: readonly PlacedRule[];
  config: AgentConfig;
  threads: readonly ThreadFill[];
}

function RuleList({ rules, config, threads }: RuleListProps) {
  return (
    <ol aria-label="Rules, by the tokens from which they act" className="mt-1 space-y-2">
      {rules.map(({ name, number, at, share }) => {
        const { title, when, does } = ruleText(name, config);
        const past = threads.filter(({ conversation }) => conversation >= at).length;
        return (
          <li key={name} className="flex gap-2">
            <span
              aria-hidden="true"
              className="tnum mt-px h-4 shrink-0 rounded-full border border-border-strong px-1 text-2xs leading-[14px] font-medium"
            >
              {number}
            </span>
            <div className="min-w-0 flex-1 text-xs">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{title}</span>
                <span className="tnum text-muted">
                  {formatCount(at)} tokens, {percentText(share)}, {when}
                </span>
              </p>
              <p className="text-muted">
                {does}
                {pastText(past, threads.length)}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function pastText(past: number, all: number): string {
  if (past === 0) return "";
  if (all === 1) return " The one thread is past it.";
  return ` ${past} of the ${all} threads ${past === 1 ? "is" : "are"} past it.`;
}

/** Settings that apply to single results and turns, which have no position on the axis. */
function othersText({ eviction, history }: AgentConfig): string {
  const cut = eviction.enabled
    ? `A single tool result over ${formatCount(eviction.max_chars)} characters is cut as it arrives. `
    : "";
  const turns = history.limit_turns === null ? "" : `The model reads the last ${history.limit_turns} turns. `;
  return `${cut}${turns}Tokens are estimated, and only the conversation counts: the system prompt and the tools come on top.`;
}
