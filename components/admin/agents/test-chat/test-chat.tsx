"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ListTree, RotateCcw } from "lucide-react";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { useEffect, useRef, useState } from "react";
import { ICON_BUTTON, IconButton } from "@/components/ui/controls/icon-button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { Tag } from "@/components/ui/tag";
import { createTestThread, keepTestThread, readTestThread } from "@/lib/client/agents/draft/test-threads";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { sendMessage } from "@/lib/client/chat/threads/thread-actions";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { RunAgain } from "./run-again";
import { TestStart } from "./test-start";
import { TestThread } from "./test-thread";

export interface TestChatProps {
  editor: AgentEditor;
  /** A run, from a trace, whose input the draft gets once the person agrees. */
  fromRunId: string | null;
  onTaken: () => void;
  /** Beside the short form there is more room. */
  isWide?: boolean;
}

/** Beside the editor: a separate thread that runs the current draft, and is labelled so. */
export function TestChat({ editor, fromRunId, onTaken, isWide = false }: TestChatProps) {
  const { agent, state, saver } = editor;
  const [threadId, setThreadId] = useState(() => readTestThread(agent.id));
  const open = (id: string | null) => {
    keepTestThread(agent.id, id);
    setThreadId(id);
  };
  const again = useMutation({
    mutationFn: async (runId: string) => {
      await saver.flush();
      return createTestThread(agent.id, runId);
    },
    onSuccess: open,
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: onTaken,
  });
  const thread = useQuery({ ...threadQuery(threadId ?? ""), enabled: threadId !== null });
  const isGone = thread.error instanceof ApiError && thread.error.status === 404;
  const region = useRef<HTMLElement>(null);
  const [focus, setFocus] = useQueryState("focus");
  const isLoading = again.isPending || (threadId !== null && thread.isPending && !isGone);
  useEffect(() => {
    if (focus !== "chat" || isLoading) return;
    region.current?.querySelector("textarea")?.focus();
    void setFocus(null);
  }, [focus, isLoading, setFocus]);
  const start = async (content: string) => {
    await saver.flush();
    const made = await createTestThread(agent.id);
    await sendMessage({ threadId: made, content });
    open(made);
  };
  const shown = threadId === null || isGone ? null : thread.data;
  const runs = runsOf(agent.version, state.stored.revision);
  return (
    <aside
      ref={region}
      aria-label="Test chat"
      data-region="chat"
      className={classNames(
        "flex shrink-0 flex-col border-l border-border bg-surface max-lg:w-auto max-lg:border-t max-lg:border-l-0",
        isWide ? "w-[420px]" : "w-[324px]",
        (shown || fromRunId !== null || isLoading) && "max-lg:h-[640px]",
      )}
    >
      <TestHead runs={runs} thread={shown} onRestart={() => open(null)} />
      {fromRunId !== null ? (
        <RunAgain
          config={editor.config}
          runs={runs}
          isPending={again.isPending}
          onRun={() => again.mutate(fromRunId)}
          onCancel={onTaken}
        />
      ) : isLoading ? (
        <SkeletonList label="Loading the test chat" rows={3} className="flex-1 p-3" />
      ) : shown ? (
        <TestThread key={shown.id} initialDetail={shown} editor={editor} runs={runs} />
      ) : (
        <TestStart
          draftKey={`test:${agent.id}`}
          note="Try the draft before anybody sees it."
          description={typeof editor.config.description === "string" ? editor.config.description : ""}
          placeholder={`Message ${runs}`}
          onSend={start}
        />
      )}
    </aside>
  );
}

/** What a test runs: the live version while there is no draft. */
function runsOf(version: number | null, revision: number): string {
  return revision === 0 && version !== null ? `v${version}` : `draft r${revision}`;
}

interface TestHeadProps {
  runs: string;
  /** Null before the first message. */
  thread: ThreadDetail | null | undefined;
  onRestart: () => void;
}

function TestHead({ runs, thread, onRestart }: TestHeadProps) {
  const traceId = thread?.latestTraceId ?? null;
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border bg-background pr-2 pl-4">
      <h2 className="text-sm font-medium">Test chat</h2>
      <Tag>runs {runs}</Tag>
      <span className="flex-1" />
      {traceId === null ? null : (
        <Link
          href={`/traces/${encodeURIComponent(traceId)}`}
          aria-label="Open trace"
          title="Open trace"
          className={`${ICON_BUTTON} size-7 [&>svg]:size-4`}
        >
          <ListTree aria-hidden />
        </Link>
      )}
      {thread ? (
        <IconButton label="Start over" onPress={onRestart}>
          <RotateCcw />
        </IconButton>
      ) : null}
    </header>
  );
}
