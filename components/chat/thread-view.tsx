"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { LazyArtifact } from "@/components/chat/artifact/lazy-artifact";
import { useContextMoment } from "@/components/chat/context/use-context-moment";
import { FilesLoading, LazyFilesView } from "@/components/chat/files/lazy-files";
import { ThreadHead } from "@/components/chat/threads/thread-head";
import { ThreadLine } from "@/components/chat/threads/thread-line";
import { BranchContext } from "@/components/chat/transcript/branches/branch-context";
import { ReadOnlyNote } from "@/components/chat/transcript/chat-note";
import { ChildRuns } from "@/components/chat/transcript/child-runs";
import { JudgedThreadProvider } from "@/components/chat/transcript/thumbs/judged-thread";
import { Transcript } from "@/components/chat/transcript/transcript";
import { UnsentMessages } from "@/components/chat/transcript/unsent-messages";
import { Page } from "@/components/shell/page";
import { type PageAction, usePageActions, usePageKeys, useShell } from "@/components/shell/shell-context";
import { askedAnnouncement } from "@/lib/client/chat/asks/interrupt-labels";
import { DecisionsProvider, useThreadDecisions } from "@/lib/client/chat/asks/use-decisions";
import { focusComposer } from "@/lib/client/chat/composer/use-composer-focus";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { useFind } from "@/lib/client/chat/find/use-find";
import { pressContinue, pressRetryOrRegenerate } from "@/lib/client/chat/press-message-key";
import { useRunAnnouncement } from "@/lib/client/chat/run-announcement";
import { threadStatus } from "@/lib/client/chat/run-status";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { agentsAtWork } from "@/lib/client/chat/threads/agents-at-work";
import { useFirstTitle } from "@/lib/client/chat/threads/use-first-title";
import { useFoundBranch } from "@/lib/client/chat/threads/use-found-branch";
import { useEarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { type ThreadChat, useThreadChat } from "@/lib/client/chat/use-thread-chat";
import { FileOpenerProvider } from "@/lib/client/files/artifact/file-opener";
import { useShownFile } from "@/lib/client/files/artifact/use-shown-file";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { formatCost } from "@/lib/client/ui/text/format";
import { useAskBeforeLeaving } from "@/lib/client/ui/use-ask-before-leaving";
import { usePageTitle } from "@/lib/client/ui/use-page-title";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import type { Viewer } from "@/lib/schema/users/user";
import { CHAT_KEYS } from "./chat-keys";
import { ConnectionNotice } from "./connection-notice";
import { RunBudgets } from "./run-budgets";
import { SidePanel } from "./side-panel";
import { SideColumn, useSidePanel } from "./side-region";
import { ThreadComposer } from "./thread-composer";
import { useBranchedThread } from "./transcript/branches/use-branched-thread";
import { UsageSection } from "./usage-section";

const VersionsSection = dynamic(
  async () => (await loadWithRetry(() => import("./transcript/branches/versions-section"))).VersionsSection,
  { loading: () => null },
);
const WhoAnswers = dynamic(async () => (await loadWithRetry(() => import("./threads/take-back"))).WhoAnswers, {
  loading: () => null,
});
const AtWorkSection = dynamic(
  async () => (await loadWithRetry(() => import("./threads/at-work-section"))).AtWorkSection,
  {
    loading: () => null,
  },
);
const FilesOwner = dynamic(async () => (await loadWithRetry(() => import("./threads/take-back"))).FilesOwner, {
  loading: () => null,
});

const IdleContextSection = dynamic(
  async () => (await loadWithRetry(() => import("@/components/chat/context/idle-context-section"))).IdleContextSection,
  { loading: () => null },
);

const STOP_KEY = "Escape";
const WAITING = { status: "waiting", startedAtMs: null } as const;

/** Moves the focus from message to message; loaded with the first key press. */
const step = async (by: 1 | -1) => (await import("@/lib/client/chat/step-message")).stepMessage(by);

/** Transcript, composer and the panel beside them. Mounted once per thread. */
export function ThreadView({ detail }: { detail: ThreadDetail }) {
  const { activeAgentId } = detail;
  const { agent, isAgentDeleted } = useAgent(activeAgentId);
  const chat = useThreadChat(detail);
  const earlier = useEarlierMessages(detail);
  const shown = useMemo(() => [...earlier.messages, ...chat.messages], [earlier.messages, chat.messages]);
  const draft = useDraft(detail.id);
  const openAt = useSearchParams().get("at");
  const side = useSidePanel();
  const file = useShownFile(detail.id, chat.messages, chat.isRunning);
  const context = useContextMoment(detail.id, chat, agent);
  const { viewer } = useShell();
  const { mayChat, mayTitle, isReader, isAnothers } = rightsIn(detail, shown, viewer);
  useFoundBranch(detail.id, openAt, shown, earlier);
  useFirstTitle(detail, shown, mayTitle && !chat.isRunning);
  usePageKeys(CHAT_KEYS);
  const { decisions, openCalls } = useThreadDecisions(detail.id, chat);
  usePageTitle(detail.title ?? "New thread", chat.isRunning, openCalls);
  const find = useFind();
  useShortcuts({
    [STOP_KEY]: () => stopOwn(chat, isAnothers),
    j: () => void step(1),
    k: () => void step(-1),
    e: pressLastEdit,
    r: pressRetryOrRegenerate,
    g: pressContinue,
  });
  usePageActions(useStopAction(chat, isAnothers));
  const { isRunningElsewhere } = chat;
  const branched = useBranchedThread(detail, {
    mayChat,
    isRunningElsewhere,
    activeVersion: agent?.version ?? undefined,
    shown,
  });
  useAskBeforeLeaving(chat.unsent.length > 0);
  const { todos, usage, head, runId } = threadStatus(chat.messages, detail, chat.isRunning);
  const announcement = useRunAnnouncement(head?.status ?? null);
  const panel = (isSeen: boolean) => (
    <SidePanel
      todos={todos}
      work={workOf(openCalls, chat)}
      files={
        <>
          <AgentSections {...{ detail, agent, chat }} mayChange={mayChat && !isAnothers} />
          {activeAgentId === detail.agentId ? null : <FilesOwner name={agent?.name ?? activeAgentId} />}
          {isSeen ? <LazyFilesView threadId={detail.id} isReadOnly={isReader} /> : <FilesLoading />}
        </>
      }
      context={
        isSeen ? (
          <IdleContextSection
            moment={context.moment}
            isRunning={chat.isRunning}
            queued={chat.queued.length}
            onCompact={mayChat ? context.compact : null}
            isAsked={context.isAsked}
            onShown={context.forget}
            cost={formatCost(usage.costUsd)}
          >
            {detail.branches ? (
              <Versions threadId={detail.id} last={shown.at(-1)?.id} status={head?.status} {...{ chat, mayChat }} />
            ) : null}
            {budgetsOf(isAnothers ? null : runId, chat)}
            <UsageSection usage={usage} latestTraceId={detail.latestTraceId} />
          </IdleContextSection>
        ) : null
      }
    />
  );
  return (
    <FileOpenerProvider value={file.open}>
      <ChildRuns>
        <Page>
          <p role="status" className="sr-only">
            {decisions.asked?.[0] ? askedAnnouncement(decisions.asked[0]) : announcement}
          </p>
          <ThreadHead
            detail={detail}
            agent={agent}
            status={openCalls > 0 ? WAITING : head}
            isPanelOpen={side.isOpen}
            onTogglePanel={side.toggle}
            onFind={find.open}
          />
          <ThreadLine todos={todos} usage={usage} panel={side}>
            {panel(true)}
          </ThreadLine>
          <DecisionsProvider value={mayChat && !isAnothers ? decisions : null}>
            <BranchContext value={branched}>
              <JudgedThreadProvider value={mayChat ? detail.id : null}>
                <Transcript
                  messages={shown}
                  openAt={openAt}
                  find={find}
                  earlier={earlier}
                  userName={viewer.name}
                  maxMessageChars={agent?.max_message_chars}
                  isRunning={chat.isRunning}
                  waitsElsewhere={chat.waitsElsewhere}
                  onNextStep={mayChat ? chat.takeNextStep : null}
                  unsent={{
                    count: chat.unsent.length,
                    messages: <UnsentMessages chat={chat} userName={viewer.name} onEdit={draft.putBefore} />,
                  }}
                />
              </JudgedThreadProvider>
            </BranchContext>
          </DecisionsProvider>
          <ConnectionNotice
            isReconnecting={chat.connection === "reconnecting" && chat.isRunning}
            error={chat.error}
            onRetry={chat.reconnect}
          />
          {mayChat ? (
            <ThreadComposer
              {...{ detail, draft, chat, agent, isAgentDeleted, context }}
              onContext={() => {
                context.ask();
                side.show();
              }}
            />
          ) : (
            <ReadOnlyNote project={detail.project} />
          )}
        </Page>
        <LazyArtifact
          threadId={detail.id}
          file={file}
          mayChange={mayChat}
          onAsk={(text) => askFor(text, draft)}
          otherwise={side.isOpen ? <SideColumn panel={panel} /> : null}
        />
      </ChildRuns>
    </FileOpenerProvider>
  );
}

interface VersionsProps {
  threadId: string;
  /** The last message of the branch that is shown. */
  last: string | undefined;
  status: string | undefined;
  chat: ThreadChat;
  mayChat: boolean;
}

/** In the side panel: the versions of a thread with branches. */
function Versions({ threadId, last, status, chat, mayChat }: VersionsProps) {
  const { isRunning, isRunningElsewhere } = chat;
  return (
    <VersionsSection
      threadId={threadId}
      moment={`${last} ${status} ${isRunningElsewhere}`}
      forkFrom={mayChat ? (last ?? null) : null}
      isRunning={isRunning && !isRunningElsewhere}
    />
  );
}

interface AgentSectionsProps {
  detail: ThreadDetail;
  agent: AgentInfo | undefined;
  chat: ThreadChat;
  mayChange: boolean;
}

/** In the side panel: the agent that answers after a handoff, and those that work for the run. */
function AgentSections({ detail, agent, chat, mayChange }: AgentSectionsProps) {
  const working = agentsAtWork(chat.messages, chat.currentRunId);
  return (
    <>
      {detail.activeAgentId === detail.agentId ? null : (
        <WhoAnswers detail={detail} agent={agent} mayChange={mayChange} />
      )}
      {working.length === 0 ? null : <AtWorkSection agents={working} mayStop={mayChange} />}
    </>
  );
}

/** The viewer's rights in the thread: in a project others may have started it, or its run. */
function rightsIn({ project, openRuns }: ThreadDetail, shown: ThreadChat["messages"], viewer: Viewer) {
  const isReader = project?.role === "read";
  const mayChat = viewer.scopes.includes("chat") && !isReader;
  const isStarter = project === undefined || project.startedBy.id === viewer.id;
  const isAnothers = openRuns[0]?.byAnother === true || shown.at(-1)?.metadata?.author !== undefined;
  return { mayChat, mayTitle: mayChat && isStarter, isReader, isAnothers };
}

function stopOwn(chat: ThreadChat, isAnothers: boolean): void {
  if ((chat.isRunning || chat.isWaiting) && !isAnothers) chat.stop();
}

/** "Stop" in the palette while there is something to stop. */
function useStopAction(chat: ThreadChat, isAnothers: boolean): readonly PageAction[] {
  const { stop } = chat;
  const mayStop = (chat.isRunning || chat.isWaiting) && !isAnothers;
  return useMemo(
    () => (mayStop ? [{ id: "stop", label: "Stop", icon: <CircleStop aria-hidden />, onRun: () => void stop() }] : []),
    [mayStop, stop],
  );
}

function workOf(openCalls: number, { isRunning, isWaiting }: ThreadChat): "waiting" | "running" | "ended" {
  if (openCalls > 0 || isWaiting) return "waiting";
  return isRunning ? "running" : "ended";
}

/** Budgets belong to the person who started the run. */
function budgetsOf(runId: string | null, { isRunning, isWaiting }: ThreadChat) {
  return runId === null ? null : <RunBudgets runId={runId} isLive={isRunning || isWaiting} />;
}

/** For the newest visible message that can be edited. */
function pressLastEdit(): void {
  [...document.querySelectorAll<HTMLElement>('article button[aria-label="Edit"]')].at(-1)?.click();
}

/** Puts a request before what has been typed, and focuses the composer. */
function askFor(text: string, draft: ReturnType<typeof useDraft>): void {
  draft.putBefore(text);
  focusComposer();
}

function useAgent(agentId: string) {
  const agents = useQuery(agentsQuery);
  const agent = agents.data?.find(({ id }) => id === agentId);
  return { agent, isAgentDeleted: agents.isSuccess && agent === undefined };
}
