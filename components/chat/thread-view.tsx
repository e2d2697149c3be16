"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DecisionsProvider } from "@/components/chat/asks/decisions-context";
import { useThreadDecisions } from "@/components/chat/asks/use-thread-decisions";
import { Composer } from "@/components/chat/composer/composer";
import { hasRealModels, hasWorkspace, ModelPicker } from "@/components/chat/composer/pickers";
import { useSkillCommands } from "@/components/chat/composer/use-skill-commands";
import { useTypedCommand } from "@/components/chat/composer/use-typed-command";
import { FilesView } from "@/components/chat/files/files-view";
import { ThreadHead } from "@/components/chat/threads/thread-head";
import { ThreadLine } from "@/components/chat/threads/thread-line";
import { DemoModelNote, ReadOnlyNote } from "@/components/chat/transcript/chat-note";
import { ChildRuns } from "@/components/chat/transcript/child-runs";
import { Transcript } from "@/components/chat/transcript/transcript";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { showToast } from "@/components/ui/toast";
import { isDemoModel } from "@/lib/client/agents/model-names";
import { agentsQuery, providersQuery, threadQuery } from "@/lib/client/chat/queries";
import { currentTodos, currentUsage } from "@/lib/client/chat/run-status";
import { isTypedCommand } from "@/lib/client/chat/typed-command";
import { useArrival } from "@/lib/client/chat/use-arrival";
import { useDraft } from "@/lib/client/chat/use-draft";
import { useEarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { useThreadRun } from "@/lib/client/chat/use-thread-run";
import { nameAttached } from "@/lib/client/files/attached-files";
import { uploadAttached } from "@/lib/client/files/upload-attached";
import { errorMessage } from "@/lib/client/ui/api";
import { filesKey } from "@/lib/client/ui/query-keys";
import { useAttempt } from "@/lib/client/ui/use-attempt";
import { usePageTitle } from "@/lib/client/ui/use-page-title";
import { useShortcuts } from "@/lib/client/ui/use-shortcuts";
import type { AgentInfo } from "@/lib/schema/agent-info";
import type { ThreadDetail } from "@/lib/schema/thread";
import { CHAT_KEYS } from "./chat-keys";
import { ConnectionNotice } from "./connection-notice";
import { SidePanel } from "./side-panel";
import { SideColumn, useSidePanelOpen } from "./side-region";
import { useStop } from "./use-stop";

const STOP_KEY = "Escape";

/** Says what went wrong; resolves to whether all went well. */
async function tell(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    showToast({ title: errorMessage(error), tone: "error" });
    return false;
  }
}

/** One thread: transcript, composer and the panel beside it. Mounted once per thread. */
export function ThreadView({ initialDetail }: { initialDetail: ThreadDetail }) {
  const { data: detail } = useQuery({ ...threadQuery(initialDetail.id), initialData: initialDetail });
  const { agent, isAgentGone } = useAgent(detail.agentId);
  const run = useThreadRun(detail);
  const earlier = useEarlierMessages(detail);
  const shown = useMemo(() => [...earlier.messages, ...run.messages], [earlier.messages, run.messages]);
  const draft = useDraft(detail.id);
  const [isPanelOpen, togglePanel] = useSidePanelOpen();
  const { viewer } = useShell();
  const mayChat = viewer.scopes.includes("chat");
  usePageKeys(CHAT_KEYS);
  const { decisions, openCalls } = useThreadDecisions(detail.id, run);
  usePageTitle(detail.title ?? "New thread", run.isRunning, openCalls);
  const stopping = useStop(run, detail.openRuns[0]?.id ?? null);
  useShortcuts({ [STOP_KEY]: () => (run.isRunning || run.isWaiting) && stopping.stop() });
  const goOn = useGoOn(run.send);
  const todos = currentTodos(run.messages, detail.todos);
  const usage = currentUsage(run.messages, detail);
  const panel = (
    <SidePanel
      todos={todos}
      isRunning={run.isRunning}
      usage={usage}
      latestTraceId={detail.latestTraceId}
      files={<FilesView threadId={detail.id} />}
    />
  );
  return (
    <>
      <main className="flex min-w-0 flex-1 flex-col bg-surface">
        <ThreadHead
          detail={detail}
          messages={run.messages}
          isRunning={run.isRunning}
          isAsked={openCalls > 0}
          isPanelOpen={isPanelOpen}
          onTogglePanel={togglePanel}
        />
        <ThreadLine todos={todos} usage={usage}>
          {panel}
        </ThreadLine>
        <DecisionsProvider value={mayChat ? decisions : null}>
          <ChildRuns>
            <Transcript
              messages={shown}
              earlier={earlier}
              userName={viewer.name}
              maxMessageChars={agent?.max_message_chars}
              isRunning={run.isRunning}
              onGoOn={mayChat ? goOn : null}
            />
          </ChildRuns>
        </DecisionsProvider>
        <ConnectionNotice
          isReconnecting={run.connection === "reconnecting" && run.isRunning}
          error={run.error}
          onRetry={run.reconnect}
        />
        {mayChat ? <ThreadComposer {...{ detail, draft, run, agent, isAgentGone, stopping }} /> : <ReadOnlyNote />}
      </main>
      {isPanelOpen ? <SideColumn>{panel}</SideColumn> : null}
    </>
  );
}

