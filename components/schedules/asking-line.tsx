"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { Time } from "@/components/ui/time";
import { decideCall } from "@/lib/client/chat/asks/decisions";
import { errorMessage } from "@/lib/client/http/api";
import { APPROVALS_KEY } from "@/lib/client/http/query-keys";
import { schedulesQuery, updateSchedule } from "@/lib/client/schedules/schedule-queries";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { Schedule } from "@/lib/schema/triggers/schedule";

type Answer = "once" | "schedule" | "deny";

const SAID: Readonly<Record<Answer, string>> = {
  once: "Allowed once",
  schedule: "Allowed for this schedule",
  deny: "Denied",
};

interface AskingLineProps {
  schedule: Schedule;
  ask: Approval;
  columns: number;
}

/** The ask of a schedule's run, answered in place. */
export function AskingLine({ schedule, ask, columns }: AskingLineProps) {
  const queryClient = useQueryClient();
  const decide = useMutation({
    mutationFn: async (answer: Answer) => {
      const call = { tool: ask.tool, args: ask.args };
      if (answer === "schedule") await updateSchedule(schedule.id, { allow: [...schedule.allow, call] });
      const decision = answer === "deny" ? ("deny" as const) : ("allow" as const);
      await decideCall(ask.runId, { tool_call_id: ask.toolCallId, decision }, "page");
    },
    onSuccess: (_, answer) => showToast({ title: SAID[answer] }),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: APPROVALS_KEY }),
      ]),
  });
  const answer = (given: Answer) => {
    if (!decide.isPending) decide.mutate(given);
  };
  useShortcuts({ y: () => answer("once"), n: () => answer("deny") });
  const { question = "Make this call?", gist = plainGist(ask.args) } = ask.facts ?? {};
  return (
    <tr className="bg-signal-soft [&>td:first-child]:shadow-[inset_2px_0_0_var(--signal)]">
      <td colSpan={columns} className="max-w-0 border-b border-separator px-4 py-1.5">
        <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm">
          <span className="font-medium">{question}</span>
          <code
            className="min-w-0 max-w-full truncate font-mono text-xs max-sm:break-all max-sm:whitespace-normal"
            title={gist}
          >
            {ask.tool} {gist}
          </code>
          <span className="text-xs text-muted">
            asked <Time at={ask.waitingSince} isInSentence />
          </span>
          <span className="ml-auto flex flex-wrap items-center gap-2">
            <Button variant="primary" isPending={decide.isPending} onPress={() => answer("once")}>
              Allow once <Kbd>y</Kbd>
            </Button>
            <Button isPending={decide.isPending} onPress={() => answer("schedule")}>
              Allow for this schedule
            </Button>
            <LinkButton href={`/threads/${ask.threadId}`} variant="ghost">
              Open thread
            </LinkButton>
            <Button variant="danger-ghost" isPending={decide.isPending} onPress={() => answer("deny")}>
              Deny <Kbd>n</Kbd>
            </Button>
          </span>
        </div>
      </td>
    </tr>
  );
}
