"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useMemo, useState } from "react";
import { AnswererTag } from "@/components/chat/composer/choice-pickers";
import { Composer } from "@/components/chat/composer/composer";
import { AgentChoices, hasRealModels, hasWorkspace, offersModels } from "@/components/chat/composer/pickers";
import { useMcpMenu } from "@/components/chat/composer/use-mcp-menu";
import { LazyContextRing } from "@/components/chat/context/lazy-context";
import type { useContextMoment } from "@/components/chat/context/use-context-moment";
import { DemoModelNote } from "@/components/chat/transcript/chat-note";
import { useShell } from "@/components/shell/shell-context";
import { isDemoModel } from "@/lib/client/agents/model-names";
import { messageText } from "@/lib/client/chat/chat-message";
import { otherFiles, useAnswerer } from "@/lib/client/chat/composer/use-answerer";
import { isTypedCommand, useSkillCommands, useTypedCommand } from "@/lib/client/chat/composer/use-commands";
import { useArrival, type useDraft } from "@/lib/client/chat/composer/use-draft";
import { keepLostEdit } from "@/lib/client/chat/composer/use-lost-edit";
import { providersQuery } from "@/lib/client/chat/thread-queries";
import type { ThreadChat } from "@/lib/client/chat/use-thread-chat";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import type { SendMode } from "@/lib/schema/threads/queue";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { ModelName } from "./composer/model-name";

const TakeBackLine = dynamic(async () => (await loadWithRetry(() => import("./threads/take-back"))).TakeBackLine, {
  loading: () => null,
});

interface ThreadComposerProps {
  detail: ThreadDetail;
  draft: ReturnType<typeof useDraft>;
  chat: ThreadChat;
  /** Undefined until it is loaded, or if it is gone. */
  agent: AgentInfo | undefined;
  isAgentDeleted: boolean;
  context: ReturnType<typeof useContextMoment>;
  onContext: () => void;
}

/** The composer of a thread: who answers, what is sent and how, and why nothing may be. */
export function ThreadComposer(props: ThreadComposerProps) {
  const { detail, draft, chat, agent, isAgentDeleted, context, onContext } = props;
  const { go, viewer } = useShell();
  const providers = useQuery(providersQuery);
  const { picked } = context;
  const isHandedOver = detail.activeAgentId !== detail.agentId;
  const agentName = isHandedOver ? (agent?.name ?? detail.activeAgentId) : detail.agentName;
  const answerer = useAnswerer(detail.activeAgentId, draft.text, draft.setText);
  const doCommand = useTypedCommand(detail.id, go);
  const skills = useSkillCommands(detail.activeAgentId, draft.text);
  const mcp = useMcpMenu(
    detail.activeAgentId,
    draft.text,
    draft.setText,
    // Another agent could not read them.
    answerer.agent === null && hasWorkspace(agent) ? detail.id : null,
  );
  const input = useArrival(detail.id, draft.setText);
  const keepLate = (text: string) => keepLostEdit(text, draft.putBefore);
  const [mode, setMode] = useState<SendMode>("queue");
  const isOngoing = chat.currentRunId !== null;
  const sent = useMemo(() => ownTexts(chat.messages), [chat.messages]);
  const isDemo = isDemoModel(answerer.agent?.model ?? picked.model ?? agent?.model ?? "");
  const send = async (text: string, files: readonly File[]) => {
    if (isTypedCommand(text)) return doCommand(text);
    const steers = mode === "steer" && isOngoing;
    if (answerer.agent === null) return chat.send({ text, files, model: picked.model, effort: picked.effort, steers });
    if (files.length > 0) throw new Error(otherFiles(agentName, answerer.agent.name));
    chat.send({ text, files, model: null, agentId: answerer.agent.id });
    answerer.clear();
  };
  return (
    <Composer
      inputRef={input}
      text={draft.text}
      onText={draft.setText}
      isRunning={chat.isRunning && !chat.isAsked}
      isWaiting={chat.isAsked}
      isDisabled={isAgentDeleted}
      onSend={send}
      skills={skills}
      {...mcp}
      agents={answerer.offered}
      sent={sent}
      attachPlace={detail.id}
      mayAttach={hasWorkspace(agent)}
      isStopping={chat.isStopping}
      onStop={chat.stop}
      queue={{ ...chat.queue, messages: chat.queued, isSteerable: isOngoing, keep: keepLate }}
      held={{ ...chat.held, drop: (message) => chat.held.drop(message, draft.putBefore), keep: keepLate }}
      sendMode={{ mode, onMode: setMode, agentName }}
      note={
        isHandedOver ? (
          <TakeBackLine threadId={detail.id} name={agentName} ownName={detail.agentName} />
        ) : isAgentDeleted ? (
          <p className="mb-2 text-xs text-muted">
            The agent of this thread was deleted or is no longer available to you. The thread stays readable.{" "}
            <button type="button" className="text-link underline underline-offset-2" onClick={() => go("/")}>
              Start a thread with another agent
            </button>
          </p>
        ) : isDemo ? (
          <div className="mb-2">
            <DemoModelNote
              hasOthers={hasRealModels(providers.data)}
              mayChoose={offersModels(agent)}
              isAdmin={viewer.role === "admin"}
            />
          </div>
        ) : null
      }
      meter={<LazyContextRing moment={context.moment} onOpen={onContext} />}
      pickers={
        <>
          {answerer.agent === null ? (
            <span className="min-w-0 truncate px-2 text-sm">{agentName}</span>
          ) : (
            <AnswererTag agent={answerer.agent} onRemove={answerer.clear} />
          )}
          {answerer.agent ? <ModelName model={answerer.agent.model} /> : null}
          {agent && !answerer.agent ? <AgentChoices agent={agent} picked={picked} /> : null}
        </>
      }
    />
  );
}

/** The person's own texts, the newest last, without the lines that name attached files. */
function ownTexts(messages: ThreadChat["messages"]): string[] {
  const own = messages.filter(({ role }) => role === "user").slice(-MOST_RECALLED);
  return own.map((message) => splitAttached(messageText(message)).text).filter((text) => text !== "");
}

const MOST_RECALLED = 50;
