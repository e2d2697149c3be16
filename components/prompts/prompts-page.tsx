"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Tag } from "@/components/ui/tag";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { deletePrompt, promptsQuery, savePrompt } from "@/lib/client/prompts/prompt-queries";
import { variablesOf } from "@/lib/client/prompts/prompt-variables";
import { useFocusKeeper } from "@/lib/client/ui/input/use-focus-keeper";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { SavedPrompt } from "@/lib/schema/prompts/saved-prompt";

const EditPromptDialog = dynamic(
  async () => (await loadWithRetry(() => import("./edit-prompt-dialog"))).EditPromptDialog,
  {
    loading: () => null,
  },
);

const PAGE_KEYS = [
  { keys: "n", does: "New prompt" },
  { keys: "j k", does: "Next and previous prompt" },
  { keys: "Enter", does: "Edit the prompt" },
] as const;

/** The prompt library: the person's own prompts, and those that administrators have shared with everybody. */
export function PromptsPage() {
  const { viewer } = useShell();
  const queryClient = useQueryClient();
  const query = useQuery(promptsQuery);
  const [edited, setEdited] = useState<SavedPrompt | "new" | null>(null);
  const list = useFocusKeeper<HTMLDivElement>();
  const mayWrite = viewer.scopes.includes("chat");
  const mayShare = viewer.scopes.includes("admin");
  const refresh = () => queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey });
  usePageKeys(PAGE_KEYS);
  useRowKeys(list, { row: "li", control: "[data-prompt]", others: { n: () => mayWrite && setEdited("new") } });
  const attempt = async (work: Promise<unknown>, done?: () => void) => {
    try {
      await work;
      done?.();
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await refresh();
  };
  const remove = (prompt: SavedPrompt) => {
    const { name, description, text, shared } = prompt;
    setEdited(null);
    void attempt(deletePrompt(prompt.id), () =>
      showToast({
        title: `Deleted “${name}”`,
        onUndo: () => void attempt(savePrompt(null, { name, description, text, shared })),
      }),
    );
  };
  const prompts = query.data ?? [];
  const add = mayWrite ? (
    <Button variant="primary" onPress={() => setEdited("new")}>
      New prompt <Kbd>n</Kbd>
    </Button>
  ) : null;
  return (
    <Page>
      <PageHead title="Prompts" actions={prompts.length === 0 ? null : add} />
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <QueryState
          what="prompts"
          query={query}
          rows={6}
          empty={
            <EmptyState title="No prompts yet" actions={add}>
              A prompt is a text that you use again. Type / and its name in the composer; what stands in double braces,
              like {"{{file}}"}, is asked for then.
            </EmptyState>
          }
        />
        {prompts.length === 0 ? null : (
          <div className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-3">
            <p className="mb-3 text-xs text-muted">
              Type / and the name in the composer. What stands in double braces is asked for then.
            </p>
            <ul aria-label="Prompts" className="border-y border-border">
              {prompts.map((prompt) => (
                <PromptRow
                  key={prompt.id}
                  prompt={prompt}
                  onEdit={mayWrite && (mayShare || !prompt.shared) ? () => setEdited(prompt) : null}
                />
              ))}
            </ul>
          </div>
        )}
      </div>
      {edited === null ? null : (
        <EditPromptDialog
          prompt={edited === "new" ? null : edited}
          mayShare={mayShare}
          onDelete={remove}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

/** A shared one is read-only for those who may not change it. */
function PromptRow({ prompt, onEdit }: { prompt: SavedPrompt; onEdit: (() => void) | null }) {
  const { name, description, text, shared } = prompt;
  const count = variablesOf(text).length;
  const content = (
    <>
      <span className="shrink-0 font-mono text-xs font-medium">/{name}</span>
      <span className="min-w-0 flex-1 truncate text-muted">{description || text}</span>
      {count === 0 ? null : (
        <span className="tnum shrink-0 text-xs text-muted max-sm:hidden">
          {count} {count === 1 ? "variable" : "variables"}
        </span>
      )}
      {shared ? <Tag>shared</Tag> : null}
    </>
  );
  const look = "flex min-h-9 w-full items-center gap-3 px-1.5 text-left text-sm -outline-offset-2 touch-row";
  return (
    <li className="border-b border-separator last:border-b-0">
      {onEdit === null ? (
        <div className={look}>{content}</div>
      ) : (
        <button type="button" data-prompt onClick={onEdit} className={`${look} hover:bg-default`}>
          {content}
        </button>
      )}
    </li>
  );
}
