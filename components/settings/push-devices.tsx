"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import {
  currentEndpoint,
  PushRefused,
  type PushSupport,
  pushSupport,
  turnOffPush,
  turnOnPush,
} from "@/lib/client/notifications/browser-push";
import { notificationsQuery, removePushDevice, testPushDevice } from "@/lib/client/notifications/notification-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { NotificationSettings, PushDevice } from "@/lib/schema/users/notification";

const BROWSER_KEY = ["notifications", "this-browser"] as const;

const WHY_NOT: Readonly<Record<Exclude<PushSupport, "ready">, string>> = {
  insecure:
    "Push needs this page over https, or on localhost. Ask whoever runs the server for an https address; until then, choose email.",
  unsupported:
    "This browser has no web push. On an iPhone or iPad, add this page to the home screen first; elsewhere, choose email.",
  blocked: "This browser blocks notifications for this page. Allow them in the settings of the page, then reload it.",
};

export interface PushDevicesProps {
  settings: NotificationSettings;
  /** Nothing is sent by push yet: the first browser switches on what most people want. */
  onFirst: () => void;
}

/** The browsers subscribed to push, and the way to add this one. */
export function PushDevices({ settings: { devices, pushKey, ways }, onFirst }: PushDevicesProps) {
  const queryClient = useQueryClient();
  const browser = useQuery({
    queryKey: BROWSER_KEY,
    queryFn: async () => ({ support: pushSupport(), endpoint: await currentEndpoint() }),
  });
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
  };
  const turnOn = useMutation({
    mutationFn: () => turnOnPush(pushKey),
    onSuccess: async () => {
      if (!Object.values(ways).some(({ push }) => push)) onFirst();
      await refresh();
    },
    onError: (error) => {
      showToast({ title: error instanceof PushRefused ? error.message : errorMessage(error), tone: "error" });
      void queryClient.invalidateQueries({ queryKey: BROWSER_KEY });
    },
  });
  const support = browser.data?.support;
  return (
    <section aria-label="Where push goes" className="mt-6">
      <header className="flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="text-sm font-semibold">Where push goes</h2>
        <span className="flex-1" />
        {support === "ready" ? (
          <Button variant="primary" isDisabled={turnOn.isPending} onPress={() => turnOn.mutate()}>
            {turnOn.isPending ? "Asking the browser…" : "Turn on for this browser"}
          </Button>
        ) : null}
      </header>
      {support === undefined || support === "ready" ? null : (
        <p className="mt-1 rounded-lg border border-border px-3 py-2 text-sm">{WHY_NOT[support]}</p>
      )}
      {devices.length === 0 ? (
        <p className="mt-1 text-sm text-muted">No browser takes pushes yet.</p>
      ) : (
        <ul aria-label="Browsers" className="mt-2 rounded-lg border border-border">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} isLast={devices.length === 1} onChange={refresh} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface DeviceRowProps {
  device: PushDevice;
  /** Afterwards this browser's own subscription is useless. */
  isLast: boolean;
  onChange: () => Promise<void>;
}

function DeviceRow({ device: { id, name, service, lastSentAt }, isLast, onChange }: DeviceRowProps) {
  const test = useAction({
    mutationFn: () => testPushDevice(id),
    onSuccess: async ({ ok, error }) => {
      showToast(ok ? { title: `A test was sent to ${name}` } : { title: error ?? "Not sent", tone: "error" });
      await onChange();
    },
  });
  const remove = useAction({
    mutationFn: async () => {
      await removePushDevice(id);
      if (isLast) await turnOffPush();
    },
    onSuccess: onChange,
  });
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-separator py-1 pr-1 pl-3 text-sm last:border-b-0">
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="min-w-0 truncate text-xs text-muted">{service}</span>
      <span className="flex-1" />
      <span className="text-xs text-muted">
        {lastSentAt === null ? (
          "nothing sent yet"
        ) : (
          <>
            last push <Time at={lastSentAt} isInSentence />
          </>
        )}
      </span>
      <Button variant="ghost" isDisabled={test.isPending} onPress={() => test.mutate()}>
        Send a test
      </Button>
      <IconButton label={`Remove ${name}`} isDisabled={remove.isPending} onPress={() => remove.mutate()}>
        <X />
      </IconButton>
    </li>
  );
}
