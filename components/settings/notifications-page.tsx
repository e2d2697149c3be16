"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { RadioList } from "@/components/ui/controls/radio-list";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { CHANNEL_NAMES } from "@/lib/client/channels/channel-labels";
import { errorMessage } from "@/lib/client/http/api";
import { changeNotifications, notificationsQuery } from "@/lib/client/notifications/notification-queries";
import { formatTime } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type {
  ChangeNotificationsBody,
  NotificationDetail,
  NotificationSettings,
} from "@/lib/schema/users/notification";
import { PushDevices } from "./push-devices";
import { QuietHours } from "./quiet-hours";
import { SentList } from "./sent-list";
import { WayTable } from "./way-table";

/** The viewer's notifications: of what, how, when and in how much detail; every choice is saved at once. */
export function NotificationsPage() {
  const query = useQuery(notificationsQuery);
  const save = useSave();
  return (
    <Page>
      <PageHead
        title="Notifications"
        facts={<SaveState {...save} />}
        actions={
          query.data ? (
            <Pause pausedUntil={query.data.pausedUntil} onPause={(pauseMinutes) => save.change({ pauseMinutes })} />
          ) : null
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <QueryState what="notifications" query={query}>
          {(settings) => <Choices settings={settings} onChange={save.change} />}
        </QueryState>
      </div>
    </Page>
  );
}

/** A choice is shown at once, and stays as made if it could not be saved. */
function useSave() {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: changeNotifications,
    scope: { id: "notifications" },
    onMutate: async (body) => {
      await queryClient.cancelQueries({ queryKey: notificationsQuery.queryKey, exact: true });
      queryClient.setQueryData(notificationsQuery.queryKey, (known) => known && over(known, body));
    },
    onSuccess: (settings) => {
      if (queryClient.isMutating() === 1) queryClient.setQueryData(notificationsQuery.queryKey, settings);
    },
  });
  return {
    change: mutation.mutate,
    savedAtMs: mutation.isSuccess ? mutation.submittedAt : null,
    problem: mutation.isError ? errorMessage(mutation.error) : null,
    again: () => mutation.variables && mutation.mutate(mutation.variables),
  };
}

function over(known: NotificationSettings, body: ChangeNotificationsBody): NotificationSettings {
  const { ways } = known;
  const changed = body.ways ?? {};
  const { pauseMinutes } = body;
  return {
    ...known,
    quietHours: body.quietHours === undefined ? known.quietHours : body.quietHours,
    words: body.words ?? known.words,
    how: { ...known.how, ...body.how },
    pausedUntil: pauseMinutes === undefined ? known.pausedUntil : pauseEnd(pauseMinutes),
    ways: {
      decision: { ...ways.decision, ...changed.decision },
      finished: { ...ways.finished, ...changed.finished },
      failed: { ...ways.failed, ...changed.failed },
      budget: { ...ways.budget, ...changed.budget },
      schedule: { ...ways.schedule, ...changed.schedule },
      delivery: { ...ways.delivery, ...changed.delivery },
      board: { ...ways.board, ...changed.board },
      alert: { ...ways.alert, ...changed.alert },
    },
  };
}

function pauseEnd(minutes: number): string | null {
  return minutes === 0 ? null : new Date(Date.now() + minutes * 60_000).toISOString();
}

interface PauseProps {
  pausedUntil: string | null;
  onPause: (minutes: number) => void;
}

/** Keeps everything back for an hour; until then it says when the pause ends. */
function Pause({ pausedUntil, onPause }: PauseProps) {
  const now = useHalfMinute();
  const end = pausedUntil === null ? 0 : Date.parse(pausedUntil);
  if (now === null || end <= now) {
    return (
      <Button onPress={() => onPause(60)}>
        <BellOff aria-hidden />
        Pause for 1 h
      </Button>
    );
  }
  return (
    <>
      <span role="status" className="min-w-0 truncate text-xs text-muted">
        Paused until {formatTime(end)}
      </span>
      <Button onPress={() => onPause(0)}>Resume</Button>
    </>
  );
}

interface SaveStateProps {
  savedAtMs: number | null;
  problem: string | null;
  again: () => void;
}

function SaveState({ savedAtMs, problem, again }: SaveStateProps) {
  return (
    <span role="status" className="flex min-w-0 items-center gap-2 text-xs text-muted">
      {problem === null ? null : (
        <>
          <span className="min-w-0 truncate text-fail-text">Not saved. {problem}</span>
          <Button variant="ghost" onPress={again}>
            Try again
          </Button>
        </>
      )}
      {problem === null && savedAtMs !== null ? (
        <span>
          saved <Time at={savedAtMs} isInSentence />
        </span>
      ) : null}
    </span>
  );
}

interface ChoicesProps {
  settings: NotificationSettings;
  onChange: (body: ChangeNotificationsBody) => void;
}

function Choices({ settings, onChange }: ChoicesProps) {
  const { ways, canMail, chat, quietHours, timeZone, serverTimeZone, words, email } = settings;
  return (
    <div className="flex min-h-full max-xl:flex-col">
      <div className="min-w-0 flex-1 px-5 py-4 max-sm:px-3">
        <WayTable
          ways={ways}
          how={settings.how}
          onHow={(kind, how) => onChange({ how: { [kind]: how } })}
          can={{ email: canMail, channel: chat !== null }}
          onChange={(kind, way, isOn) => onChange({ ways: { [kind]: { [way]: isOn } } })}
        />
        <p className="mt-2 text-xs text-muted">
          Daily summaries arrive {quietHours === null ? "at 08:00" : `as your quiet hours end, at ${quietHours.to}`}.{" "}
          {canMail
            ? `Mail goes to ${email} and links here, where you decide.`
            : "This installation has no mail server. An administrator can add one under Admin, Settings, Mail."}{" "}
          {chat === null
            ? "No chat is linked yet. You can link one under Channel above."
            : `Channel is the chat you used last, now ${chat.chatName} in ${chat.channelName} (${CHANNEL_NAMES[chat.kind]}). A run that came from a chat always answers there.`}
        </p>
        <QuietHours
          hours={quietHours}
          timeZone={timeZone ?? serverTimeZone}
          onChange={(hours) => onChange({ quietHours: hours })}
        />
        <PushDevices
          settings={settings}
          onFirst={() => onChange({ ways: { decision: { push: true }, failed: { push: true } } })}
        />
      </div>
      <aside
        aria-label="What it says, and what was sent"
        className="w-[312px] shrink-0 border-l border-border bg-background max-xl:w-full max-xl:border-t max-xl:border-l-0"
      >
        <DetailPicker words={words} onChange={(next) => onChange({ words: next })} />
        <SentList />
      </aside>
    </div>
  );
}

const DETAILS: readonly { readonly id: NotificationDetail; readonly name: string }[] = [
  { id: "full", name: "Show what is asked, with Allow and Deny" },
  { id: "who", name: "Show who asks, hide the call" },
  { id: "short", name: "Only “Something is waiting for you”" },
];

function DetailPicker({
  words,
  onChange,
}: {
  words: NotificationDetail;
  onChange: (words: NotificationDetail) => void;
}) {
  return (
    <section aria-label="On a lock screen" className="border-b border-border px-4 py-3">
      <h2 className="text-sm font-semibold">On a lock screen</h2>
      <div className="mt-1">
        <RadioList label="What a notification says" isLabelHidden options={DETAILS} value={words} onChange={onChange} />
      </div>
      <p className="mt-1 text-xs text-muted">
        Allow is offered only where the whole call fits. Each button works once, for that approval and for you, until it
        is decided or 24 h have passed.
      </p>
    </section>
  );
}
