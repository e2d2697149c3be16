"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { createBoard, updateBoard } from "@/lib/client/boards/board-queries";
import { TRIAGE_TEAM, triageAgents } from "@/lib/client/boards/triage-team";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY, BOARDS_KEY } from "@/lib/client/http/query-keys";
import { readAmount } from "@/lib/client/usage/budget-text";
import type { Board } from "@/lib/schema/boards/board";

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

interface BoardForm {
  readonly name: string;
  readonly goal: string;
  readonly lead: string;
  readonly members: readonly string[];
  readonly review: string;
  readonly workspace: string;
  readonly parallel: string;
  readonly usd: string;
}

const EMPTY: BoardForm = {
  name: "",
  goal: "",
  lead: YOU,
  members: [],
  review: "none",
  workspace: "own",
  parallel: "3",
  usd: "",
};

function formOf(board: Board): BoardForm {
  const { name, goal, lead, members, review, workspace, max_parallel: parallel, budget } = board;
  const amounts = { parallel: String(parallel), usd: String(budget.usd ?? "") };
  return { name, goal, lead: lead ?? YOU, members, review, workspace, ...amounts };
}

function problemsOf({ name, members, review, parallel, usd }: BoardForm): Record<string, string> {
  const problems: Record<string, string> = {};
  if (name.trim() === "") problems.name = "Give it a name.";
  if (members.length === 0) problems.members = "Choose at least one agent.";
  if (review === "other_member" && members.length === 1) {
    problems.members = "Reviews by another member need two members.";
  }
  if (!/^\d+$/.test(parallel.trim()) || Number(parallel) < 1) problems.max_parallel = "Enter a number, such as 3.";
  if (Number.isNaN(readAmount(usd))) problems.budget = "Enter a number, such as 5.";
  return problems;
}

function fieldsOf({ name, goal, members, review, parallel, usd }: BoardForm, tokens: number | null) {
  return {
    name: name.trim(),
    goal,
    members: [...members],
    max_parallel: Number(parallel),
    review: REVIEWS.find(({ id }) => id === review)?.id ?? "none",
    budget: { usd: readAmount(usd), tokens },
  };
}

interface Made {
  readonly board: Board | undefined;
  readonly form: BoardForm;
  readonly missing: ReturnType<typeof triageAgents>;
}

async function saveBoard({ board, form, missing }: Made): Promise<Board> {
  for (const agent of missing) await agent.create();
  const fields = fieldsOf(form, board?.budget.tokens ?? null);
  if (board) return updateBoard(board.id, fields);
  const workspace = form.workspace === "shared" ? ("shared" as const) : ("own" as const);
  return createBoard({ ...fields, lead: form.lead === YOU ? null : form.lead, workspace });
}

/** Creates a board with its team, or changes one: its lead and its files can't be changed. */
export function BoardDialog({ board, template = false, onClose, onMade }: BoardDialogProps) {
  const queryClient = useQueryClient();
  const { viewer } = useShell();
  const agents = useQuery(agentListQuery);
  const [form, setForm] = useState(() => (board ? formOf(board) : template ? { ...EMPTY, ...TRIAGE_TEAM } : EMPTY));
  const [isChecked, setChecked] = useState(false);
  const set = (change: Partial<BoardForm>) => setForm((now) => ({ ...now, ...change }));
  const missing = template && agents.data ? triageAgents(agents.data.map(({ id }) => id)) : [];
  const own = problemsOf(form);
  const save = useMutation({
    mutationFn: () => saveBoard({ board, form, missing }),
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: BOARDS_KEY });
      if (missing.length > 0) void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      onClose();
      onMade?.(made.id);
    },
  });
  const refused = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const messageOf = (field: string) => refused.get(field) ?? (isChecked ? own[field] : undefined);
  const problem = (field: string) => {
    const message = messageOf(field);
    return { isInvalid: message !== undefined, errorMessage: message };
  };
  const known = [
    ...(agents.data ?? []).map(({ id, name }) => ({ id, name, hint: id })),
    ...missing.map(({ id, name }) => ({ id, name, hint: "made with the board" })),
  ];
  const members = messageOf("members");
  return (
    <FormDialog
      title={board ? board.name : "New board"}
      size="lg"
      submitLabel={board ? "Save board" : "Create board"}
      isPending={save.isPending}
      isValid={missing.length === 0 || viewer.scopes.includes("admin")}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={() => {
        setChecked(true);
        if (Object.keys(own).length === 0) save.mutate();
      }}
      onClose={onClose}
    >
      <MissingAgents ids={missing.map(({ id }) => id)} mayMake={viewer.scopes.includes("admin")} />
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <TextField label="Name" value={form.name} onChange={(name) => set({ name })} autoFocus {...problem("name")} />
          <TextField
            label="Goal"
            rows={5}
            value={form.goal}
            onChange={(goal) => set({ goal })}
            description="What the team should achieve. The lead reads it."
            {...problem("goal")}
          />
          <Select
            label="Lead"
            options={[
              { id: YOU, name: "You", description: "You write the cards" },
              ...known.map(({ id, name }) => ({ id, name, description: id })),
            ]}
            value={form.lead}
            onChange={(lead) => set({ lead })}
            isDisabled={board !== undefined}
            {...problem("lead")}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <CheckList
            label="Members"
            options={known}
            value={form.members}
            onChange={(ids) => set({ members: ids })}
            empty="There are no agents yet."
            {...(members === undefined ? {} : { errorMessage: members })}
          />
          <Select
            label="Review"
            options={REVIEWS}
            value={form.review}
            onChange={(review) => set({ review })}
            {...problem("review")}
          />
          <Select
            label="Files"
            options={WORKSPACES}
            value={form.workspace}
            onChange={(workspace) => set({ workspace })}
            isDisabled={board !== undefined}
          />
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="At once"
              value={form.parallel}
              onChange={(parallel) => set({ parallel })}
              {...problem("max_parallel")}
            />
            <TextField
              label="Budget in US dollars"
              value={form.usd}
              onChange={(usd) => set({ usd })}
              placeholder="none"
              {...problem("budget")}
            />
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
