"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ListCrumb } from "@/components/admin/list-crumb";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { LinkButton } from "@/components/ui/controls/button";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState } from "@/components/ui/states/state-block";
import type { ScheduleStart } from "@/lib/client/schedules/schedule-form";
import { runPromptQuery, scheduleQuery, schedulesQuery } from "@/lib/client/schedules/schedule-queries";
import { SCHEDULE_TEMPLATES, type TemplateId } from "@/lib/client/schedules/schedule-templates";
import { ScheduleEditor } from "./schedule-editor";

const NOTHING: ScheduleStart = { prompt: "", agentId: null };

export interface NewSchedulePageProps {
  /** A template that it begins with. */
  template: string | null;
  /** A run whose agent is asked again what it was asked there. */
  runId: string | null;
}

export function NewSchedulePage({ template, runId }: NewSchedulePageProps) {
  const { viewer } = useShell();
  const run = useQuery({ ...runPromptQuery(runId ?? ""), enabled: runId !== null });
  if (!viewer.scopes.includes("chat")) {
    return (
      <Frame title="New schedule">
        <ReadOnly>Your role reads schedules. Ask an administrator for the right to chat with agents.</ReadOnly>
      </Frame>
    );
  }
  if (runId !== null && run.isPending) {
    return (
      <Frame title="New schedule">
        <SkeletonList label="Loading the run" rows={8} className="p-2" />
      </Frame>
    );
  }
  const known = isTemplate(template) ? { ...NOTHING, template } : NOTHING;
  return (
    <ScheduleEditor
      schedule={null}
      subject={`schedule new ${runId ?? template ?? ""}`}
      start={runId === null ? known : (run.data ?? NOTHING)}
    />
  );
}

function isTemplate(text: string | null): text is TemplateId {
  return text !== null && Object.hasOwn(SCHEDULE_TEMPLATES, text);
}

/** One schedule of the viewer, to be changed. */
export function ScheduleEditorPage({ id }: { id: string }) {
  const { viewer } = useShell();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...scheduleQuery(id),
    placeholderData: () => queryClient.getQueryData(schedulesQuery.queryKey)?.find((one) => one.id === id),
  });
  const schedule = query.data;
  if (schedule === undefined) {
    return (
      <Frame title="Schedule">
        <QueryState
          what="schedule"
          query={query}
          unharmed="It keeps running."
          gone={
            <NotFoundState what="schedule" listHref="/automations/schedules">
              It was deleted, or it is another person’s.
            </NotFoundState>
          }
        />
      </Frame>
    );
  }
  if (schedule.ownerId !== viewer.id || !viewer.scopes.includes("chat")) {
    return (
      <Frame title={schedule.name}>
        <ReadOnly>{`Only its owner${schedule.ownerName === null ? "" : `, ${schedule.ownerName},`} changes it.`}</ReadOnly>
      </Frame>
    );
  }
  return <ScheduleEditor schedule={schedule} subject={`schedule ${id}`} start={NOTHING} />;
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page>
      <PageHead lead={<ListCrumb href="/automations/schedules">Schedules</ListCrumb>} title={title} />
      {children}
    </Page>
  );
}

function ReadOnly({ children }: { children: string }) {
  return (
    <EmptyState
      title="You can’t change this schedule"
      actions={<LinkButton href="/automations/schedules">All schedules</LinkButton>}
    >
      {children}
    </EmptyState>
  );
}
