"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { boardQuery, createCard, reopenCard, reviewCard, updateCard } from "@/lib/client/boards/board-queries";
import type { CardNote } from "@/lib/client/boards/use-board-actions";
import { ApiError } from "@/lib/client/http/api";
import type { Board, BoardCard } from "@/lib/schema/boards/board";

const ANY = "";
const EVIDENCE = [
  { id: "none", name: "Nothing: the result alone counts" },
  { id: "file", name: "A file" },
  { id: "command", name: "A command that ends with 0" },
] as const;

interface CardDialogProps {
  board: Board;
  /** Null for a new one. */
  card: BoardCard | null;
  onClose: () => void;
}

/** Writes a card, or changes one that no member has. */
export function CardDialog({ board, card, onClose }: CardDialogProps) {
  const queryClient = useQueryClient();
  const evidence = card?.evidence ?? null;
  const [title, setTitle] = useState(card?.title ?? "");
  const [spec, setSpec] = useState(card?.spec ?? "");
  const [assignee, setAssignee] = useState(card?.assignee ?? ANY);
  const [dependsOn, setDependsOn] = useState<readonly string[]>(card?.dependsOn ?? []);
  const [shows, setShows] = useState<string>(evidence === null ? "none" : "file" in evidence ? "file" : "command");
  const [proof, setProof] = useState(evidence === null ? "" : "file" in evidence ? evidence.file : evidence.command);
  const [isChecked, setChecked] = useState(false);
  const own: Record<string, string> = {};
  if (title.trim() === "") own.title = "Give it a title.";
  if (shows !== "none" && proof.trim() === "") own.evidence = "Write which one, or choose nothing.";
  const save = useMutation({
    mutationFn: () => {
      const wanted = shows === "none" ? null : shows === "file" ? { file: proof.trim() } : { command: proof.trim() };
      const body = {
        title: title.trim(),
        spec,
        assignee: assignee === ANY ? null : assignee,
        dependsOn: [...dependsOn],
      };
      const fields = { ...body, evidence: wanted };
      return card === null ? createCard(board.id, fields) : updateCard(board.id, card.id, fields);
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: boardQuery(board.id).queryKey });
      onClose();
    },
  });
  const refused = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const problem = (field: string) => {
    const message = refused.get(field) ?? (isChecked ? own[field] : undefined);
    return { isInvalid: message !== undefined, errorMessage: message };
  };
  const others = board.tasks.filter(({ id }) => id !== card?.id);
  return (
    <FormDialog
      title={card === null ? "Add card" : `Card ${card.number}`}
      submitLabel={card === null ? "Add card" : "Save card"}
      isPending={save.isPending}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={() => {
        setChecked(true);
        if (Object.keys(own).length === 0) save.mutate();
      }}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} autoFocus {...problem("title")} />
      <TextField
        label="What is to be done"
        rows={5}
        value={spec}
        onChange={setSpec}
        description="All that a member has to know. It sees nothing else but the results of the cards before it."
        {...problem("spec")}
      />
      <Select
        label="For"
        options={[
          { id: ANY, name: "Any idle member" },
          ...board.team
            .filter(({ agentId }) => board.members.includes(agentId))
            .map(({ agentId, name }) => ({ id: agentId, name, description: agentId })),
        ]}
        value={assignee}
        onChange={setAssignee}
        {...problem("assignee")}
      />
      {others.length === 0 ? null : (
        <CheckList
          label="After these cards"
          options={others.map(({ id, number, title: name }) => ({ id, name: `${number}. ${name}` }))}
          value={dependsOn}
          onChange={setDependsOn}
          {...(problem("dependsOn").errorMessage === undefined
            ? {}
            : { errorMessage: problem("dependsOn").errorMessage ?? "" })}
        />
      )}
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select label="It has to show" options={EVIDENCE} value={shows} onChange={setShows} />
        {shows === "none" ? null : (
          <TextField
            label={shows === "file" ? "File" : "Command"}
            mono
            value={proof}
            onChange={setProof}
            placeholder={shows === "file" ? "notes.md" : "npm test"}
            {...problem("evidence")}
          />
        )}
      </div>
    </FormDialog>
  );
}

interface NoteDialogProps {
  boardId: string;
  note: CardNote;
  onClose: () => void;
}

/** Why a result goes back, or what a member's question is answered with. */
export function NoteDialog({ boardId, note: { kind, card }, onClose }: NoteDialogProps) {
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isBack = kind === "send_back";
  const send = useMutation({
    mutationFn: () =>
      isBack
        ? reviewCard(boardId, card.id, { accept: false, note: text.trim() })
        : reopenCard(boardId, card.id, { how: "again", note: text.trim() }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: boardQuery(boardId).queryKey });
      onClose();
    },
  });
  const isMissing = isChecked && text.trim() === "";
  return (
    <FormDialog
      title={isBack ? `Send card ${card.number} back` : `Answer card ${card.number}`}
      submitLabel={isBack ? "Send back" : "Answer"}
      isPending={send.isPending}
      error={send.error}
      onSubmit={() => {
        setChecked(true);
        if (text.trim() !== "") send.mutate();
      }}
      onClose={onClose}
    >
      {isBack ? null : <p className="text-sm wrap-anywhere">{card.question}</p>}
      <TextField
        label={isBack ? "What is missing" : "Your answer"}
        rows={4}
        value={text}
        onChange={setText}
        autoFocus
        isInvalid={isMissing}
        errorMessage={
          isMissing ? (isBack ? "Say what is missing: the member reads it." : "Write an answer.") : undefined
        }
      />
    </FormDialog>
  );
}
