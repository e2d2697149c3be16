"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Copy, Download, Ellipsis, MessageSquare } from "lucide-react";
import Link from "next/link";
import { AgentGroups } from "@/components/admin/agents/agent-groups";
import { isUnsandboxed, needsSandbox } from "@/components/admin/agents/sandbox-notice";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import { StateChip } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { deleteAgent, restoreAgent } from "@/lib/client/agents/agent-queries";
import {
  type AgentSums,
  agentActivityQuery,
  costText,
  type ListedAgent,
  openRunsQuery,
  sumActivity,
} from "@/lib/client/agents/list-agents";
import { isDemoModel, modelLabel } from "@/lib/client/agents/model-names";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { failureCause, traceNote } from "@/lib/client/trace/trace-note";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import type { AgentActivity } from "@/lib/schema/agents/agent-activity";
import { DayBars } from "./day-bars";

const COLUMNS = [
  { id: "name", label: "Agent", className: "w-full" },
  { id: "state", label: "State", className: "max-md:hidden" },
  { id: "live", label: "Live", className: "max-md:hidden" },
  { id: "model", label: "Model", className: "max-lg:hidden" },
  { id: "days", label: "14 days", className: "max-lg:hidden" },
  { id: "runs", label: "Runs", align: "right", className: "max-md:hidden" },
  { id: "failed", label: "Failed", align: "right", className: "max-md:hidden" },
  { id: "cost", label: "Cost", align: "right", className: "max-md:hidden" },
  { id: "used", label: "Last used", align: "right", className: "max-md:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

/** From this failure rate on, the figure is red. */
const MANY_FAILURES = 0.05;

export interface AgentTableProps {
  agents: readonly ListedAgent[];
  days: number;
  isArchived: boolean;
  onCopy: (agentId: string) => void;
}

/** One row per agent; on a phone one card. */
export function AgentTable({ agents, days, isArchived, onCopy }: AgentTableProps) {
  const activity = useQuery(agentActivityQuery);
  const byId = new Map(activity.data?.map((one) => [one.agentId, one]));
  const open = useQuery(openRunsQuery);
  const counts = (agentId: string, status: string) =>
    open.data?.filter((run) => run.agentId === agentId && run.status === status).length ?? 0;
  return (
    <Table label="Agents">
      <TableHead columns={COLUMNS} />
      <tbody>
        {agents.map((agent) => (
          <AgentRow
            key={agent.id}
            agent={agent}
            activity={byId.get(agent.id)}
            running={counts(agent.id, "running")}
            waiting={counts(agent.id, "waiting")}
            days={days}
            isArchived={isArchived}
            onCopy={onCopy}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface AgentRowProps extends Omit<AgentTableProps, "agents"> {
  agent: ListedAgent;
  /** Undefined while unknown. */
  activity: AgentActivity | undefined;
  running: number;
  waiting: number;
}

function AgentRow({ agent, activity, running, waiting, days, isArchived, onCopy }: AgentRowProps) {
  const sums = activity === undefined ? null : sumActivity(activity, days);
  const failed = sums?.failedShare ?? null;
  const failedText = failed === null ? "" : `${(failed * 100).toFixed(1)}%`;
  const isFailing = failed !== null && failed >= MANY_FAILURES;
  const state = <AgentState running={running} waiting={waiting} lastFailure={activity?.lastFailure ?? null} />;
  return (
    <TableRow>
      <TableCell className="h-13! max-w-0 max-md:py-2">
        <span className="flex items-center gap-2">
          {isArchived ? (
            <span className="truncate text-sm font-medium">{agent.name}</span>
          ) : (
            <Link
              href={`/admin/agents/${agent.id}`}
              data-agent={agent.id}
              className="truncate text-sm leading-[18px] font-medium after:absolute after:inset-0"
            >
              {agent.name}
            </Link>
          )}
          <span className="font-mono text-2xs text-muted max-sm:hidden">{agent.id}</span>
          <AgentGroups agentId={agent.id} />
          {needsSandbox(agent) ? <Tag>no commands</Tag> : null}
          {isUnsandboxed(agent) ? <Tag className="text-fail-text">no sandbox</Tag> : null}
          <VersionText version={agent.version ?? 0} activity={activity} className="md:hidden" />
          <span className="ml-auto md:hidden">{state}</span>
        </span>
        <span className="block truncate text-xs text-muted" title={agent.description}>
          {agent.description}
        </span>
        <CardFigures sums={sums} failedText={failedText} lastUsedAt={activity?.lastUsedAt ?? null} />
        <DraftText activity={activity} className="md:hidden" />
      </TableCell>
      <TableCell className="max-md:hidden">{state}</TableCell>
      <TableCell className="max-md:hidden">
        <VersionText version={agent.version ?? 0} activity={activity} />
        <DraftText activity={activity} />
      </TableCell>
      <TableCell className="max-w-44 truncate font-mono text-2xs text-muted max-lg:hidden">
        {isDemoModel(agent.model) ? (
          <Link href="/admin/models?add=true" prefetch={false} title="Connect a model" className="hover:underline">
            {modelLabel(agent.model)}
          </Link>
        ) : (
          modelLabel(agent.model)
        )}
      </TableCell>
      <TableCell className="max-lg:hidden">
        {activity === undefined ? null : <DayBars days={activity.days.map(({ runs }) => runs)} />}
      </TableCell>
      <TableCell align="right" className="max-md:hidden">
        {sums === null ? "" : formatCount(sums.runs)}
      </TableCell>
      <TableCell align="right" className={classNames("max-md:hidden", isFailing ? "text-fail-text" : "text-muted")}>
        {failedText}
      </TableCell>
      <TableCell align="right" className="max-md:hidden">
        {sums === null ? "" : costText(sums)}
      </TableCell>
      <TableCell align="right" className="text-muted max-md:hidden">
        {activity === undefined ? "" : activity.lastUsedAt === null ? "never" : <Time at={activity.lastUsedAt} />}
      </TableCell>
      <TableCell align="right" className="relative">
        <RowMenu agent={agent} isArchived={isArchived} onCopy={onCopy} />
      </TableCell>
    </TableRow>
  );
}

interface CardFiguresProps {
  sums: AgentSums | null;
  failedText: string;
  lastUsedAt: string | null;
}

/** The row's figures in one line, on a phone. */
function CardFigures({ sums, failedText, lastUsedAt }: CardFiguresProps) {
  return (
    <span className="tnum flex items-center gap-2 text-xs text-muted md:hidden">
      <span className="min-w-0 flex-1 truncate">
        {sums === null || sums.runs === 0
          ? "no runs"
          : `${formatCount(sums.runs)} ${sums.runs === 1 ? "run" : "runs"} · ${costText(sums)} · ${failedText} failed`}
      </span>
      {lastUsedAt === null ? null : <Time at={lastUsedAt} />}
    </span>
  );
}

/** Only if there is something to say. */
function AgentState({ running, waiting, lastFailure }: AgentStateProps) {
  if (waiting > 0) return <StateChip status="waiting" word="Waiting" note={waiting} />;
  if (running > 0) return <StateChip status="running" note={running} />;
  if (lastFailure === null) return null;
  const failed = { status: "failed", error: lastFailure.message, errorCode: lastFailure.code } as const;
  return (
    <span title={failureCause(failed) ?? undefined}>
      <StateChip status="failed" word="Failing" note={traceNote({ ...failed, steps: 0, cancelledBy: null })} />
    </span>
  );
}

interface AgentStateProps extends Pick<AgentRowProps, "running" | "waiting"> {
  lastFailure: AgentActivity["lastFailure"];
}

interface VersionTextProps {
  version: number;
  activity: AgentActivity | undefined;
  className?: string;
}

function VersionText({ version, activity, className }: VersionTextProps) {
  const aliases = activity?.aliases.filter((alias) => alias.version === version) ?? [];
  return (
    <span className={classNames("flex shrink-0 items-center gap-1.5 leading-[18px]", className)}>
      <span className="tnum font-medium">v{version}</span>
      {aliases.map(({ name }) => (
        <Tag key={name} mono className="h-4!">
          @{name}
        </Tag>
      ))}
    </span>
  );
}

function DraftText({ activity, className }: Omit<VersionTextProps, "version">) {
  const draft = activity?.draft ?? null;
  if (draft === null) return null;
  const { changes } = draft;
  return (
    <span className={classNames("flex items-center gap-1.5 text-xs whitespace-nowrap text-muted", className)}>
      <span aria-hidden="true" className="size-1.5 rounded-full border-[1.5px] border-foreground" />
      draft r{draft.revision}
      {changes === null ? ", can't be read" : `, ${changes} ${changes === 1 ? "change" : "changes"}`}
      {draft.isBehind ? ", behind" : ""}
    </span>
  );
}

function RowMenu({ agent, isArchived, onCopy }: Pick<AgentRowProps, "agent" | "isArchived" | "onCopy">) {
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
  const onError = (error: Error) => showToast({ title: errorMessage(error), tone: "error" });
  const restore = useMutation({
    mutationFn: () => restoreAgent(agent.id),
    onSuccess: () => showToast({ title: `${agent.name} is in use again` }),
    onError,
    onSettled,
  });
  const archive = useMutation({
    mutationFn: () => deleteAgent(agent.id),
    onSuccess: () => showToast({ title: `Archived ${agent.name}`, onUndo: () => restore.mutate() }),
    onError,
    onSettled,
  });
  const actions = isArchived
    ? [{ id: "restore", label: "Bring back", icon: <ArchiveRestore />, onAction: () => restore.mutate() }]
    : [
        { id: "chat", label: "Start a chat", icon: <MessageSquare />, href: `/?agent=${agent.id}` },
        { id: "duplicate", label: "Duplicate", icon: <Copy />, onAction: () => onCopy(agent.id) },
        { id: "export", label: "Export", icon: <Download />, href: `/api/agents/${agent.id}/export` },
        {
          id: "archive",
          label: "Archive",
          icon: <Archive />,
          isDanger: true,
          startsGroup: true,
          onAction: () => archive.mutate(),
        },
      ];
  return (
    <Menu
      label={`Actions for ${agent.name}`}
      trigger={
        <IconButton label={`Actions for ${agent.name}`}>
          <Ellipsis />
        </IconButton>
      }
      actions={actions}
    />
  );
}
