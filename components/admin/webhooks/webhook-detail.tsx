"use client";
import { useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, KeyRound } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRef, useState } from "react";
import { MadeByKeyLine } from "@/components/shell/made-by-key";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Switch } from "@/components/ui/controls/switch";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { TimeLeft } from "@/components/ui/time";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useAction } from "@/lib/client/ui/use-action";
import { repeatText } from "@/lib/client/webhooks/repeat-labels";
import { deleteWebhook, rotateSecret, updateWebhook, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import type { Webhook } from "@/lib/schema/webhooks/webhook";
import { DeliveryLog } from "./delivery-log";
import { RequestLog } from "./request-log";
import { TryIncoming, TryOutgoing } from "./try-webhook";

const WebhookDialog = dynamic(async () => (await loadWithRetry(() => import("./webhook-dialog"))).WebhookDialog, {
  loading: () => null,
});

const PAGE_KEYS = [
  { keys: "j k", does: "Next and previous delivery" },
  { keys: "Enter", does: "Open the delivery" },
  { keys: "r", does: "Send it again" },
  { keys: "t", does: "Go to Try it" },
] as const;

export interface WebhookDetailProps {
  webhook: Webhook;
  /** A new secret, to be shown once. */
  onSecret: (secret: string) => void;
}

/** One webhook: its settings, a box to try it, and its log. */
export function WebhookDetail({ webhook, onSecret }: WebhookDetailProps) {
  const { id, name, url, enabled, direction } = webhook;
  const [open, setOpen] = useState<"edit" | "rotate" | "delete" | null>(null);
  const close = () => setOpen(null);
  const change = useChange();
  const tryBox = useRef<HTMLDivElement>(null);
  usePageKeys(direction === "in" ? PAGE_KEYS.slice(-1) : PAGE_KEYS);
  useShortcuts({ t: () => tryBox.current?.querySelector<HTMLElement>("textarea, button")?.focus() });
  return (
    <>
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-2">
        <Link href="/automations/webhooks" aria-label="All webhooks" className="md:hidden">
          <ArrowLeft className="size-4" aria-hidden />
        </Link>
        <h2 className="text-sm font-semibold">{name}</h2>
        <span className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 truncate text-xs text-muted" title={url}>
            {url}
          </code>
          <CopyButton text={url} label="Copy the address" />
        </span>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          <span aria-hidden className="text-xs text-muted">
            {enabled ? "on" : "off"}
          </span>
          <Switch
            label={`${name} is on`}
            isOn={enabled}
            onChange={(isOn) => change.mutate(() => updateWebhook(id, { enabled: isOn }))}
          />
          <Button onPress={() => setOpen("rotate")}>
            <KeyRound aria-hidden />
            Rotate secret
          </Button>
          <Button onPress={() => setOpen("edit")}>Edit</Button>
          <Button variant="danger-ghost" onPress={() => setOpen("delete")}>
            Delete
          </Button>
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Summary webhook={webhook} />
        <div ref={tryBox}>{direction === "in" ? <TryIncoming id={id} /> : <TryOutgoing webhook={webhook} />}</div>
        {direction === "in" ? <RequestLog id={id} /> : <DeliveryLog webhook={webhook} />}
      </div>
      {open === "edit" ? (
        <WebhookDialog webhook={webhook} onClose={close} onCreated={({ secret }) => onSecret(secret)} />
      ) : null}
      <ConfirmDialog
        title={`Give ${name} a new secret?`}
        confirmLabel="Rotate secret"
        isDanger={false}
        isOpen={open === "rotate"}
        onClose={close}
        onConfirm={() => {
          close();
          change.mutate(async () => onSecret(await rotateSecret(id)));
        }}
      >
        The new secret is shown once. The previous one stays valid for 24 hours.
      </ConfirmDialog>
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete webhook"
        isOpen={open === "delete"}
        onClose={close}
        onConfirm={() => {
          close();
          change.mutate(() => deleteWebhook(id));
        }}
      >
        {direction === "in"
          ? "Requests to its address are refused from now on. The runs it has started stay."
          : "Nothing more is sent to this address, and pending deliveries are dropped."}
      </ConfirmDialog>
    </>
  );
}

function useChange() {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
}

function Summary({ webhook }: { webhook: Webhook }) {
  const [current, before] = webhook.secrets;
  return (
    <p className="border-b border-separator px-4 py-2 text-xs text-muted">
      {webhook.direction === "in" ? incomingText(webhook) : `Sends ${webhook.events.join(", ")}.`}{" "}
      {current ? `Secret ${current.number} is in use` : "It has no secret"}
      {before?.expiresAt ? (
        <>
          ; secret {before.number} holds for another <TimeLeft until={before.expiresAt} />
        </>
      ) : null}
      .
      {webhook.direction === "in" && webhook.pausedReason !== null ? (
        <span className="block text-fail-text">It is off: {webhook.pausedReason}</span>
      ) : null}
      {webhook.direction === "in" ? <span className="block">{repeatText(webhook)}</span> : null}
      {webhook.direction === "in" ? <MadeByKeyLine apiKey={webhook.apiKey} /> : null}
    </p>
  );
}

function incomingText({ agentName, runAsName, started, refused }: Extract<Webhook, { direction: "in" }>): string {
  return `Starts runs of ${agentName} with the rights of ${runAsName}. In the last 7 days ${started} started, ${refused} refused.`;
}
