"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter, useSearchParams } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { AnswererTag } from "@/components/chat/composer/choice-pickers";
import { Composer } from "@/components/chat/composer/composer";
import { ExamplePrompts } from "@/components/chat/composer/example-prompts";
import {
  AgentChoices,
  AgentPicker,
  hasRealModels,
  hasWorkspace,
  offersModels,
} from "@/components/chat/composer/pickers";
import { useMcpMenu } from "@/components/chat/composer/use-mcp-menu";
import { ThreadsDrawer } from "@/components/chat/threads/threads-drawer";
import { DemoModelNote } from "@/components/chat/transcript/chat-note";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { isDemoModel } from "@/lib/client/agents/model-names";
import { beginThread } from "@/lib/client/chat/composer/drafts";
import { type Answerer, otherFiles, useAnswerer } from "@/lib/client/chat/composer/use-answerer";
import {
  isTypedCommand,
  START_COMMANDS,
  useSkillCommands,
  useTypedCommand,
} from "@/lib/client/chat/composer/use-commands";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { chosenOf, keepPicked, type Picked, usePicked } from "@/lib/client/chat/composer/use-picked";
import { agentsQuery, providersQuery, threadListQuery } from "@/lib/client/chat/thread-queries";
import { createThread, deleteThread, sendMessage } from "@/lib/client/chat/threads/thread-actions";
import { awaitPage } from "@/lib/client/files/artifact/awaited-pages";
import { forgetSent } from "@/lib/client/files/use-attachments";
import { ApiError } from "@/lib/client/http/api";
import { summarizeError } from "@/lib/client/http/error-summary";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useAttempt } from "@/lib/client/ui/use-attempt";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import type { ProviderList } from "@/lib/schema/provider";
import { CHAT_KEYS } from "./chat-keys";

/** The start page: choose an agent, say what to do. */
export function NewThreadView() {
  const { viewer } = useShell();
  return viewer.scopes.includes("chat") ? <ThreadStart /> : <NothingToStart />;
}

/** Most people never see it. */
const SharedWithYou = dynamic(
  async () => (await loadWithRetry(() => import("@/components/projects/shared-with-you"))).SharedWithYou,
  { loading: () => null },
);

function NothingToStart() {
  return (
    <Page>
      <PageHead title="Shared with you" lead={<ThreadsDrawer />} />
      <SharedWithYou />
    </Page>
  );
}

/**
 * Those with a title in the list beside the page, newest first, as far as the page opened with them: one that is added
 * would move the others.
 */
function useRecentThreads(): readonly { readonly id: string; readonly title: string }[] {
  const { data } = useInfiniteQuery({ ...threadListQuery({ q: "", archived: false }), enabled: false });
  const titled = (data?.pages[0]?.threads ?? []).flatMap(({ id, title }) => (title === null ? [] : [{ id, title }]));
  const [first] = useState(titled);
  return first.flatMap(({ id }) => titled.find((thread) => thread.id === id) ?? []);
}

function ThreadStart() {
  const { viewer } = useShell();
  const wanted = useSearchParams().get("agent");
  const agents = useQuery(agentsQuery);
  const providers = useQuery(providersQuery);
  // Unlike a thread, the start page has no owner: another person may sign in from this browser.
  const draftName = `new:${viewer.id}`;
  const draft = useDraft(draftName);
  const input = useRef<HTMLTextAreaElement>(null);
  const pick = useExample(draft);
  usePageKeys(CHAT_KEYS);
  const recent = useRecentThreads();
  const list = agents.data ?? [];
  const agent = list.find(({ id }) => id === wanted) ?? list.find(({ id }) => id === "default") ?? list[0];
  const picked = usePicked(null, agent);
  const skills = useSkillCommands(agent?.id, draft.text);
  const mcp = useMcpMenu(agent?.id, draft.text, draft.setText);
  const answerer = useAnswerer(agent?.id, draft.text, draft.setText);
  const { send, isOpening } = useFirstMessage({ agent, answerer, picked, draftName, text: draft.text });
  return (
    <Page>
      <PageHead title="New thread" lead={<ThreadsDrawer />} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {agents.isError ? (
          <ErrorState
            title="The agents could not be loaded"
            {...summarizeError(agents.error)}
            onRetry={() => void agents.refetch()}
          >
            {summarizeError(agents.error).message}
          </ErrorState>
        ) : null}
        {agents.isSuccess && !agent ? <NoAgents isAdmin={viewer.role === "admin"} /> : null}
        {agent || agents.isPending ? (
          <ExamplePrompts
            isDemo={isDemoModel(picked.model ?? agent?.model ?? "")}
            recent={recent}
            agent={agent}
            onPick={(text) => {
              pick(text);
              input.current?.focus();
            }}
          />
        ) : null}
      </div>
      <Composer
        inputRef={input}
        text={draft.text}
        onText={draft.setText}
        isRunning={false}
        isOpening={isOpening}
        isDisabled={!agent}
        onSend={send}
        commands={START_COMMANDS}
        skills={skills}
        {...mcp}
        agents={answerer.offered}
        onStop={() => undefined}
        attachPlace={draftName}
        mayAttach={agents.isPending || hasWorkspace(agent)}
        note={
          <StartNote
            model={answerer.agent?.model ?? picked.model ?? agent?.model ?? ""}
            providers={providers.data}
            mayChoose={offersModels(agent)}
            isAdmin={viewer.role === "admin"}
          />
        }
        pickers={
          <>
            <AgentPicker agents={list} agentId={agent?.id ?? null} onAgent={showAgent} />
            {answerer.agent ? <AnswererTag agent={answerer.agent} onRemove={answerer.clear} /> : null}
            {agent && !answerer.agent ? <AgentChoices agent={agent} picked={picked} /> : null}
          </>
        }
      />
      {/* On a large screen the start is in the middle, not at the bottom. */}
      <div className="hidden grow-[0.55] basis-0 lg:[@media(min-height:640px)]:block" />
    </Page>
  );
}

