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
  { id: "other_member", name: "Another member than its author" },
  { id: "person", name: "You" },
] as const;
const WORKSPACES = [
  { id: "own", name: "Each member its own" },
  { id: "shared", name: "One folder for all" },
] as const;
const YOU = "";

interface BoardDialogProps {
  /** Null for a new one. */
  board?: Board;
  /** Begins with the triage team. */
  template?: boolean;
  onClose: () => void;
  onMade?: (id: string) => void;
}

/** Makes a board with its team, or changes one: its lead and its files stay as they were made. */
export function BoardDialog({ board, template = false, onClose, onMade }: BoardDialogProps) {
  const queryClient = useQueryClient();
  const { viewer } = useShell();
  const agents = useQuery(agentListQuery);
  const start = template ? TRIAGE_TEAM : { name: "", goal: "", lead: YOU, members: [], review: "none" };
  const [name, setName] = useState(board?.name ?? start.name);
  const [goal, setGoal] = useState(board?.goal ?? start.goal);
  const [lead, setLead] = useState(board?.lead ?? start.lead);
  const [members, setMembers] = useState<readonly string[]>(board?.members ?? start.members);
  const [review, setReview] = useState<string>(board?.review ?? start.review);
  const [workspace, setWorkspace] = useState<string>(board?.workspace ?? "own");
  const [parallel, setParallel] = useState(String(board?.max_parallel ?? 3));
  const [usd, setUsd] = useState(String(board?.budget.usd ?? ""));
  const [isChecked, setChecked] = useState(false);
  const missing = template && agents.data ? triageAgents(agents.data.map(({ id }) => id)) : [];
  const mayMake = viewer.scopes.includes("admin");
  const own: Record<string, string> = {};
  if (name.trim() === "") own.name = "Give it a name.";
  if (members.length === 0) own.members = "Choose at least one agent.";
  if (review === "other_member" && members.length === 1) own.members = "Reviews by another member need two members.";
  if (!/^\d+$/.test(parallel.trim()) || Number(parallel) < 1) own.max_parallel = "Write a number, such as 3.";
  if (Number.isNaN(readAmount(usd))) own.budget = "Write a number, such as 5.";
  const fields = {
    ...{ name: name.trim(), goal, members: [...members], max_parallel: Number(parallel) },
    review: REVIEWS.find(({ id }) => id === review)?.id ?? "none",
    budget: { usd: readAmount(usd), tokens: board?.budget.tokens ?? null },
  };
  const save = useMutation({
    mutationFn: async () => {
      for (const agent of missing) await agent.create();
      if (board) return updateBoard(board.id, fields);
      const kind = workspace === "shared" ? ("shared" as const) : ("own" as const);
      return createBoard({ ...fields, lead: lead === YOU ? null : lead, workspace: kind });
    },
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: BOARDS_KEY });
      if (missing.length > 0) void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      onClose();
      onMade?.(made.id);
    },
  });
  const refused = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const problem = (field: string) => {
    const message = refused.get(field) ?? (isChecked ? own[field] : undefined);
    return { isInvalid: message !== undefined, errorMessage: message };
  };
  const known = (agents.data ?? []).map(({ id, name: title }) => ({ id, name: title, hint: id }));
  const options = [
    ...known,
    ...missing.map(({ id, name: title }) => ({ id, name: title, hint: "made with the board" })),
  ];
  return (
    <FormDialog
      title={board ? board.name : "New board"}
      size="lg"
      submitLabel={board ? "Save board" : "Create board"}
      isPending={save.isPending}
      isValid={missing.length === 0 || mayMake}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={() => {
        setChecked(true);
        if (Object.keys(own).length === 0) save.mutate();
      }}
      onClose={onClose}
    >
      {missing.length === 0 ? null : (
        <p className="rounded-md bg-default px-2.5 py-1.5 text-sm">
          {mayMake
            ? `This makes the agents ${missing.map(({ id }) => id).join(" and ")} too.`
            : `Ask an administrator to make the agents ${missing.map(({ id }) => id).join(" and ")} first.`}
        </p>
      )}
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <TextField label="Name" value={name} onChange={setName} autoFocus {...problem("name")} />
          <TextField
            label="Goal"
            rows={5}
            value={goal}
            onChange={setGoal}
            description="What the team is to achieve. Its lead reads it."
            {...problem("goal")}
          />
          <Select
            label="Lead"
            options={[
              { id: YOU, name: "You", description: "You write the cards" },
              ...known.map(({ id, name: title }) => ({ id, name: title, description: id })),
              ...missing.map(({ id, name: title }) => ({ id, name: title, description: id })),
            ]}
            value={lead}
            onChange={setLead}
            isDisabled={board !== undefined}
            {...problem("lead")}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <CheckList
            label="Members"
            options={options}
            value={members}
            onChange={setMembers}
            empty="There are no agents yet."
            {...(problem("members").errorMessage === undefined
              ? {}
              : { errorMessage: problem("members").errorMessage ?? "" })}
          />
          <Select label="Review" options={REVIEWS} value={review} onChange={setReview} {...problem("review")} />
          <Select
            label="Files"
            options={WORKSPACES}
            value={workspace}
            onChange={setWorkspace}
            isDisabled={board !== undefined}
          />
          <div className="grid grid-cols-2 gap-3">
            <TextField label="At once" value={parallel} onChange={setParallel} {...problem("max_parallel")} />
            <TextField
              label="Budget in US dollars"
              value={usd}
              onChange={setUsd}
              placeholder="none"
              {...problem("budget")}
            />
          </div>
        </div>
      </div>
    </FormDialog>
  );
}
