"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useId, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Segments } from "@/components/ui/controls/segments";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { callWhatIfQuery } from "@/lib/client/permissions/what-if-queries";
import { useSettled } from "@/lib/client/ui/input/use-settled";
import { formatCount } from "@/lib/client/ui/text/format";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import type { CallWhatIf, ChangedCall, WhatIfBody } from "@/lib/schema/permissions/what-if";
import { THEN } from "@/lib/schema/permissions/what-if";
import { ProposedGrants } from "./proposed-grants";
import { Sentence } from "./what-if-line";

const PERIODS = [7, 30, 90].map((days) => ({ id: String(days), name: `${days} days` }));
const FIRST_ROWS = 5;

export interface WhatIfBlockProps {
  agentId: string;
  rules: NonNullable<WhatIfBody["rules"]>;
  /** Asks before the calls that a person had denied. */
  onAskBefore: (rules: readonly PermissionRule[]) => void;
  /** Allows what a proposed rule allows. */
  onAllow: (rule: PermissionRule) => void;
}

/** What the rules being edited would have done with the calls of the last days: a sentence, and the rest on request. */
export function WhatIfBlock({ agentId, rules, onAskBefore, onAllow }: WhatIfBlockProps) {
  const id = useId();
  const [days, setDays] = useState(30);
  const [isOpen, setOpen] = useState(false);
  const settled = useSettled(JSON.stringify(rules));
  const query = useQuery(callWhatIfQuery({ agentId, rules: JSON.parse(settled), days }));
  return (
    <section aria-labelledby={id} className="mx-5 mt-2 rounded-lg border border-border">
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-separator px-3 py-1">
        <h3 id={id} className="text-sm font-medium">
          What would these rules have done?
        </h3>
        <Segments label="Period" options={PERIODS} value={String(days)} onChange={(next) => setDays(Number(next))} />
      </header>
      <QueryState what="recorded calls" query={query} rows={1}>
        {(found) => (
          <div className="px-3 py-2">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p role="status" className="text-sm font-medium">
                <Sentence found={found} days={days} />
              </p>
              {found.calls === 0 ? null : (
                <Button size="sm" variant="ghost" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
                  {isOpen ? "Hide details" : "Details"}
                </Button>
              )}
            </div>
            {isOpen && found.calls > 0 ? <Details found={found} onAskBefore={onAskBefore} /> : null}
          </div>
        )}
      </QueryState>
      <ProposedGrants agentId={agentId} allow={rules.allow ?? []} onAccept={onAllow} />
    </section>
  );
}

function Details({ found, onAskBefore }: { found: CallWhatIf } & Pick<WhatIfBlockProps, "onAskBefore">) {
  const risky = found.changed.filter(isRisky);
  const others = found.changed.filter((call) => !isRisky(call));
  const asks = risky.flatMap(({ askRule }) => askRule ?? []);
  return (
    <div className="mt-2 flex flex-col gap-3">
      <Figures found={found} />
      {found.wildcards.map((rule) => (
        <p key={rule} className="text-xs text-signal-text">
          <code className="font-mono">{rule}</code> also matches several commands in a row.
        </p>
      ))}
      {risky.length === 0 ? null : (
        <div className="overflow-hidden rounded-lg border border-signal-line">
          <div className="flex items-center justify-between gap-2 bg-signal-soft px-3 py-1.5 text-xs font-medium">
            <h4>{formatCount(found.deniedByPeople)} a person had denied</h4>
            {asks.length === 0 ? null : (
              <button type="button" className="underline touch-target" onClick={() => onAskBefore(asks)}>
                Ask before these
              </button>
            )}
          </div>
          <Calls calls={risky} />
        </div>
      )}
      {found.saved.length === 0 ? null : <Saved saved={found.saved} />}
      {others.length === 0 ? null : (
        <div>
          <h4 className="pb-1 text-xs font-medium">What would have been different</h4>
          <div className="rounded-lg border border-border">
            <Calls calls={others} />
          </div>
        </div>
      )}
      <p className="text-2xs text-muted">
        Each call is judged alone, by what was recorded; no model is asked.
        {found.unknown === 0 ? null : ` Of ${formatCount(found.unknown)} more, too little was recorded.`}
      </p>
    </div>
  );
}