interface StartNoteProps {
  /** The model that would answer. */
  model: string;
  /** Undefined while loading. */
  providers: ProviderList | undefined;
  mayChoose: boolean;
  isAdmin: boolean;
}

/** The line always takes its space, so that the field below does not move when another model is chosen. */
function StartNote({ model, providers, ...rights }: StartNoteProps) {
  return (
    <div className="mb-2 min-h-5 max-sm:min-h-9">
      {isDemoModel(model) && providers ? <DemoModelNote hasOthers={hasRealModels(providers)} {...rights} /> : null}
    </div>
  );
}

/** Puts an example into the draft: replaces a previous example, but is appended to the person's own text. */
function useExample({ text, setText }: Pick<ReturnType<typeof useDraft>, "text" | "setText">) {
  const latest = useRef({ own: "", whole: "" });
  return (example: string) => {
    const own = text === latest.current.whole ? latest.current.own : text;
    latest.current = { own, whole: own.trim() === "" ? example : `${own}\n${example}` };
    setText(latest.current.whole);
  };
}

/** The URL says who answers: it can be shared, and survives a reload. */
function showAgent(agentId: string): void {
  window.history.replaceState(null, "", `/?agent=${encodeURIComponent(agentId)}`);
}

interface FirstMessage {
  /** The agent of the future thread. */
  agent: AgentInfo | undefined;
  answerer: Answerer;
  picked: Picked;
  draftName: string;
  /** The field's text. */
  text: string;
}

/** Creates the thread, sends its first message and opens it. Commands are run here. */
function useFirstMessage({ agent, answerer, picked, draftName, text }: FirstMessage) {
  const router = useRouter();
  const { go } = useShell();
  const doCommand = useTypedCommand(null, go);
  const made = useRef<{ agentId: string; threadId: string } | null>(null);
  const [isOpening, startOpening] = useTransition();
  // Another model or agent is another request.
  const attempt = useAttempt(JSON.stringify([text, agent?.id, answerer.agent?.id, picked]));
  const send = async (words: string, files: readonly File[]) => {
    if (isTypedCommand(words)) return doCommand(words);
    if (!agent) return;
    const agentId = agent.id;
    const other = answerer.agent;
    if (other !== null && files.length > 0) throw new Error(otherFiles(agent.name, other.name));
    // After a failed attempt the thread already exists.
    if (made.current?.agentId !== agentId) made.current = { agentId, threadId: await createThread(agentId) };
    const { threadId } = made.current;
    const content = files.length === 0 ? words : await withUploaded(threadId, words, files);
    const deliver = async (key: string) => {
      const choice = other === null ? chosenOf(picked) : { agentId: other.id };
      await sendMessage({ threadId, content, key, ...choice });
    };
    await attempt(deliver).catch(async (error: unknown) => {
      // A blocked message leaves nothing behind (D-61), not even the thread created for it.
      if (error instanceof ApiError && error.code === "input_blocked") {
        made.current = null;
        await deleteThread(threadId);
      }
      throw error;
    });
    void forgetSent(files);
    keepPicked(threadId, picked);
    beginThread(threadId, draftName);
    awaitPage(threadId);
    startOpening(() => router.push(`/threads/${threadId}`));
  };
  return { send, isOpening };
}

async function withUploaded(threadId: string, words: string, files: readonly File[]): Promise<string> {
  const { uploadAttached } = await import("@/lib/client/files/upload-attached");
  return nameAttached(words, await uploadAttached(threadId, files));
}

function NoAgents({ isAdmin }: { isAdmin: boolean }) {
  return (
    <EmptyState
      title="No agents yet"
      actions={
        isAdmin ? (
          <LinkButton href="/admin/agents" variant="primary">
            Create an agent
          </LinkButton>
        ) : null
      }
    >
      {isAdmin
        ? "An agent is a model with a prompt, tools and hooks."
        : "An administrator has to create the first agent."}
    </EmptyState>
  );
}
