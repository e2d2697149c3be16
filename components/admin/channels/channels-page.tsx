"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { AutomationHead } from "@/components/automations/automation-head";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { AWAY_NAMES, sumTurnedAway } from "@/lib/client/channels/channel-labels";
import { channelsQuery } from "@/lib/client/channels/channel-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { Channel } from "@/lib/schema/channels/channel";
import { ChannelCard } from "./channel-card";
import { LinkedChats } from "./linked-chats";

const ChannelDialog = dynamic(async () => (await loadWithRetry(() => import("./channel-dialog"))).ChannelDialog, {
  loading: () => null,
});

/** The bots through which people talk to agents, the linked chats, and what was rejected. */
export function ChannelsPage() {
  const [editing, setEditing] = useState<Channel | "new" | null>(null);
  const list = useQuery(channelsQuery);
  return (
    <Page>
      <AutomationHead
        current="channels"
        count={list.data?.length}
        actions={
          <Button variant="primary" onPress={() => setEditing("new")}>
            <Plus aria-hidden />
            Add bot
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-5 max-sm:p-3">
        <QueryState what="channels" query={list}>
          {(channels) => <Content channels={channels} onReplace={setEditing} />}
        </QueryState>
      </div>
      {editing === null ? null : (
        <ChannelDialog channel={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Page>
  );
}

function Content({ channels, onReplace }: { channels: readonly Channel[]; onReplace: (channel: Channel) => void }) {
  if (channels.length === 0) {
    return (
      <EmptyState title="No channels yet">
        Add a bot of Telegram or Slack, or a mailbox. Each person then links a chat with a code.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="grid grid-cols-3 gap-4 max-xl:grid-cols-2 max-md:grid-cols-1">
        {channels.map((channel) => (
          <li key={channel.id}>
            <ChannelCard channel={channel} onReplace={() => onReplace(channel)} />
          </li>
        ))}
      </ul>
      <LinkedChats />
      <TurnedAwayTiles channels={channels} />
    </>
  );
}

function TurnedAwayTiles({ channels }: { channels: readonly Channel[] }) {
  const away = sumTurnedAway(channels.map(({ turnedAway }) => turnedAway));
  return (
    <section aria-labelledby="turned-away" className="mt-6">
      <h2 id="turned-away" className="text-sm font-semibold">
        Turned away, 7 days
      </h2>
      {away.length === 0 ? (
        <p className="mt-2 text-sm text-muted">Nothing was turned away.</p>
      ) : (
        <dl className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(180px,1fr))] overflow-hidden rounded-lg border border-border">
          {away.map(({ kind, count, detail }) => (
            <div key={kind} className="border-r border-b border-separator p-3 last:border-r-0">
              <dt className="text-xs text-muted">{AWAY_NAMES[kind]}</dt>
              <dd>
                <span className="tnum block text-base font-semibold">{count}</span>
                <span className="block text-xs break-words text-muted">{detail}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
