"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { errorMessage } from "@/lib/client/http/api";
import { availableSkillsQuery } from "@/lib/client/skills/available-skills";

const COLUMNS = [
  { id: "name", label: "In your workspaces" },
  { id: "description", label: "What it is for", className: "w-full max-md:hidden" },
  { id: "agent", label: "Agent", align: "right" },
  { id: "path", label: "File", align: "right", className: "max-sm:hidden" },
] as const;

interface Row {
  readonly name: string;
  readonly text: string;
  readonly path: string;
  readonly agentId: string;
  readonly isInvalid: boolean;
}

/** Skills that agents find in the viewer's own files, and those they skip; nothing if there are none. */
export function WorkspaceSkills() {
  const { data, error, refetch } = useQuery(availableSkillsQuery());
  if (data === undefined && error !== null) {
    return (
      <div role="alert" className="flex items-center gap-3 p-4 text-sm text-muted">
        The skills in your workspaces could not be read: {errorMessage(error)}
        <Button onPress={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  const found = (data?.skills ?? []).filter(({ source }) => source === "workspace");
  const rows: Row[] = [
    ...found.map(({ name, description, path, agent_id: agentId }) => {
      return { name, text: description, path, agentId, isInvalid: false };
    }),
    ...(data?.invalid ?? []).map(({ path, problem, agent_id: agentId }) => {
      return { name: path.split("/").at(-2) ?? path, text: problem, path, agentId, isInvalid: true };
    }),
  ];
  if (rows.length === 0) return null;
  return (
    <Table label="Skills in your workspaces" className="mt-8">
      <TableHead columns={COLUMNS} />
      <tbody>
        {rows.map((row) => (
          <TableRow key={`${row.agentId} ${row.path}`}>
            <TableCell className="font-medium">
              {row.name}
              {row.isInvalid ? <Tag className="ml-2">invalid</Tag> : null}
            </TableCell>
            <TableCell className="max-w-0 truncate text-muted max-md:hidden">{row.text}</TableCell>
            <TableCell align="right" className="font-mono text-2xs text-muted">
              {row.agentId}
            </TableCell>
            <TableCell align="right" className="font-mono text-2xs text-muted max-sm:hidden">
              {row.path}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
