"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Count } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { CHANNEL_ICONS, CHANNEL_NAMES } from "@/lib/client/channels/channel-labels";
import { linksQuery } from "@/lib/client/channels/channel-queries";
import type { ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { LinkSteps } from "./link-steps";
import { MyChat } from "./my-chat";

/** The viewer's chats with agents in other services, and how to link one. */
export function MyChannelsPage() {
  const [linking, setLinking] = useState<string | null>(null);
  const query = useQuery(linksQuery(linking !== null));
  return (
    <Page>
      <PageHead
        title="Channels"
        facts={
          <span className="min-w-0 truncate text-xs text-muted max-sm:hidden">
            Talk to your agents from Telegram, Slack or email, with your rights and your budget.
          </span>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-5 max-sm:p-3">
        <QueryState what="channels" query={query}>
          {(list) => <Content list={list} linking={linking} onLink={setLinking} />}
        </QueryState>
      </div>
    </Page>
  );
}

interface ContentProps {
  list: ChannelLinkList;
  /** The channel whose code is shown. */
  linking: string | null;
  onLink: (channelId: string | null) => void;
}

function Content({ list, linking, onLink }: ContentProps) {
  const { channels, links } = list;
  if (channels.length === 0 && links.length === 0) {
    return (
      <EmptyState title="No channels yet">
        An administrator can add a bot under Automations, Channels. You then link your chat here.
      </EmptyState>
    );
  }
  const channel = channels.find(({ id }) => id === linking);
  return (
    <div className="max-w-[776px]">
      {channel ? <LinkSteps key={channel.id} channel={channel} links={links} onClose={() => onLink(null)} /> : null}
      <YourChats list={list} linking={linking} onLink={onLink} />
      <LastChat list={list} />
      <Commands />
    </div>
  );
}

function YourChats({ list: { links, channels }, linking, onLink }: ContentProps) {
  return (
    <section aria-labelledby="your-chats" className="mt-6 first:mt-0">
      <h2 id="your-chats" className="flex items-center gap-2 text-sm font-semibold">
        Your chats <Count>{links.length}</Count>
      </h2>
      {links.length === 0 && channels.every(({ id }) => id === linking) ? (
        <p className="mt-2 text-sm text-muted">None yet.</p>
      ) : null}
      <ul className="mt-2 rounded-lg border border-border empty:hidden">
        {links.map((link) => (
          <MyChat key={link.id} link={link} />
        ))}
        {channels
          .filter(({ id }) => id !== linking)
          .map(({ id, kind, name, state, error }) => {
            const Icon = CHANNEL_ICONS[kind];
            const isDown = state === "failed" || state === "off";
            return (
              <li
                key={id}
                className="flex min-h-12 items-center gap-2 border-b border-separator px-3 py-2 last:border-b-0"
              >
                <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
                <span className="text-sm font-medium">{name}</span>
                <span className="min-w-0 flex-1 text-xs break-words text-muted">
                  {isDown ? `can’t be linked now: ${error ?? "it is off"}` : CHANNEL_NAMES[kind]}
                </span>
                <Button isDisabled={isDown} aria-label={`Link a chat in ${name}`} onPress={() => onLink(id)}>
                  Link
                </Button>
              </li>
            );
          })}
      </ul>
    </section>
  );
}

function LastChat({ list: { links, lastId } }: { list: ChannelLinkList }) {
  const last = links.find(({ id }) => id === lastId);
  const Icon = last && CHANNEL_ICONS[last.kind];
  return (
    <section aria-labelledby="last-chat" className="mt-6">
      <h2 id="last-chat" className="text-sm font-semibold">
        When something is sent “to the chat used last”
      </h2>
      <p className="mt-2 flex min-h-11 flex-wrap items-center gap-2 rounded-lg border border-border px-3 py-2 text-sm">
        {last?.lastUsedAt ? (
          <>
            {Icon ? <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden /> : null}
            <span className="font-medium">
              {last.channelName}, because you wrote there <Time at={last.lastUsedAt} isInSentence />
            </span>
            <span className="ml-auto text-xs text-muted max-sm:ml-6">changes by itself when you write elsewhere</span>
          </>
        ) : (
          "Until you have written in a linked chat, you are notified here instead."
        )}
      </p>
    </section>
  );
}

const COMMANDS = [
  ["/stop", "ends the run that answers here"],
  ["/stopall", "ends all your runs, also in the background"],
  ["/new", "starts a new thread; the old one stays in the browser"],
  ["/compact", "summarises what was said so far"],
] as const;

function Commands() {
  return (
    <section aria-labelledby="chat-commands" className="mt-6">
      <h2 id="chat-commands" className="text-sm font-semibold">
        Works in every chat, as text
      </h2>
      <dl className="mt-2 grid grid-cols-[100px_1fr] gap-y-1.5 text-xs">
        {COMMANDS.map(([command, does]) => (
          <div key={command} className="contents">
            <dt>
              <code>{command}</code>
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
