"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MadeByKeyLine } from "@/components/shell/made-by-key";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Select } from "@/components/ui/controls/select";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { CHANNEL_ICONS, linkCostText } from "@/lib/client/channels/channel-labels";
import { CHANNELS_KEY, changeLinkAgent } from "@/lib/client/channels/channel-queries";
import { UNLINK_MEANS, useUnlink } from "@/lib/client/channels/use-unlink";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { useAction } from "@/lib/client/ui/use-action";
import type { ChannelLink } from "@/lib/schema/channels/channel-link";

/** One linked chat: who answers there, its thread, and unlinking it. */
export function MyChat({ link }: { link: ChannelLink }) {
  const { id, kind, channelName, chatName, chatKind, agentId, agentName, threadId, verifiedAt, lastUsedAt, runs } =
    link;
  const [isUnlinking, setUnlinking] = useState(false);
  const attempt = useAction({
    mutationFn: (next: string) => changeLinkAgent(id, next),
    invalidates: [CHANNELS_KEY],
  });
  const unlink = useUnlink();
  const { data: agents = [] } = useQuery(agentsQuery);
  const options = agents.map((agent) => ({ id: agent.id, name: agent.name }));
  const known = options.some((option) => option.id === agentId);
  const Icon = CHANNEL_ICONS[kind];
  return (
    <li className="border-b border-separator px-3 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
        <span className="text-sm font-medium">{channelName}</span>
        <span className="min-w-40 flex-1 truncate text-sm">
          {chatName}
          {chatKind === "group" ? <Tag className="ml-2 max-sm:hidden">answers when mentioned</Tag> : null}
          {link.paused === null ? null : <Tag className="ml-2">paused: {link.paused}</Tag>}
        </span>
        <Select
          look="bare"
          label={`Who answers in ${chatName}`}
          options={known ? options : [{ id: agentId, name: agentName ?? agentId }, ...options]}
          value={agentId}
          onChange={(next) => attempt.mutate(next)}
        />
        <span className="flex items-center gap-2 max-sm:w-full max-sm:pl-3.5">
          {threadId === null ? null : (
            <LinkButton variant="ghost" href={`/threads/${threadId}`}>
              Open thread
            </LinkButton>
          )}
          <Button variant="ghost" aria-label={`Unlink ${chatName}`} onPress={() => setUnlinking(true)}>
            Unlink
          </Button>
        </span>
      </div>
      <p className="mt-0.5 pl-6 text-xs text-muted">
        linked <Time at={verifiedAt} isInSentence />
        {lastUsedAt === null ? "" : " · last used "}
        {lastUsedAt === null ? null : <Time at={lastUsedAt} isInSentence />}
        {` · ${runs === 1 ? "1 run" : `${runs} runs`} this week · ${linkCostText(link.cost, "your ")}`}
      </p>
      <MadeByKeyLine apiKey={link.apiKey} className="pl-6" />
      <ConfirmDialog
        title={`Unlink ${chatName}?`}
        confirmLabel="Unlink"
        isOpen={isUnlinking}
        onClose={() => setUnlinking(false)}
        onConfirm={() => unlink(link)}
      >
        {UNLINK_MEANS}
      </ConfirmDialog>
    </li>
  );
}
