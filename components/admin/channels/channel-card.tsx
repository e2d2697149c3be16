"use client";
import { Ellipsis, PlugZap } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { CHANNEL_ICONS, CHANNEL_NAMES, SERVICE_NAMES } from "@/lib/client/channels/channel-labels";
import { CHANNELS_KEY, deleteChannel, testChannel, updateChannel } from "@/lib/client/channels/channel-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useAction } from "@/lib/client/ui/use-action";
import type { Channel } from "@/lib/schema/channels/channel";

const ChannelEdit = dynamic(async () => (await loadWithRetry(() => import("./channel-edit"))).ChannelEdit, {
  loading: () => null,
});

const STATES = {
  connected: { status: "completed", word: "Connected" },
  failed: { status: "failed", word: "Failed" },
  idle: { status: "queued", word: "Not connected" },
  off: { status: "cancelled", word: "Off" },
} as const;

/** One bot: who it is, how it receives, and what its service last said. */
export function ChannelCard({ channel, onReplace }: { channel: Channel; onReplace: () => void }) {
  const { id, kind, name, enabled, state } = channel;
  const [isDeleting, setDeleting] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const attempt = useAction({
    mutationFn: (work: () => Promise<unknown>) => work(),
    invalidates: [CHANNELS_KEY],
  });
  const Icon = CHANNEL_ICONS[kind];
  const { status, word } = STATES[state];
  const strangers = channel.turnedAway.find((away) => away.kind === "stranger")?.count ?? 0;
  return (
    <article aria-label={name} className="flex h-full flex-col rounded-lg border border-border">
      <header className="flex h-11 items-center gap-2 border-b border-separator pr-2 pl-3 pointer-coarse:h-14">
        <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
        <h2 className="min-w-0 truncate text-sm font-semibold">{name}</h2>
        <span className="flex shrink-0 items-center gap-1 text-xs text-muted">
          <StateRing status={status} />
          {word}
          {state === "failed" && channel.failedAt !== null ? <Time at={channel.failedAt} isInSentence /> : null}
        </span>
        <span className="flex-1" />
        <Button isPending={attempt.isPending} onPress={() => attempt.mutate(() => testChannel(id))}>
          <PlugZap aria-hidden />
          Test
        </Button>
        <Menu
          label={`More about ${name}`}
          trigger={
            <IconButton label={`More about ${name}`}>
              <Ellipsis />
            </IconButton>
          }
          actions={[
            { id: "edit", label: "Edit", onAction: () => setEditing(true) },
            { id: "replace", label: "Replace credentials", onAction: onReplace },
            {
              id: "switch",
              label: enabled ? "Switch off" : "Switch on",
              onAction: () => attempt.mutate(() => updateChannel(id, { enabled: !enabled })),
            },
            { id: "delete", label: "Delete", isDanger: true, startsGroup: true, onAction: () => setDeleting(true) },
          ]}
        />
      </header>
      <Who channel={channel} />
      <dl className="px-3 py-1 text-xs">
        <Fact label={kind === "email" ? "Password" : "Token"}>
          {channel.ending === null ? "set" : `set, ends in ${channel.ending}`}
        </Fact>
        <Fact label="Receives by">
          {channel.receives}
          {channel.lastUpdateAt === null ? null : (
            <>
              , last update <Time at={channel.lastUpdateAt} isInSentence />
            </>
          )}
        </Fact>
        {channel.hookUrl === null ? null : (
          <Fact label={`${CHANNEL_NAMES[kind]} posts to`}>
            <span className="flex items-center justify-end gap-1">
              <code className="min-w-0 truncate" title={channel.hookUrl}>
                {channel.hookUrl}
              </code>
              <CopyButton text={channel.hookUrl} label="Copy the address" size="sm" />
            </span>
          </Fact>
        )}
        <Fact label="Answers">{channel.agentName ?? `${channel.agentId}, which was deleted`}</Fact>
        <Fact label="Unknown senders">get one fixed sentence, {strangers === 0 ? "none" : strangers} in 7 days</Fact>
        <Fact label={`Waiting for ${SERVICE_NAMES[kind]}`}>
          {channel.waitedAt === null ? (
            "no"
          ) : (
            <>
              last 429 <Time at={channel.waitedAt} isInSentence />, {channel.waitedSeconds} s
            </>
          )}
        </Fact>
      </dl>
      {isEditing ? <ChannelEdit channel={channel} onClose={() => setEditing(false)} /> : null}
      <ConfirmDialog
        title={`Delete ${name}?`}
        confirmLabel="Delete channel"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => attempt.mutate(() => deleteChannel(id))}
      >
        Its chats are unlinked. Their threads stay. This can't be undone.
      </ConfirmDialog>
    </article>
  );
}

function Who({ channel: { kind, username, name, error, testedAt, testedMs } }: { channel: Channel }) {
  const isFailed = error !== null;
  const service = SERVICE_NAMES[kind];
  return (
    <div
      className="flex min-h-15 items-start gap-2.5 border-b border-separator bg-background px-3 py-2.5"
      role="status"
    >
      <span className="flex h-5 items-center">
        <StateRing status={isFailed ? "failed" : username === null ? "queued" : "completed"} />
      </span>
      <p className="min-w-0 text-sm">
        <span className="block font-medium break-words">
          {isFailed ? error : username === null ? "Not tested yet" : `It is ${username}, “${name}”`}
        </span>
        <span className="block text-xs text-muted">
          {testedAt === null ? (
            `Test asks ${service} who it is.`
          ) : (
            <>
              asked {service} <Time at={testedAt} isInSentence />
              {testedMs === null || isFailed ? "" : `, it answered in ${testedMs} ms`}
            </>
          )}
        </span>
      </p>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-3 border-b border-separator last:border-b-0">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 flex-1 text-right break-words">{children}</dd>
    </div>
  );
}
