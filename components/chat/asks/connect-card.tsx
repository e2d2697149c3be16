"use client";
import { usePathname } from "next/navigation";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { type OpenDecision, useDecision } from "@/lib/client/chat/asks/use-decisions";
import { useMcpConnection } from "@/lib/client/tools/use-mcp-connection";
import { unlessHeld } from "@/lib/client/ui/input/unless-held";
import { useIsTyping } from "@/lib/client/ui/input/use-is-typing";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import type { ConnectAsk } from "@/lib/schema/runs/interrupt";
import type { ConnectReturn } from "@/lib/schema/tools/mcp-connection";
import { AskFoot, AskFrame, BRASS, KeyOnBrass, RefusedDecision, Undecidable } from "./ask-frame";

export interface ConnectCardProps {
  runId: string;
  toolCallId: string;
  tool: string;
  connect: ConnectAsk;
  expiresAt?: string;
  askedAtMs: number | null;
  isReady: boolean;
  /** The waiting subagent, if it is not the thread's agent. */
  from?: string;
}

/** Asks a person to connect to a call's MCP server with their own account; the call then continues automatically. */
export function ConnectCard({
  runId,
  toolCallId,
  tool,
  connect,
  expiresAt,
  askedAtMs,
  isReady,
  from,
}: ConnectCardProps) {
  const { serverId, host, lostSince } = connect;
  const decision = useDecision(runId, toolCallId);
  const isClosed = decision.isReadOnly || decision.isAgentDeleted;
  return (
    <AskFrame
      label={`Connection: ${serverId}`}
      title={`Connect to ${serverId}?`}
      askedAtMs={askedAtMs}
      expiresAt={expiresAt}
    >
      <p className="px-3 pt-2.5 text-sm">
        {lostSince === null
          ? "This server is called with your own account, and you are not connected to it."
          : "The server no longer accepts your connection."}{" "}
        Connect, and the call continues. Nothing has been sent.
      </p>
      <AskSummary tool={tool} host={host} from={from} />
      <RefusedDecision text={decision.error} />
      {isClosed ? (
        <Undecidable isAgentDeleted={decision.isAgentDeleted} />
      ) : (
        <Choice serverId={serverId} decision={decision} isOpen={decision.canDecide && isReady} />
      )}
    </AskFrame>
  );
}

interface ChoiceProps {
  serverId: string;
  decision: OpenDecision;
  isOpen: boolean;
}

function Choice({ serverId, decision, isOpen }: ChoiceProps) {
  const connection = useMcpConnection(serverId, placeOf(usePathname()));
  const isLeaving = connection.connect.isPending || connection.connect.isSuccess;
  const open = () => {
    if (!isLeaving) connection.connect.mutate();
  };
  const deny = () => void decision.decide({ decision: "deny" });
  const keys = { y: unlessHeld(open), "alt+y": unlessHeld(open), n: unlessHeld(deny), "alt+n": unlessHeld(deny) };
  useShortcuts(decision.isFirst && isOpen ? keys : {});
  const modifier = useIsTyping() ? "Alt " : "";
  return (
    <AskFoot>
      <Button
        className={decision.isFirst ? BRASS : undefined}
        isDisabled={!isOpen}
        isPending={isLeaving}
        onPress={open}
      >
        Connect {decision.isFirst ? <KeyOnBrass>{`${modifier}y`}</KeyOnBrass> : null}
      </Button>
      <span className="flex-1 @max-lg:hidden" />
      <Button variant="danger-ghost" isDisabled={!isOpen} onPress={deny}>
        {decision.sent === "deny" ? "Denying" : "Deny"} {decision.isFirst ? <Kbd>{`${modifier}n`}</Kbd> : null}
      </Button>
    </AskFoot>
  );
}

function AskSummary({ tool, host, from }: Pick<ConnectCardProps, "tool" | "from"> & Pick<ConnectAsk, "host">) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 px-3 pt-2 text-xs">
      <dt className="text-muted">Call</dt>
      <dd className="min-w-0 font-mono break-words">{tool}</dd>
      {host === null ? null : (
        <>
          <dt className="text-muted">Server</dt>
          <dd className="min-w-0 font-mono break-words">{host}</dd>
        </>
      )}
      {from === undefined ? null : (
        <>
          <dt className="text-muted">Waiting</dt>
          <dd className="min-w-0 break-words">subagent {from}</dd>
        </>
      )}
    </dl>
  );
}

/** The page that the person leaves for the server's sign-in. */
function placeOf(pathname: string): ConnectReturn {
  const [, threadId] = /^\/threads\/([^/]+)/.exec(pathname) ?? [];
  return threadId === undefined ? { returnTo: "inbox" } : { returnTo: "thread", threadId };
}
