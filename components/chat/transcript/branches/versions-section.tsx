"use client";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Section } from "@/components/ui/section";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { modelLabel } from "@/lib/client/agents/model-names";
import { chooseBranch } from "@/lib/client/chat/branches/branch-actions";
import { callJson, errorMessage } from "@/lib/client/http/api";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { hasEnded } from "@/lib/schema/runs/run";
import { BranchVersions } from "@/lib/schema/threads/thread-requests";
import { ForkSection } from "./fork-section";

type Version = BranchVersions["versions"][number];

interface VersionsSectionProps {
  threadId: string;
  /** Identifies the view: the list is refetched when another branch is shown or another run has ended. */
  moment: string;
  /** The last message of the shown branch, from which the thread can be forked; null for people who can't write. */
  forkFrom: string | null;
  /** The shown branch is being answered. */
  isRunning: boolean;
}

function versionsQuery({ threadId, moment }: Pick<VersionsSectionProps, "threadId" | "moment">) {
  return queryOptions({
    queryKey: ["versions", threadId, moment],
    queryFn: ({ signal }) =>
      callJson(BranchVersions, `/api/threads/${encodeURIComponent(threadId)}/branch`, { signal }),
    placeholderData: (before) => before,
  });
}

/** A message's versions and their replies, and a fork of the shown one; choosing one shows its branch. */
export function VersionsSection({ forkFrom, isRunning, ...props }: VersionsSectionProps) {
  const { data } = useQuery(versionsQuery(props));
  const client = useQueryClient();
  const [pending, setPending] = useState<string | null>(null);
  const versions = data?.versions ?? [];
  if (versions.length === 0) return null;
  const show = async (messageId: string) => {
    setPending(messageId);
    await chooseBranch(client, { threadId: props.threadId, messageId }).catch((error: unknown) =>
      showToast({ title: errorMessage(error), tone: "error" }),
    );
    setPending(null);
  };
  return (
    <>
      <Section title="Versions" extra={versions.length > 1 ? `${versions.length} of your message` : "of the reply"}>
        <ol className="-mx-2">
          {versions.map((version, index) => (
            <VersionRow
              key={version.messageId}
              {...version}
              number={index + 1}
              pending={pending}
              onShow={(messageId) => void show(messageId)}
            />
          ))}
        </ol>
      </Section>
      {forkFrom === null ? null : (
        <ForkSection place={{ threadId: props.threadId, messageId: forkFrom }} isRunning={isRunning} />
      )}
    </>
  );
}

interface VersionRowProps extends Version {
  number: number;
  pending: string | null;
  onShow: (messageId: string) => void;
}

const ROW = "flex w-full items-center gap-2 rounded-md px-2 text-left touch-row hover:bg-default aria-busy:opacity-50";

function VersionRow({ messageId, text, createdAt, isShown, replies, number, pending, onShow }: VersionRowProps) {
  const isOpen = replies.some(({ status }) => !hasEnded(status));
  return (
    <li>
      <button
        type="button"
        aria-current={isShown}
        aria-busy={pending === messageId}
        onClick={() => onShow(messageId)}
        className={classNames(ROW, "items-start py-1 text-sm", isShown && "bg-surface-tertiary")}
      >
        <span className="flex h-5 w-3.5 shrink-0 items-center">
          {isOpen ? <StateRing status="running" size={12} labelled /> : <Mark isShown={isShown} />}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            <span className="tnum font-medium">{number}</span> {text}
          </span>
          <span className="tnum block truncate text-xs text-muted">{versionText(replies)}</span>
        </span>
        <Time at={createdAt} className="tnum h-5 shrink-0 text-xs leading-5 text-subtle" />
      </button>
      {replies.length < 2 ? null : (
        <ol className="ml-[22px]">
          {replies.map((reply, index) => (
            <li key={reply.messageId}>
              <button
                type="button"
                aria-current={reply.isShown}
                aria-busy={pending === reply.messageId}
                onClick={() => onShow(reply.messageId)}
                className={classNames(
                  ROW,
                  "h-7 text-xs",
                  reply.isShown ? "bg-surface-tertiary font-medium" : "text-muted",
                )}
              >
                <span className="min-w-0 flex-1 truncate">
                  reply {index + 1}
                  {reply.model === null ? "" : `, ${modelLabel(reply.model)}`}
                </span>
                <span className="tnum">{reply.costUsd === null ? "cost unknown" : formatCost(reply.costUsd)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

/** Filled for the shown version. */
function Mark({ isShown }: { isShown: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classNames("ml-0.5 size-2 rounded-full border border-foreground", isShown && "bg-foreground")}
    />
  );
}

function versionText(replies: Version["replies"]): string {
  const [only] = replies;
  if (only === undefined) return "";
  if (!replies.every(({ status }) => hasEnded(status))) return "being answered";
  const cost = replies.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  );
  const count = replies.length > 1 ? `${replies.length} replies` : only.steps === 1 ? "1 step" : `${only.steps} steps`;
  return [count, cost === null ? "cost unknown" : formatCost(cost)].join(", ");
}
