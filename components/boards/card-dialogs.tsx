"use client";
import { z } from "zod";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import {
  boardQuery,
  createCard,
  handInCard,
  reopenCard,
  reviewCard,
  updateCard,
} from "@/lib/client/boards/board-queries";
import type { CardNote } from "@/lib/client/boards/use-board-actions";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { type Board, type BoardCard, CreateCardBody } from "@/lib/schema/boards/board";

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

const CardForm = z
  .object({
    title: z.string(),
    spec: z.string(),
    /** Empty: any idle member. */
    assignee: z.string(),
    dependsOn: z.array(z.string()),
    shows: z.enum(["none", "file", "command"]),
    proof: z.string(),
  })
  .refine(({ shows, proof }) => shows === "none" || proof.trim() !== "", {
    path: ["proof"],
    message: "Name one, or choose nothing.",
  });
type CardForm = z.input<typeof CardForm>;

/** A new card is sent whole, and so is a changed one. */
const CardBody = formSchema(
  CardForm,
  ({ shows, proof, assignee, ...fields }) => ({
    ...fields,
    assignee: assignee === ANY ? null : assignee,
    evidence: shows === "none" ? null : shows === "file" ? { file: proof } : { command: proof },
  }),
  CreateCardBody,
);

const EMPTY: CardForm = { title: "", spec: "", assignee: ANY, dependsOn: [], shows: "none", proof: "" };

function formOf({ title, spec, assignee, dependsOn, evidence }: BoardCard): CardForm {
  const base = { title, spec, assignee: assignee ?? ANY, dependsOn };
  if (evidence === null) return { ...base, shows: "none", proof: "" };
  if ("file" in evidence) return { ...base, shows: "file", proof: evidence.file };
  return { ...base, shows: "command", proof: evidence.command };
}

function cardField(path: string): string {
  return path.startsWith("evidence") ? "proof" : path;
}

/** Creates a card, or changes one that no member has. */
export function CardDialog({ board, card, onClose }: CardDialogProps) {
  const form = useForm({
    subject: `card ${board.id} ${card?.id ?? "new"}`,
    schema: CardBody,
    fieldOf: cardField,
    initial: card === null ? EMPTY : formOf(card),
    save: (body) => (card === null ? createCard(board.id, body) : updateCard(board.id, card.id, body)),
    invalidates: [boardQuery(board.id).queryKey],
    onSaved: onClose,
  });
  const { shows } = form.values;
  const others = board.tasks.filter(({ id }) => id !== card?.id);
  return (
    <FormDialog
      form={form}
      title={card === null ? "Add card" : `Card ${card.number}`}
      submitLabel={card === null ? "Add card" : "Save card"}
      onClose={onClose}
    >
      <Field of={form} name="title" label="Title" autoFocus />
      <Field
        of={form}
        name="spec"
        label="What to do"
        rows={5}
        description="Everything the member needs to know. It sees only this and the results of the cards it depends on."
      />
      <SelectField
        of={form}
        name="assignee"
        label="For"
        options={[
          { id: ANY, name: "Any idle member" },
          ...board.team
            .filter(({ agentId }) => board.members.includes(agentId))
            .map(({ agentId, name }) => ({ id: agentId, name, description: agentId })),
        ]}
      />
      {others.length === 0 ? null : (
        <CheckListField
          of={form}
          name="dependsOn"
          label="After these cards"
          options={others.map(({ id, number, title }) => ({ id, name: `${number}. ${title}` }))}
        />
      )}
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <SelectField of={form} name="shows" label="It has to show" options={EVIDENCE} />
        {shows === "none" ? null : (
          <Field
            of={form}
            name="proof"
            label={shows === "file" ? "File" : "Command"}
            mono
            placeholder={shows === "file" ? "notes.md" : "npm test"}
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

interface NoteKind {
  readonly title: string;
  readonly submit: string;
  readonly label: string;
  readonly schema: z.ZodType<{ text: string }, { text: string }>;
}

const noteSchema = (missing: string) => z.object({ text: z.string().trim().min(1, missing) });

const NOTES: Readonly<Record<CardNote["kind"], NoteKind>> = {
  send_back: {
    title: "Send card # back",
    submit: "Send back",
    label: "What is missing",
    schema: noteSchema("Say what is missing; the member will read it."),
  },
  answer: {
    title: "Answer card #",
    submit: "Answer",
    label: "Your answer",
    schema: noteSchema("Enter an answer."),
  },
  hand_in: {
    title: "Hand in card #",
    submit: "Hand in",
    label: "Result",
    schema: noteSchema("Describe the result."),
  },
};

/** All of them have one text, whatever its name in the request. */
function noteField(): string {
  return "text";
}

function sendNote(boardId: string, { kind, card }: CardNote, text: string): Promise<unknown> {
  if (kind === "send_back") return reviewCard(boardId, card.id, { accept: false, note: text });
  if (kind === "hand_in") return handInCard(boardId, card.id, text);
  return reopenCard(boardId, card.id, { how: "again", note: text });
}

/** Why a result is sent back, the answer to a member's question, or what a person has done. */
export function NoteDialog({ boardId, note, onClose }: NoteDialogProps) {
  const { kind, card } = note;
  const { title, submit, label, schema } = NOTES[kind];
  const form = useForm({
    subject: `${kind} ${card.id}`,
    schema,
    fieldOf: noteField,
    initial: { text: "" },
    save: ({ text }) => sendNote(boardId, note, text),
    invalidates: [boardQuery(boardId).queryKey],
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title={title.replace("#", String(card.number))} submitLabel={submit} onClose={onClose}>
      {kind === "answer" ? <p className="text-sm wrap-anywhere">{card.question}</p> : null}
      <Field of={form} name="text" label={label} rows={4} autoFocus />
    </FormDialog>
  );
}