function useAgent(agentId: string) {
  const agents = useQuery(agentsQuery);
  const agent = agents.data?.find(({ id }) => id === agentId);
  return { agent, isAgentGone: agents.isSuccess && agent === undefined };
}

/** The same function for good: another one would draw every message again. */
function useGoOn(send: ReturnType<typeof useThreadRun>["send"]): (runId: string) => Promise<unknown> {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  return useCallback((runId) => tell(latest.current({ content: "Continue", continuesRunId: runId })), []);
}

interface ThreadComposerProps {
  detail: ThreadDetail;
  draft: ReturnType<typeof useDraft>;
  run: ReturnType<typeof useThreadRun>;
  /** Undefined until it is loaded, or when it is gone. */
  agent: AgentInfo | undefined;
  isAgentGone: boolean;
  stopping: ReturnType<typeof useStop>;
}

function ThreadComposer({ detail, draft, run, agent, isAgentGone, stopping }: ThreadComposerProps) {
  const { go } = useShell();
  const queryClient = useQueryClient();
  const providers = useQuery(providersQuery);
  const [model, setModel] = useState<string | null>(null);
  const doCommand = useTypedCommand(detail.id);
  const skills = useSkillCommands(detail.agentId, draft.text);
  const input = useArrival(detail.id, draft.setText);
  const attempt = useAttempt(draft.text);
  // Also while the run only waits for a subagent that asks: a message declines that too.
  const isAsked = run.isWaiting || detail.openRuns[0]?.status === "waiting";
  const isDemo = isDemoModel(model ?? agent?.model ?? "");
  const send = async (text: string, files: readonly File[]) => {
    if (isTypedCommand(text)) return doCommand(text);
    const content = nameAttached(text, await uploadAttached(detail.id, files));
    if (files.length > 0) await queryClient.invalidateQueries({ queryKey: filesKey(detail.id) });
    await attempt((key) => run.send({ content, key, ...(model === null ? {} : { model }) }));
  };
  return (
    <Composer
      inputRef={input}
      text={draft.text}
      onText={draft.setText}
      isRunning={run.isRunning && !isAsked}
      isWaiting={isAsked}
      isDisabled={isAgentGone}
      onSend={send}
      skills={skills}
      mayAttach={hasWorkspace(agent)}
      isStopping={stopping.isStopping}
      onStop={stopping.stop}
      queued={run.queued}
      onRemoveQueued={(id) => tell(run.removeQueued(id))}
      note={
        isAgentGone ? (
          <p className="mb-2 text-xs text-muted">
            The agent of this thread was deleted. The thread stays readable.{" "}
            <button type="button" className="text-link hover:underline" onClick={() => go("/")}>
              Start a thread with another agent
            </button>
          </p>
        ) : isDemo ? (
          <DemoModelNote hasOthers={hasRealModels(providers.data)} />
        ) : null
      }
      pickers={
        <>
          <span className="min-w-0 truncate px-2 text-sm">{detail.agentName}</span>
          {agent && providers.data ? (
            <ModelPicker providers={providers.data} ownModel={agent.model} model={model} onModel={setModel} />
          ) : null}
        </>
      }
    />
  );
}
