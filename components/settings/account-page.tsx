"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { FIELD, FIELD_LABEL } from "@/components/ui/controls/text-field";
import { QueryState } from "@/components/ui/states/query-state";
import { changeTimeZone, notificationsQuery } from "@/lib/client/notifications/notification-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { NotificationSettings } from "@/lib/schema/users/notification";

/** The person's account, and their time zone. */
export function AccountPage() {
  const { viewer } = useShell();
  const query = useQuery(notificationsQuery);
  return (
    <Page>
      <PageHead title="Account" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[640px] px-5 py-4 max-sm:px-3">
          <dl className="grid grid-cols-[88px_1fr] gap-y-1 text-sm">
            <dt className="text-muted">Name</dt>
            <dd className="min-w-0 break-words">{viewer.name}</dd>
            <dt className="text-muted">Email</dt>
            <dd className="min-w-0 break-words">{viewer.email}</dd>
            <dt className="text-muted">Role</dt>
            <dd>{viewer.role}</dd>
          </dl>
          <section className="mt-5 border-t border-border pt-4">
            <h2 className="text-sm font-semibold">Time zone</h2>
            <p className="mt-0.5 mb-2 text-xs text-muted">
              Your quiet hours, your budgets of a day or a month and the schedules that you make follow it.
            </p>
            <QueryState what="time zone" query={query}>
              {(settings) => <TimeZoneField settings={settings} />}
            </QueryState>
          </section>
        </div>
      </div>
    </Page>
  );
}

const SERVER = "";

function TimeZoneField({ settings: { timeZone, serverTimeZone } }: { settings: NotificationSettings }) {
  const id = useId();
  const queryClient = useQueryClient();
  const change = useAction({
    mutationFn: changeTimeZone,
    onSuccess: (own) => {
      queryClient.setQueryData(notificationsQuery.queryKey, (known) => known && { ...known, ...own });
      showToast({ title: `Your time zone is ${own.timeZone ?? own.serverTimeZone}` });
    },
  });
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = [...new Set([...Intl.supportedValuesOf("timeZone"), own, ...(timeZone === null ? [] : [timeZone])])];
  const chosen = change.isPending ? change.variables : timeZone;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className={FIELD_LABEL}>
          Your time zone
        </label>
        <select
          id={id}
          value={chosen ?? SERVER}
          onChange={({ target }) => change.mutate(target.value === SERVER ? null : target.value)}
          className={`${FIELD} h-8 w-64 max-w-full`}
        >
          <option value={SERVER}>The server’s ({serverTimeZone})</option>
          {known.toSorted().map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </div>
      {own === (chosen ?? serverTimeZone) ? null : (
        <Button variant="outline" onPress={() => change.mutate(own)}>
          Use this browser’s: {own}
        </Button>
      )}
    </div>
  );
}
