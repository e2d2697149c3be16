"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, errorMessage } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAskBeforeLeaving } from "@/lib/client/ui/use-ask-before-leaving";
import { contentUrl, fileBytesQuery, readUtf8, uploadFile } from "./file-queries";

export interface FileEdit {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The file has changed since editing began. */
  readonly isChangedElsewhere: boolean;
  readonly save: () => void;
  readonly saveAnyway: () => void;
  readonly discard: () => void;
}

interface Draft {
  readonly before: string;
  readonly text: string;
}

/** A text field only has \n. */
function isChanged({ before, text }: Draft): boolean {
  return text !== before.replaceAll("\r\n", "\n");
}

/** Editing of a text file in its dialog: `begin` is null if the file is not text, `edit` while nobody edits. */
export function useFileEdit(threadId: string, path: string) {
  const queryClient = useQueryClient();
  const { data: preview } = useQuery(fileBytesQuery(threadId, path));
  const [draft, setDraft] = useState<Draft | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isChangedElsewhere, setChangedElsewhere] = useState(false);
  useAskBeforeLeaving(draft !== null && isChanged(draft));
  const close = () => {
    setDraft(null);
    setChangedElsewhere(false);
  };
  /** Ends the edit, unless somebody kept typing while it was being saved. */
  const settle = (saved: Draft) => {
    const before = withLineEnds(saved.text, saved.before);
    setDraft((now) => (now === null || now.text === saved.text ? null : { before, text: now.text }));
  };
  const attempt = async (saved: Draft, write: () => Promise<"saved" | "changed">) => {
    setSaving(true);
    try {
      const outcome = await write();
      setChangedElsewhere(outcome === "changed");
      if (outcome === "changed") return;
      await queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
      settle(saved);
      showToast({ title: `Saved ${path}` });
    } catch (error) {
      showToast({ title: "The file was not saved", description: errorMessage(error), tone: "error" });
    } finally {
      setSaving(false);
    }
  };
  const text = preview?.kind === "text" || preview?.kind === "markdown" ? preview.text : null;
  const begin = text === null ? null : () => setDraft({ before: text, text: text.replaceAll("\r\n", "\n") });
  if (draft === null) return { begin, edit: null };
  const edited = { threadId, path, ...draft };
  const edit: FileEdit = {
    text: draft.text,
    setText: (typed) => setDraft({ ...draft, text: typed }),
    isDirty: isChanged(draft),
    isSaving,
    isChangedElsewhere,
    save: () => void attempt(draft, () => saveEdited(edited)),
    saveAnyway: () => void attempt(draft, () => overwrite(edited).then(() => "saved")),
    discard: close,
  };
  return { begin, edit };
}

export interface EditedText {
  readonly threadId: string;
  readonly path: string;
  /** The file as it was when editing began. */
  readonly before: string;
  readonly text: string;
}

/** Writes an edited text. If the file is no longer what was edited, it writes nothing and returns "changed". */
export async function saveEdited({ threadId, path, before, text }: EditedText): Promise<"saved" | "changed"> {
  const bytes = await (await callApi(contentUrl(threadId, path))).blob();
  const now = await readUtf8(bytes).catch(() => null);
  if (now !== before) return "changed";
  await overwrite({ threadId, path, before, text });
  return "saved";
}

/** Writes it whatever the file now holds; its versions keep what was there. */
async function overwrite({ threadId, path, before, text }: EditedText): Promise<void> {
  await uploadFile(threadId, path, new Blob([withLineEnds(text, before)]));
}

/** A text field only has \n; a file keeps its original line endings. */
export function withLineEnds(text: string, like: string): string {
  return like.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
