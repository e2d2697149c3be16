"use client";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { StateRing } from "@/components/ui/states/state-ring";
import { CHANNEL_NAMES } from "@/lib/client/channels/channel-labels";
import { createLinkCode } from "@/lib/client/channels/channel-queries";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { useSecond } from "@/lib/client/ui/use-now";
import type { ChannelLink, ChannelLinkList, LinkCode } from "@/lib/schema/channels/channel-link";

const QrCode = dynamic(async () => (await loadWithRetry(() => import("./qr-code"))).QrCode, {
  loading: () => <div className="size-[168px]" />,
});

export interface LinkStepsProps {
  channel: ChannelLinkList["channels"][number];
  /** The viewer's linked chats, kept current. */
  links: readonly ChannelLink[];
  onClose: () => void;
}

/** Three steps: open the bot, send it the code, and the page reports automatically when that has arrived. */
export function LinkSteps({ channel, links, onClose }: LinkStepsProps) {
  const { id: channelId, kind, name, username } = channel;
  const [known] = useState(() => new Set(links.map((link) => link.id)));
  const code = useMutation({ mutationFn: () => createLinkCode(channelId) });
  const hasAsked = useRef(false);
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    code.mutate();
  });
  const linked = links.find((link) => link.channelId === channelId && !known.has(link.id)) ?? null;
  const url = code.data?.url ?? null;
  const leftMs = useLeft(code.data ?? null);
  const isOpen = linked === null && leftMs > 0;
  return (
    <section aria-labelledby="link-steps">
      <div className="flex items-center gap-2">
        <h2 id="link-steps" className="flex-1 text-sm font-semibold">
          Connect {CHANNEL_NAMES[kind]}
        </h2>
        <Button variant="ghost" onPress={onClose}>
          {linked === null ? "Cancel" : "Done"}
        </Button>
      </div>
      <div className="mt-2 flex rounded-lg border border-border">
        <ol className="flex min-w-0 flex-1 flex-col gap-4 p-4">
          <Step number={1}>
            {kind === "email" ? "Write a mail to " : "Open "}
            {url === null ? (
              <span className="font-medium">{username ?? name}</span>
            ) : (
              <a href={url} target="_blank" rel="noreferrer" className="text-link underline underline-offset-2">
                {username ?? name}
              </a>
            )}
            {url === null ? (
              "."
            ) : (
              <>
                {" "}
                on this device<span className="max-sm:hidden">, or scan the square with your phone</span>. The link
                fills in the code.
              </>
            )}
          </Step>
          <Step number={2}>
            {kind === "email" ? "Write this code as its text:" : "Send it this code:"}
            <Code code={code.data ?? null} leftMs={leftMs} isUsed={linked !== null} onNew={() => code.mutate()} />
            {code.isError ? <p className="mt-1 text-xs text-fail-text">{errorMessage(code.error)}</p> : null}
          </Step>
          <Step number={3}>
            <span role="status" className="flex items-center gap-2 font-medium">
              <StateRing status={linked === null ? "running" : "completed"} />
              {linked === null ? "Waiting for your message" : `Linked: ${linked.chatName}, just now`}
            </span>
            <span className="mt-0.5 block text-xs text-muted">
              {linked === null
                ? "This page updates when it arrives. The code is tied to your account."
                : "Messages you send there start runs with your rights and your budget."}
            </span>
          </Step>
        </ol>
        {url !== null && isOpen ? (
          <figure className="flex w-[264px] shrink-0 flex-col items-center justify-center gap-3 rounded-r-lg border-l border-border bg-sunken p-4 max-sm:hidden">
            <QrCode text={url} label={`The link to ${username ?? name}`} />
            <figcaption className="text-center text-xs text-muted">opens the bot with the code filled in</figcaption>
          </figure>
        ) : null}
      </div>
    </section>
  );
}

function Step({ number, children }: { number: number; children: ReactNode }) {
  return (
    <li className="flex gap-3 text-sm">
      <span
        aria-hidden
        className="tnum flex size-5 shrink-0 items-center justify-center rounded-full bg-default text-xs text-muted"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  );
}

/** How long the code is good. */
function useLeft(code: LinkCode | null): number {
  const now = useSecond();
  return now === null || code === null ? 1 : Date.parse(code.expiresAt) - now;
}

interface CodeProps {
  code: LinkCode | null;
  leftMs: number;
  isUsed: boolean;
  onNew: () => void;
}

function Code({ code, leftMs, isUsed, onNew }: CodeProps) {
  if (code === null) return <div className="mt-2 h-10" />;
  const isOver = !isUsed && leftMs <= 0;
  return (
    <>
      <p className="mt-2 flex items-center gap-3">
        <code
          className={classNames(
            "rounded-md border border-border-strong px-3.5 py-1.5 text-xl",
            (isOver || isUsed) && "text-muted line-through",
          )}
        >
          {code.code}
        </code>
        {isOver || isUsed ? null : <CopyButton text={code.code} label="Copy the code" size="sm" />}
      </p>
      {isUsed ? null : (
        <p className="mt-1 flex items-center gap-2 text-xs text-muted">
          {isOver ? "This code has expired." : `Good for one chat and ${left(leftMs)} more.`}
          <Button variant="ghost" onPress={onNew}>
            New code
          </Button>
        </p>
      )}
    </>
  );
}

function left(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
