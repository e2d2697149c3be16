"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { AutomationHead } from "@/components/automations/automation-head";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { webhooksQuery } from "@/lib/client/webhooks/webhook-queries";
import type { Webhook } from "@/lib/schema/webhooks/webhook";
import { WebhookDetail } from "./webhook-detail";

const WebhookDialog = dynamic(async () => (await loadWithRetry(() => import("./webhook-dialog"))).WebhookDialog, {
  loading: () => null,
});
const SecretDialog = dynamic(async () => (await loadWithRetry(() => import("./secret-dialog"))).SecretDialog, {
  loading: () => null,
});

const GROUPS = [
  { direction: "in", name: "In, a request starts a run" },
  { direction: "out", name: "Out, an event is sent" },
] as const;

/** The webhooks: those that start runs from outside, and those to which events are sent. */
export function WebhooksPage() {
  const [chosen, setChosen] = useQueryState("webhook", parseAsString);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useQuery(webhooksQuery);
  const add = (
    <Button variant="primary" onPress={() => setAdding(true)}>
      <Plus aria-hidden />
      New webhook
    </Button>
  );
  return (
    <Page>
      <AutomationHead current="webhooks" count={list.data?.length} actions={add} />
      <QueryState what="webhooks" query={list}>
        {(webhooks) => <Columns webhooks={webhooks} chosen={chosen} onSecret={setSecret} />}
      </QueryState>
      {isAdding ? (
        <WebhookDialog
          webhook={null}
          onClose={() => setAdding(false)}
          onCreated={({ id, secret: text }) => {
            void setChosen(id);
            setSecret(text);
          }}
        />
      ) : null}
      {secret === null ? null : <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

interface ColumnsProps {
  webhooks: readonly Webhook[];
  /** The id in the URL. */
  chosen: string | null;
  onSecret: (secret: string) => void;
}

/** The list beside the webhook; on a phone one of the two. */
function Columns({ webhooks, chosen, onSecret }: ColumnsProps) {
  const picked = webhooks.find(({ id }) => id === chosen) ?? null;
  const shown = picked ?? webhooks[0] ?? null;
  if (shown === null) {
    return (
      <EmptyState title="No webhooks yet">
        An incoming webhook starts a run when another program sends a request. An outgoing one tells another program
        what happens to runs.
      </EmptyState>
    );
  }
  return (
    <div className="flex min-h-0 flex-1">
      <nav
        aria-label="Webhooks"
        className={classNames(
          "w-[248px] shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-md:w-full max-md:border-r-0",
          picked && "max-md:hidden",
        )}
      >
        {GROUPS.map(({ direction, name }) => {
          const rows = webhooks.filter((webhook) => webhook.direction === direction);
          if (rows.length === 0) return null;
          return (
            <section key={direction} aria-label={name} className="mb-3">
              <h2 className="flex h-7 items-center px-2 text-xs text-muted">{name}</h2>
              {rows.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} isShown={webhook.id === shown.id} />
              ))}
            </section>
          );
        })}
      </nav>
      <div className={classNames("flex min-h-0 min-w-0 flex-1 flex-col", !picked && "max-md:hidden")}>
        <WebhookDetail key={shown.id} webhook={shown} onSecret={onSecret} />
      </div>
    </div>
  );
}

function WebhookRow({ webhook, isShown }: { webhook: Webhook; isShown: boolean }) {
  const { id, name, lastAt, enabled } = webhook;
  const isFailing = webhook.direction === "out" && webhook.failed > 0;
  return (
    <Link
      href={`/automations/webhooks?webhook=${encodeURIComponent(id)}`}
      scroll={false}
      aria-current={isShown ? "true" : undefined}
      className="mb-0.5 flex items-start gap-2 rounded-md px-2 py-1.5 text-sm touch-row hover:bg-default md:aria-[current]:bg-surface-tertiary"
    >
      <span className="flex h-5 items-center">
        <StateRing status={isFailing ? "failed" : enabled ? "completed" : "cancelled"} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          {lastAt === null ? null : <Time at={lastAt} className="text-xs text-muted" />}
        </span>
        <span className="block truncate text-xs text-muted">{wordsOf(webhook)}</span>
      </span>
    </Link>
  );
}

const SIGNATURES = {
  standard: "Standard Webhooks",
  github: "GitHub signature",
  hmac: "plain HMAC",
  none: "bearer token",
} as const;

function wordsOf(webhook: Webhook): string {
  if (!webhook.enabled) return "off";
  if (webhook.direction === "in") return `${webhook.agentName} · ${SIGNATURES[webhook.signature]}`;
  const { failed, pending, sent } = webhook;
  const waiting = pending > 0 ? `, ${pending} on the way` : "";
  if (failed > 0) return `${failed === 1 ? "1 dead letter" : `${failed} dead letters`}${waiting}`;
  return `${sent} sent${waiting}`;
}
