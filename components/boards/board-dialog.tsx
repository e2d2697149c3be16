"use client";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useShell } from "@/components/shell/shell-context";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { createBoard, updateBoard } from "@/lib/client/boards/board-queries";
import { TRIAGE_TEAM, triageAgents } from "@/lib/client/boards/triage-team";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { AGENTS_KEY, BOARDS_KEY } from "@/lib/client/http/query-keys";
import { readAmount } from "@/lib/client/usage/budget-text";
import { type Board, CreateBoardBody, UpdateBoardBody } from "@/lib/schema/boards/board";

const REVIEWS = [
  { id: "none", name: "None: a result counts when its run ends" },
  { id: "other_member", name: "A member other than the author" },
  { id: "person", name: "You" },
] as const;
const WORKSPACES = [
  { id: "own", name: "Each member has its own" },
  { id: "shared", name: "One folder for all" },
] as const;
const YOU = "";

interface BoardDialogProps {
  /** Null for a new one. */
  board?: Board;
  /** Starts with the triage team. */
  template?: boolean;
  onClose: () => void;
  onMade?: (id: string) => void;
}

const BoardForm = z.object({
  name: z.string(),
  goal: z.string(),
  /** Empty: the board's creator leads. */
  lead: z.string(),
  members: z.array(z.string()),
  review: CreateBoardBody.shape.review.unwrap(),
  workspace: CreateBoardBody.shape.workspace.unwrap(),
  max_parallel: z.string(),
  budget: z.object({ usd: z.string(), tokens: z.number().nullable() }),
});
type BoardForm = z.input<typeof BoardForm>;

function changeOf({ name, goal, members, review, max_parallel, budget }: BoardForm) {
  return {
    ...{ name, goal, members, review },
    max_parallel: Number(max_parallel),
    budget: { usd: readAmount(budget.usd), tokens: budget.tokens },
  };
}

const NewBoard = formSchema(
  BoardForm,
  (form) => ({ ...changeOf(form), workspace: form.workspace, lead: form.lead === YOU ? null : form.lead }),
  CreateBoardBody,
);
const ChangedBoard = formSchema(BoardForm, changeOf, UpdateBoardBody);

const EMPTY: BoardForm = {
  name: "",
  goal: "",
  lead: YOU,
  members: [],
  review: "none",
  workspace: "own",
  max_parallel: "3",
  budget: { usd: "", tokens: null },
};

function formOf({ name, goal, lead, members, review, workspace, max_parallel, budget }: Board): BoardForm {
  return {
    ...{ name, goal, members, review, workspace },
    lead: lead ?? YOU,
    max_parallel: String(max_parallel),
    budget: { usd: String(budget.usd ?? ""), tokens: budget.tokens },
  };
}

/** Creates a board with its team, or changes one: its lead and its files can't be changed. */
export function BoardDialog({ board, template = false, onClose, onMade }: BoardDialogProps) {
  const { viewer } = useShell();
  const agents = useQuery(agentListQuery);
  const missing = template && agents.data ? triageAgents(agents.data.map(({ id }) => id)) : [];
  const form = useForm({
    subject: `board ${board?.id ?? (template ? "triage" : "new")}`,
    schema: board ? ChangedBoard : NewBoard,
    initial: board ? formOf(board) : template ? { ...EMPTY, ...TRIAGE_TEAM, members: [...TRIAGE_TEAM.members] } : EMPTY,
    save: async (body: CreateBoardBody | UpdateBoardBody) => {
      for (const agent of missing) await agent.create();
      return "lead" in body ? createBoard(body) : updateBoard(board?.id ?? "", body);
    },
    invalidates: [BOARDS_KEY, ...(missing.length > 0 ? [AGENTS_KEY] : [])],
    onSaved: (made) => {
      onClose();
      onMade?.(made.id);
    },
  });
  const known = [
    ...(agents.data ?? []).map(({ id, name }) => ({ id, name, hint: id })),
    ...missing.map(({ id, name }) => ({ id, name, hint: "made with the board" })),
  ];
  return (
    <FormDialog
      form={form}
      title={board ? board.name : "New board"}
      size="lg"
      submitLabel={board ? "Save board" : "Create board"}
      isValid={missing.length === 0 || viewer.scopes.includes("admin")}
      onClose={onClose}
    >
      <MissingAgents ids={missing.map(({ id }) => id)} mayMake={viewer.scopes.includes("admin")} />
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <Field of={form} name="name" label="Name" autoFocus />
          <Field
            of={form}
            name="goal"
            label="Goal"
            rows={5}
            description="What the team should achieve. The lead reads it."
          />
          <SelectField
            of={form}
            name="lead"
            label="Lead"
            options={[
              { id: YOU, name: "You", description: "You write the cards" },
              ...known.map(({ id, name }) => ({ id, name, description: id })),
            ]}
            isDisabled={board !== undefined}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <CheckListField of={form} name="members" label="Members" options={known} empty="There are no agents yet." />
          <SelectField of={form} name="review" label="Review" options={REVIEWS} />
          <SelectField of={form} name="workspace" label="Files" options={WORKSPACES} isDisabled={board !== undefined} />
          <div className="grid grid-cols-2 gap-3">
            <Field of={form} name="max_parallel" label="At once" />
            <Field of={form} name="budget.usd" label="Budget in US dollars" placeholder="none" />
          </div>
        </div>
      </div>
    </FormDialog>
  );
}

function MissingAgents({ ids, mayMake }: { ids: readonly string[]; mayMake: boolean }) {
  if (ids.length === 0) return null;
  const names = ids.join(" and ");
  return (
    <p className="rounded-md bg-default px-2.5 py-1.5 text-sm">
      {mayMake ? `This also creates the agents ${names}.` : `Ask an administrator to create the agents ${names} first.`}
    </p>
  );
}
