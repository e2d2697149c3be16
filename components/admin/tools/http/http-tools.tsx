"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Pencil, Play, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { errorMessage } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { deleteHttpTool, httpToolsQuery } from "@/lib/client/tools/tool-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import type { RegisteredTool } from "@/lib/schema/tools/http-tool";

const HttpToolDialog = dynamic(() => import("./http-tool-dialog").then((module) => module.HttpToolDialog), {
  loading: () => null,
});
const TestHttpToolDialog = dynamic(
  () => import("./test-http-tool-dialog").then((module) => module.TestHttpToolDialog),
  { loading: () => null },
);

const COLUMNS = [
  { id: "name", label: "Tool" },
  { id: "description", label: "What it does", className: "w-full max-md:hidden" },
  { id: "url", label: "URL", className: "max-lg:hidden" },
  { id: "signed", label: "Signed", className: "max-sm:hidden" },
  { id: "reads", label: "Declared as", className: "max-md:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

type Open =
  | { readonly dialog: "edit"; readonly tool?: RegisteredTool }
  | { readonly dialog: "test" | "delete"; readonly tool: RegisteredTool };

/** Tools behind somebody else's address: registered, signed, tested. */
export function HttpTools() {
  const tools = useQuery(httpToolsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const remove = useRemoval();
  const add = (
    <Button variant="primary" onPress={() => setOpen({ dialog: "edit" })}>
      <Plus aria-hidden />
      New HTTP tool
    </Button>
  );
  return (
    <>
      <QueryState what="HTTP tools" query={tools}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title="No HTTP tools" actions={add}>
              An HTTP tool posts its arguments to your URL and returns the answer. Agents name it in their tools.
            </EmptyState>
          ) : (
            <>
              <div className="flex justify-end px-4 py-2">{add}</div>
              <Table label="HTTP tools">
                <TableHead columns={COLUMNS} />
                <tbody>
                  {found.map((tool) => (
                    <ToolRow key={tool.name} tool={tool} onOpen={setOpen} />
                  ))}
                </tbody>
              </Table>
            </>
          )
        }
      </QueryState>
      {open?.dialog === "edit" ? <HttpToolDialog tool={open.tool} onClose={close} /> : null}
      {open?.dialog === "test" ? <TestHttpToolDialog tool={open.tool} onClose={close} /> : null}
      <ConfirmDialog
        title={`Delete ${open?.tool?.name ?? ""}?`}
        confirmLabel="Delete tool"
        isOpen={open?.dialog === "delete"}
        onClose={close}
        onConfirm={() => open?.tool && remove.mutate(open.tool.name)}
      >
        Agents that name it no longer have it.
      </ConfirmDialog>
    </>
  );
}

function useRemoval() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteHttpTool,
    onSuccess: (_, name) => showToast({ title: `Deleted ${name}` }),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: TOOLS_KEY }),
  });
}

function ToolRow({ tool, onOpen }: { tool: RegisteredTool; onOpen: (open: Open) => void }) {
  const { name, description, callback_url: url, signed, read_only: readOnly } = tool;
  const label = `Actions for ${name}`;
  return (
    <TableRow>
      <TableCell className="max-md:w-full max-md:max-w-0 max-md:py-1.5">
        <span className="font-mono text-xs font-medium">{name}</span>
        <span className="block truncate text-xs text-muted md:hidden">{description}</span>
      </TableCell>
      <TableCell className="max-w-0 truncate text-muted max-md:hidden">{description}</TableCell>
      <TableCell className="max-w-64 truncate font-mono text-xs text-muted max-lg:hidden">{url}</TableCell>
      <TableCell className="text-muted max-sm:hidden">{signed ? "yes" : "no"}</TableCell>
      <TableCell className="text-muted max-md:hidden">{readOnly ? "reads" : "writes"}</TableCell>
      <TableCell align="right">
        <Menu
          label={label}
          trigger={
            <IconButton label={label}>
              <Ellipsis />
            </IconButton>
          }
          actions={[
            {
              id: "test",
              label: "Test call",
              icon: <Play aria-hidden />,
              onAction: () => onOpen({ dialog: "test", tool }),
            },
            {
              id: "edit",
              label: "Edit",
              icon: <Pencil aria-hidden />,
              onAction: () => onOpen({ dialog: "edit", tool }),
            },
            {
              id: "delete",
              label: "Delete",
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              onAction: () => onOpen({ dialog: "delete", tool }),
            },
          ]}
        />
      </TableCell>
    </TableRow>
  );
}
