"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { FIELD } from "@/components/ui/controls/text-field";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/states/skeleton";
import { deliverText, everyMs, pauseText, quietText } from "@/lib/client/heartbeats/heartbeat-labels";
import { heartbeatFileQuery, writeHeartbeatFile } from "@/lib/client/heartbeats/heartbeat-queries";
import { errorMessage } from "@/lib/client/http/api";
import { dueText } from "@/lib/client/schedules/schedule-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { Heartbeat, HeartbeatFile } from "@/lib/schema/triggers/heartbeat";

interface HeartbeatPanelProps {
  heartbeat: Heartbeat;
  isMine: boolean;
  onEdit: () => void;
}

/** A heartbeat's task and interval, and its last message. */
export function HeartbeatPanel({ heartbeat, isMine, onEdit }: HeartbeatPanelProps) {
  return (
    <aside
      aria-label={`Heartbeat of ${heartbeat.agentName}`}
      className="w-[328px] shrink-0 overflow-y-auto border-l border-border bg-surface-secondary max-xl:w-auto max-xl:border-t max-xl:border-l-0"
    >
      {isMine ? (
        <TaskFile key={heartbeat.id} id={heartbeat.id} />
      ) : (
        <Section title="HEARTBEAT.md">
          <p className="text-sm text-muted">Only {heartbeat.ownerName ?? "its owner"} reads this file.</p>
        </Section>
      )}
      <Section
        title="Pace"
        extra={
          isMine ? (
            <Button variant="ghost" aria-label="Edit the pace" onPress={onEdit}>
              <Pencil aria-hidden />
              Edit
            </Button>
          ) : null
        }
      >
        <Pace heartbeat={heartbeat} />
      </Section>
      <LastSaid heartbeat={heartbeat} />
    </aside>
  );
}

function TaskFile({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const { data: file, error } = useQuery(heartbeatFileQuery(id));
  /** The text being edited, and what it is based on; null while it is only displayed. */
  const [draft, setDraft] = useState<{ readonly content: string; readonly before: string } | null>(null);
  const save = useMutation({
    mutationFn: (written: { content: string; before: string }) => writeHeartbeatFile(id, written),
    onSuccess: (saved) => {
      queryClient.setQueryData(heartbeatFileQuery(id).queryKey, saved);
      setDraft(null);
    },
  });
  if (error) {
    return (
      <Section title="HEARTBEAT.md">
        <p className="text-sm text-fail-text">{errorMessage(error)}</p>
      </Section>
    );
  }
  if (!file) {
    return (
      <Section title="HEARTBEAT.md">
        <Skeleton className="h-24 w-full" />
      </Section>
    );
  }
  const edit = () => setDraft({ content: file.content, before: file.content });
  return (
    <Section
      title="HEARTBEAT.md"
      extra={
        <>
          {file.version === null ? null : `version ${file.version}`}
          {file.canEdit && draft === null ? (
            <IconButton label="Edit HEARTBEAT.md" onPress={edit}>
              <Pencil strokeWidth={1.75} />
            </IconButton>
          ) : null}
        </>
      }
    >
      {draft === null ? (
        <FileView file={file} onEdit={edit} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!save.isPending) save.mutate(draft);
          }}
        >
          <textarea
            // biome-ignore lint/a11y/noAutofocus: it opens by the button beside it
            autoFocus
            aria-label="HEARTBEAT.md"
            rows={8}
            value={draft.content}
            spellCheck={false}
            onChange={({ target }) => setDraft({ ...draft, content: target.value })}
            onKeyDown={(event) => {
              if (event.key === "Escape" && draft.content === draft.before) setDraft(null);
              if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            className={classNames(FIELD, "resize-y py-1.5 font-mono text-xs leading-[19px]")}
          />
          {save.error ? (
            <p role="alert" className="mt-1 text-xs text-fail-text">
              {errorMessage(save.error)}
            </p>
          ) : null}
          <p className="mt-2 flex justify-end gap-2">
            <Button variant="ghost" onPress={() => setDraft(null)}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" isPending={save.isPending}>
              Save
            </Button>
          </p>
        </form>
      )}
    </Section>
  );
}

function FileView({ file, onEdit }: { file: HeartbeatFile; onEdit: () => void }) {
  const { content, place, hasTasks, canEdit } = file;
  return (
    <>
      {content.trim() === "" ? null : (
        <ol className="max-h-72 overflow-auto rounded-md border border-border bg-code py-2 font-mono text-xs leading-[19px]">
          {content
            .trimEnd()
            .split("\n")
            .map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
              <li key={index} className="flex gap-2 px-2.5">
                <span aria-hidden className="w-5 shrink-0 text-subtle select-none">
                  {index + 1}
                </span>
                <span className={classNames("whitespace-pre-wrap", /^\s*(#|<!--)/.test(line) && "text-muted")}>
                  {line}
                </span>
              </li>
            ))}
        </ol>
      )}
      {hasTasks ? null : (
        <p className="mt-2 text-sm text-muted">
          It names nothing to look after, so no model is called.{" "}
          {canEdit ? (
            <button type="button" onClick={onEdit} className="text-link underline underline-offset-2">
              Write down what it should look after
            </button>
          ) : null}
        </p>
      )}
      {place === "agent" ? (
        <p className="mt-2 text-xs text-muted">
          This comes with the agent. Your first change makes a file of your own.
        </p>
      ) : null}
      {canEdit ? null : (
        <p className="mt-2 text-xs text-muted">
          This agent has no workspace for a file of yours. The file of the agent counts.
        </p>
      )}
    </>
  );
}

function Pace({ heartbeat }: { heartbeat: Heartbeat }) {
  const { active, zone, max_steps: steps, idle_pause_days: days, budget } = heartbeat;
  const every = pauseText(everyMs(heartbeat));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Every", every],
    ["Quiet hours", quietText(active)],
    ["Time zone", zone],
    ["Three empty in a row", "double the pause, up to 4 h"],
    ["Something to say", `back to ${every}`],
    ["Steps a beat", `at most ${steps}`],
    ["Daily budget", budget.day_usd === null ? "no limit of its own" : `$${budget.day_usd}`],
    ...(days === null ? [] : [[`No message for ${days} days`, "pause"] as const]),
    ["Says it in", deliverText(heartbeat)],
  ];
  return (
    <dl className="text-xs leading-6">
      {facts.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-3 border-b border-separator last:border-b-0">
          <dt className="text-muted">{label}</dt>
          <dd className="tnum min-w-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function LastSaid({ heartbeat: { lastSaid, zone } }: { heartbeat: Heartbeat }) {
  const now = useHalfMinute();
  if (lastSaid === null || now === null) {
    return (
      <Section title="Last thing said">
        <p className="text-sm text-muted">Nothing yet.</p>
      </Section>
    );
  }
  const { text, at, runId, threadId, costUsd } = lastSaid;
  return (
    <Section title="Last thing said" extra={dueText(at, zone, now)}>
      <p className="line-clamp-10 text-sm leading-5 whitespace-pre-line">{text}</p>
      <p className="mt-2 flex gap-4 text-xs">
        {threadId === null ? null : (
          <Link href={`/threads/${threadId}`} className="text-link underline underline-offset-2">
            Open thread
          </Link>
        )}
        <Link href={`/traces/${runId}`} className="text-link underline underline-offset-2">
          Open trace
        </Link>
        <span className="tnum ml-auto text-muted">{formatCost(costUsd)}</span>
      </p>
    </Section>
  );
}
