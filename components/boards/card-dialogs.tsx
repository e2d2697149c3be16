"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import {
  boardQuery,
  createCard,
  handInCard,
  reopenCard,
  reviewCard,
  updateCard,
} from "@/lib/client/boards/board-queries";
import type { CardNote } from "@/lib/client/boards/use-board-actions";
import { ApiError } from "@/lib/client/http/api";
import type { Board, BoardCard } from "@/lib/schema/boards/board";

const ANY = "";
const EVIDENCE = [
  { id: "none", name: "Nothing: the result alone counts" },
  { id: "file", name: "A file" },
  { id: "command", name: "A command that exits with 0" },
] as const;

interface CardDialogProps {
  board: Board;
  /** Null for a new one. */
  card: BoardCard | null;
  onClose: () => void;
}

interface CardForm {
  readonly title: string;
  readonly spec: string;
  readonly assignee: string;
  readonly dependsOn: readonly string[];
  readonly shows: string;
  readonly proof: string;
}

const EMPTY: CardForm = { title: "", spec: "", assignee: ANY, dependsOn: [], shows: "none", proof: "" };

function formOf({ title, spec, assignee, dependsOn, evidence }: BoardCard): CardForm {
  const base = { title, spec, assignee: assignee ?? ANY, dependsOn };
  if (evidence === null) return { ...base, shows: "none", proof: "" };
  if ("file" in evidence) return { ...base, shows: "file", proof: evidence.file };
  return { ...base, shows: "command", proof: evidence.command };
}

function fieldsOf({ title, spec, assignee, dependsOn, shows, proof }: CardForm) {
  const given = proof.trim();
  const evidence = shows === "none" ? null : shows === "file" ? { file: given } : { command: given };
  const who = assignee === ANY ? null : assignee;
  return { title: title.trim(), spec, assignee: who, dependsOn: [...dependsOn], evidence };
}

function problemsOf({ title, shows, proof }: CardForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (title.trim() === "") problems.title = "Give it a title.";
  if (shows !== "none" && proof.trim() === "") problems.evidence = "Name one, or choose nothing.";
  return problems;
}

/** Creates a card, or changes one that no member has. */
export function CardDialog({ board, card, onClose }: CardDialogProps) {
  const queryClient = useQueryClient();
  const [form, setForm] = useState(() => (card === null ? EMPTY : formOf(card)));
  const [isChecked, setChecked] = useState(false);
  const { title, spec, assignee, dependsOn, shows, proof } = form;
  const set = (change: Partial<CardForm>) => setForm((now) => ({ ...now, ...change }));
  const own = problemsOf(form);
  const save = useMutation({
    mutationFn: () =>
      card === null ? createCard(board.id, fieldsOf(form)) : updateCard(board.id, card.id, fieldsOf(form)),
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
      <TextField
        label="Title"
        value={title}
        onChange={(given) => set({ title: given })}
        autoFocus
        {...problem("title")}
      />
      <TextField
        label="What to do"
        rows={5}
        value={spec}
        onChange={(given) => set({ spec: given })}
        description="Everything the member needs to know. It sees only this and the results of the cards it depends on."
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
        onChange={(given) => set({ assignee: given })}
        {...problem("assignee")}
      />
      {others.length === 0 ? null : (
        <CheckList
          label="After these cards"
          options={others.map(({ id, number, title: name }) => ({ id, name: `${number}. ${name}` }))}
          value={dependsOn}
          onChange={(given) => set({ dependsOn: given })}
          {...(problem("dependsOn").errorMessage === undefined
            ? {}
            : { errorMessage: problem("dependsOn").errorMessage ?? "" })}
        />
      )}
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select label="It has to show" options={EVIDENCE} value={shows} onChange={(given) => set({ shows: given })} />
        {shows === "none" ? null : (
          <TextField
            label={shows === "file" ? "File" : "Command"}
            mono
            value={proof}
            onChange={(given) => set({ proof: given })}
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

interface NoteWords {
  readonly title: string;
  readonly submit: string;
  readonly label: string;
  readonly missing: string;
}

const NOTES: Readonly<Record<CardNote["kind"], NoteWords>> = {
  send_back: {
    title: "Send card # back",
    submit: "Send back",
    label: "What is missing",
    missing: "Say what is missing; the member will read it.",
  },
  answer: { title: "Answer card #", submit: "Answer", label: "Your answer", missing: "Enter an answer." },
  hand_in: { title: "Hand in card #", submit: "Hand in", label: "Result", missing: "Describe the result." },
};

function sendNote(boardId: string, { kind, card }: CardNote, text: string): Promise<unknown> {
  if (kind === "send_back") return reviewCard(boardId, card.id, { accept: false, note: text });
  if (kind === "hand_in") return handInCard(boardId, card.id, text);
  return reopenCard(boardId, card.id, { how: "again", note: text });
}

/** Why a result is sent back, the answer to a member's question, or what a person has done. */
export function NoteDialog({ boardId, note, onClose }: NoteDialogProps) {
  const { kind, card } = note;
  const words = NOTES[kind];
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [isChecked, setChecked] = useState(false);
  const send = useMutation({
    mutationFn: () => sendNote(boardId, note, text.trim()),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: boardQuery(boardId).queryKey });
      onClose();
    },
  });
  const isMissing = isChecked && text.trim() === "";
  return (
    <FormDialog
      title={words.title.replace("#", String(card.number))}
      submitLabel={words.submit}
      isPending={send.isPending}
      error={send.error}
      onSubmit={() => {
        setChecked(true);
        if (text.trim() !== "") send.mutate();
      }}
      onClose={onClose}
    >
      {kind === "answer" ? <p className="text-sm wrap-anywhere">{card.question}</p> : null}
      <TextField
        label={words.label}
        rows={4}
        value={text}
        onChange={setText}
        autoFocus
        isInvalid={isMissing}
        errorMessage={isMissing ? words.missing : undefined}
      />
    </FormDialog>
  );
}
