"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { Composer } from "@/components/chat/composer/composer";
import { AgentPicker, hasWorkspace } from "@/components/chat/composer/pickers";
import { useShell } from "@/components/shell/shell-context";
import { Select } from "@/components/ui/controls/select";
import { beginThread } from "@/lib/client/chat/composer/drafts";
import { isTypedCommand, START_COMMANDS, useTypedCommand } from "@/lib/client/chat/composer/use-commands";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { sendMessage } from "@/lib/client/chat/threads/thread-actions";
import { forgetSent } from "@/lib/client/files/use-attachments";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { createProjectThread } from "@/lib/client/projects/project-queries";
import { useAttempt } from "@/lib/client/ui/use-attempt";
import { nameAttached } from "@/lib/schema/messages/attached-files";
import type { Project } from "@/lib/schema/projects/project";
import { FileScope } from "@/lib/schema/projects/thread-project";

const FILES = [
  { id: "project", name: "Project files" },
  { id: "thread", name: "Own files" },
] as const;

/** Starts a thread in the project with its default agent, on the project's files or its own. */
export function ProjectComposer({ project }: { project: Project }) {
  const { viewer, go } = useShell();
  const router = useRouter();
  const queryClient = useQueryClient();
  const agents = useQuery(agentsQuery).data ?? [];
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [files, setFiles] = useState<FileScope>("project");
  const place = `project:${project.id}:${viewer.id}`;
  const draft = useDraft(place);
  const made = useRef<{ key: string; threadId: string } | null>(null);
  const [isOpening, startOpening] = useTransition();
  const attempt = useAttempt(draft.text);
  const doCommand = useTypedCommand(null, go);
  const wanted = chosenId ?? project.agentId ?? "default";
  const agent = agents.find(({ id }) => id === wanted) ?? agents[0];
  const send = async (words: string, attached: readonly File[]) => {
    if (isTypedCommand(words)) return doCommand(words);
    if (!agent) return;
    // After a failed attempt the thread already exists.
    const key = `${agent.id} ${files}`;
    if (made.current?.key !== key)
      made.current = { key, threadId: await createProjectThread(project.id, agent.id, files) };
    const { threadId } = made.current;
    const content = attached.length === 0 ? words : await withUploaded(threadId, words, attached);
    await attempt(async (messageKey) => void (await sendMessage({ threadId, content, key: messageKey })));
    void forgetSent(attached);
    beginThread(threadId, place);
    void queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
    startOpening(() => router.push(`/threads/${threadId}`));
  };
  const gets = [project.instructions?.text ? "the instructions" : "", files === "project" ? "the project's files" : ""];
  return (
    <Composer
      text={draft.text}
      onText={draft.setText}
      isRunning={false}
      isOpening={isOpening}
      isDisabled={!agent}
      onSend={send}
      commands={START_COMMANDS}
      onStop={() => undefined}
      attachPlace={place}
      mayAttach={hasWorkspace(agent)}
      placeholder={`Start a thread in ${project.name}`}
      meter={
        <span className="text-xs text-muted max-xl:hidden">
          {gets.some(Boolean) ? `gets ${gets.filter(Boolean).join(" and ")}` : null}
        </span>
      }
      pickers={
        <>
          <AgentPicker agents={agents} agentId={agent?.id ?? null} onAgent={setChosenId} />
          <Select
            look="bare"
            label="Files of the thread"
            options={FILES}
            value={files}
            onChange={(id) => setFiles(FileScope.parse(id))}
          />
        </>
      }
    />
  );
}

async function withUploaded(threadId: string, words: string, files: readonly File[]): Promise<string> {
  const { uploadAttached } = await import("@/lib/client/files/upload-attached");
  return nameAttached(words, await uploadAttached(threadId, files));
}
