"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Initials } from "@/components/chat/transcript/user-message";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Count, Tag } from "@/components/ui/tag";
import { Time, TimeLeft } from "@/components/ui/time";
import { CHANNEL_ICONS, CHANNEL_NAMES, linkCostText } from "@/lib/client/channels/channel-labels";
import { allLinksQuery } from "@/lib/client/channels/channel-queries";
import { UNLINK_MEANS, useUnlink } from "@/lib/client/channels/use-unlink";
import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { ChannelLink, ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { fold } from "@/lib/schema/fold";

const COLUMNS = [
  { id: "person", label: "Person" },
  { id: "channel", label: "Channel", className: "max-sm:hidden" },
  { id: "chat", label: "Chat" },
  { id: "kind", label: "Kind", className: "max-md:hidden" },
  { id: "answers", label: "Answers", className: "max-md:hidden" },
  { id: "week", label: "This week", align: "right", className: "max-lg:hidden" },
  { id: "cost", label: "Cost", align: "right", className: "max-lg:hidden" },
  { id: "used", label: "Last used", align: "right", className: "max-sm:hidden" },
  { id: "unlink", label: "Unlink", isLabelHidden: true },
] as const;

/** Everybody's chats, with the codes that were shown but not entered yet. */
export function LinkedChats() {
  const [search, setSearch] = useState("");
  const [unlinking, setUnlinking] = useState<ChannelLink | null>(null);
  const query = useQuery(allLinksQuery);
  const unlink = useUnlink();
  return (
    <section aria-labelledby="linked-chats" className="mt-6">
      <div className="flex items-center gap-2">
        <h2 id="linked-chats" className="text-sm font-semibold">
          Linked chats
        </h2>
        <Count>{query.data?.links.length ?? 0}</Count>
        <span className="min-w-0 flex-1 truncate text-xs text-muted max-sm:hidden">
          every message has a user with rights and a budget
        </span>
        <SearchField
          label="People, chats"
          placeholder="People, chats"
          value={search}
          onChange={setSearch}
          className="ml-auto w-[220px] max-sm:w-36"
        />
      </div>
      <QueryState what="linked chats" query={query}>
        {(list) => <Rows list={list} search={fold(search.trim())} onUnlink={setUnlinking} />}
      </QueryState>
      <ConfirmDialog
        title={`Unlink ${unlinking?.chatName ?? "this chat"}?`}
        confirmLabel="Unlink"
        isOpen={unlinking !== null}
        onClose={() => setUnlinking(null)}
        onConfirm={() => unlinking && unlink(unlinking)}
      >
        {UNLINK_MEANS}
      </ConfirmDialog>
    </section>
  );
}

interface RowsProps {
  list: ChannelLinkList;
  search: string;
  onUnlink: (link: ChannelLink) => void;
}

function Rows({ list: { links, codes, channels }, search, onUnlink }: RowsProps) {
  const shown = links.filter(({ userName, chatName }) => fold(`${userName} ${chatName}`).includes(search));
  if (links.length === 0 && codes.length === 0) {
    return (
      <p className="mt-2 text-sm text-muted">No chat is linked yet. People link theirs under My settings, Channels.</p>
    );
  }
  const channelOf = (id: string) => channels.find((channel) => channel.id === id);
  return (
    <div className="mt-2 overflow-x-auto rounded-lg border border-border">
      <Table label="Linked chats">
        <TableHead columns={COLUMNS} />
        <tbody>
          {shown.map((link) => (
            <TableRow key={link.id}>
              <TableCell className="font-medium">
                <Person name={link.userName} />
              </TableCell>
              <TableCell className="max-sm:hidden">
                <ChannelName kind={link.kind} name={link.channelName} />
              </TableCell>
              <TableCell className="max-sm:whitespace-normal">
                {link.chatName}
                {link.chatKind === "group" ? <Tag className="ml-2 max-sm:hidden">answers when mentioned</Tag> : null}
                {link.paused === null ? null : <Tag className="ml-2">{link.paused}</Tag>}
              </TableCell>
              <TableCell className="text-muted max-md:hidden">{link.chatKind}</TableCell>
              <TableCell className="max-md:hidden">
                {link.agentName === null ? "none" : `${link.agentName} v${link.agentVersion}`}
              </TableCell>
              <TableCell align="right" className="max-lg:hidden">
                {link.runs === 1 ? "1 run" : `${link.runs} runs`}
              </TableCell>
              <TableCell align="right" className="max-lg:hidden">
                {linkCostText(link.cost, "")}
              </TableCell>
              <TableCell align="right" className="max-sm:hidden">
                {link.lastUsedAt === null ? "never" : <Time at={link.lastUsedAt} />}
              </TableCell>
              <TableCell align="right">
                <Button variant="ghost" aria-label={`Unlink ${link.chatName}`} onPress={() => onUnlink(link)}>
                  Unlink
                </Button>
              </TableCell>
            </TableRow>
          ))}
          {codes.map(({ channelId, userName, expiresAt }) => (
            <TableRow key={`${channelId} ${userName}`}>
              <TableCell className="font-medium">
                <Person name={userName} />
              </TableCell>
              <TableCell className="max-sm:hidden">
                <ChannelName kind={channelOf(channelId)?.kind} name={channelOf(channelId)?.name ?? ""} />
              </TableCell>
              <TableCell className="text-muted max-sm:whitespace-normal">code shown, not typed yet</TableCell>
              <TableCell className="text-muted max-md:hidden">pairing</TableCell>
              <TableCell className="max-md:hidden">{null}</TableCell>
              <TableCell className="max-lg:hidden">{null}</TableCell>
              <TableCell className="max-lg:hidden">{null}</TableCell>
              <TableCell align="right" className="max-sm:hidden">
                <TimeLeft until={expiresAt} /> left
              </TableCell>
              <TableCell>{null}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Person({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-2">
      <Initials name={name} />
      {name}
    </span>
  );
}

/** The icon says which service it is, for those who see it; a channel may have any name. */
function ChannelName({ kind, name }: { kind: ChannelKind | undefined; name: string }) {
  const Icon = kind && CHANNEL_ICONS[kind];
  return (
    <span className="flex items-center gap-2" title={kind && CHANNEL_NAMES[kind]}>
      {Icon ? <Icon className="size-3.5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden /> : null}
      {name}
    </span>
  );
}