function isRisky({ would, decision }: ChangedCall): boolean {
  return would === "allowed" && decision === "deny";
}

const VERDICTS = ["allowed", "asked", "denied"] as const;

function Figures({ found: { now, [THEN]: later } }: { found: CallWhatIf }) {
  return (
    <table className="tnum w-full text-left text-xs">
      <thead className="text-muted">
        <tr>
          <td />
          <th className="font-normal">Allowed</th>
          <th className="font-normal">Asked</th>
          <th className="font-normal">Denied by rule</th>
        </tr>
      </thead>
      <tbody>
        <tr className="border-t border-separator">
          <th className="py-1 font-normal">As it was</th>
          {VERDICTS.map((verdict) => (
            <td key={verdict}>{formatCount(now[verdict])}</td>
          ))}
        </tr>
        <tr className="border-t border-separator">
          <th className="py-1 font-normal">With this draft</th>
          {VERDICTS.map((verdict) => (
            <td key={verdict}>
              {formatCount(later[verdict])} <Change by={later[verdict] - now[verdict]} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function Change({ by }: { by: number }) {
  if (by === 0) return null;
  return (
    <span className="text-muted">
      {by > 0 ? "+" : "−"}
      {formatCount(Math.abs(by))}
    </span>
  );
}

function Saved({ saved }: Pick<CallWhatIf, "saved">) {
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium">People allowed these</h4>
      <ul className="rounded-lg border border-border">
        {saved.map(({ tool, gist, calls }) => (
          <li
            key={`${tool} ${gist}`}
            className="flex min-h-8 items-center gap-2 border-b border-separator px-3 py-1 text-xs last:border-b-0"
          >
            <span className="min-w-0 flex-1 font-mono break-words">{gist === "" ? tool : gist}</span>
            <span className="tnum shrink-0 text-muted">{calls === 1 ? "once" : `${formatCount(calls)} times`}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Calls({ calls }: { calls: readonly ChangedCall[] }) {
  const [shown, setShown] = useState(FIRST_ROWS);
  return (
    <>
      <ul>
        {calls.slice(0, shown).map((call) => (
          <CallRow key={`${call.runId} ${call.toolCallId}`} call={call} />
        ))}
      </ul>
      {calls.length <= shown ? null : (
        <button
          type="button"
          className="w-full border-t border-separator px-3 py-1.5 text-left text-xs text-link hover:underline touch-row"
          onClick={() => setShown(calls.length)}
        >
          Show {formatCount(calls.length - shown)} more
        </button>
      )}
    </>
  );
}

function CallRow({ call }: { call: ChangedCall }) {
  const { traceId, spanId, tool, gist, was, would, decision, decidedBy, reason, startedAt, rule } = call;
  const person = decidedBy === null ? "" : ` by ${decidedBy}`;
  const before = decision === "deny" ? `denied${person}` : was;
  return (
    <li className="border-t border-separator px-3 py-1.5 text-xs first:border-t-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Link
          href={`/traces/${encodeURIComponent(traceId)}?layout=waterfall&span=${encodeURIComponent(spanId)}&tab=tools`}
          prefetch={false}
          className="min-w-0 font-mono break-words text-link hover:underline"
        >
          {tool} {gist}
        </Link>
        {reason === null || reason === "" ? null : <span className="text-signal-text">“{reason}”</span>}
        <Time at={startedAt} className="tnum ml-auto shrink-0 text-muted" />
      </p>
      <p className="text-2xs text-muted" title={rule}>
        {before} → {would}
      </p>
    </li>
  );
}
