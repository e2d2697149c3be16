"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Composer } from "@/components/chat/composer/composer";
import { ConnectionNotice } from "@/components/chat/connection-notice";
import { ChildRuns } from "@/components/chat/transcript/child-runs";
import { Transcript } from "@/components/chat/transcript/transcript";
import { UnsentMessages } from "@/components/chat/transcript/unsent-messages";
import { useShell } from "@/components/shell/shell-context";
import { changedPaths } from "@/lib/client/agents/config-text/config-values";
import { agentRevisionQuery } from "@/lib/client/agents/draft/draft-queries";
import { type RevisionChange, revisionChanges } from "@/lib/client/agents/draft/test-threads";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldLabel } from "@/lib/client/agents/form/field-labels";
import { DecisionsProvider, useThreadDecisions } from "@/lib/client/chat/asks/use-decisions";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { keepLostEdit } from "@/lib/client/chat/composer/use-lost-edit";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { useEarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { useThreadChat } from "@/lib/client/chat/use-thread-chat";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { NO_COMMANDS, TestNote } from "./test-note";

export interface TestThreadProps {
  initialDetail: ThreadDetail;
  editor: AgentEditor;
  /** The version that the next run uses, in words. */
  runs: string;
}

/** One test thread; whatever was typed in the editor is saved before a message starts a run. */
export function TestThread({ initialDetail, editor, runs }: TestThreadProps) {
  const { data: detail } = useQuery({ ...threadQuery(initialDetail.id), initialData: initialDetail });
  const chat = useThreadChat(detail);
  const earlier = useEarlierMessages(detail);
  const messages = useMemo(() => [...earlier.messages, ...chat.messages], [earlier.messages, chat.messages]);
  const changes = useMemo(() => revisionChanges(messages), [messages]);
  const draft = useDraft(detail.id);
  const keepLate = (text: string) => keepLostEdit(text, draft.putBefore);
  const { viewer } = useShell();
  const { decisions } = useThreadDecisions(detail.id, chat);
  const send = async (text: string, files: readonly File[]) => {
    await editor.saver.flush();
    await chat.send({ text, files, model: null });
  };
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col [&_[aria-label=Transcript]>div]:px-4!">
        <DecisionsProvider value={decisions}>
          <ChildRuns>
            <Transcript
              messages={messages}
              earlier={earlier}
              userName={viewer.name}
              maxMessageChars={editor.agent.max_message_chars}
              isRunning={chat.isRunning}
              onNextStep={chat.takeNextStep}
              between={({ id }) => <DraftLine agentId={editor.agent.id} change={changes.get(id)} />}
              unsent={{
                count: chat.unsent.length,
                messages: <UnsentMessages chat={chat} userName={viewer.name} onEdit={draft.putBefore} />,
              }}
            />
          </ChildRuns>
        </DecisionsProvider>
      </div>
      <ConnectionNotice
        isReconnecting={chat.connection === "reconnecting" && chat.isRunning}
        error={chat.error}
        onRetry={chat.reconnect}
      />
      <div className="*:px-3 *:pb-3">
        <Composer
          isAside
          text={draft.text}
          onText={draft.setText}
          isRunning={chat.isRunning && !chat.isAsked}
          isWaiting={chat.isAsked}
          onSend={send}
          mayAttach={false}
          commands={NO_COMMANDS}
          isStopping={chat.isStopping}
          onStop={chat.stop}
          queue={{ ...chat.queue, messages: chat.queued, isSteerable: chat.currentRunId !== null, keep: keepLate }}
          placeholder={`Message ${runs}`}
          pickers={<TestNote />}
        />
      </div>
    </>
  );
}

/** Marks a change between the draft and the one behind the answer above: the fields that changed. */
function DraftLine({ agentId, change }: { agentId: string; change: RevisionChange | undefined }) {
  const before = useQuery({ ...agentRevisionQuery(agentId, change?.before ?? 0), enabled: change !== undefined });
  const after = useQuery({ ...agentRevisionQuery(agentId, change?.after ?? 0), enabled: change !== undefined });
  if (change === undefined) return null;
  const isKnown = before.data?.config && after.data?.config;
  const fields = isKnown
    ? changedPaths(before.data?.config, after.data?.config).map(({ path }) => fieldLabel(path))
    : [];
  const words = fields.length > 0 ? fields.join(", ").toLowerCase() : `r${change.before} to r${change.after}`;
  return (
    <p className="mt-1 mb-3.5 flex items-center gap-2 text-2xs text-subtle before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      <span className="max-w-[80%] text-center">The draft changed: {words}</span>
    </p>
  );
}
