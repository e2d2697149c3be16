"use client";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, FileJson, LayoutGrid, Pencil, Play, Plus, Trash2, Webhook } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog, Dialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import type { RequestForm } from "@/lib/client/tools/request-tool-form";
import type { GalleryEntry } from "@/lib/client/tools/tool-gallery";
import { deleteHttpTool, httpToolsQuery } from "@/lib/client/tools/tool-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { CallbackTool, HttpTool } from "@/lib/schema/tools/http-tool";
import type { RequestTool } from "@/lib/schema/tools/request-tool";
import { ToolGallery } from "./tool-gallery";

const loading = () => null;
const HttpToolDialog = dynamic(async () => (await loadWithRetry(() => import("./http-tool-dialog"))).HttpToolDialog, {
  loading,
});
const RequestToolDialog = dynamic(
  async () => (await loadWithRetry(() => import("./request-tool-dialog"))).RequestToolDialog,
  {
    loading,
  },
);
const ImportOpenApiDialog = dynamic(
  async () => (await loadWithRetry(() => import("./import-openapi-dialog"))).ImportOpenApiDialog,
  { loading },
);
const GalleryServerDialog = dynamic(
  async () => (await loadWithRetry(() => import("./tool-gallery"))).GalleryServerDialog,
  {
    loading,
  },
);
const TestHttpToolDialog = dynamic(
  async () => (await loadWithRetry(() => import("./test-http-tool-dialog"))).TestHttpToolDialog,
  { loading },
);

const COLUMNS = [
  { id: "name", label: "Tool" },
  { id: "description", label: "What it does", className: "w-full max-md:hidden" },
  { id: "url", label: "URL", className: "max-lg:hidden" },
  { id: "secret", label: "Secret", className: "max-sm:hidden" },
  { id: "reads", label: "Declared as", className: "max-md:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

type Open =
  | { readonly dialog: "request"; readonly tool?: RequestTool; readonly initial?: RequestForm }
  | { readonly dialog: "callback"; readonly tool?: CallbackTool }
  | { readonly dialog: "import" | "gallery" }
  | { readonly dialog: "server"; readonly entry: Extract<GalleryEntry, { kind: "server" }> }
  | { readonly dialog: "test" | "delete"; readonly tool: HttpTool };

/** Tools behind other people's addresses: made by hand, from a document or from the gallery, and tested. */
export function HttpTools() {
  const tools = useQuery(httpToolsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const choose = (entry: GalleryEntry) =>
    setOpen(entry.kind === "request" ? { dialog: "request", initial: entry.form } : { dialog: "server", entry });
  return (
    <>
      <QueryState what="HTTP tools" query={tools}>
        {(found) =>
          found.length === 0 ? (
            <div className="overflow-y-auto">
              <EmptyState title="No HTTP tools" className="h-auto!" actions={<NewTool onOpen={setOpen} />}>
                An HTTP tool calls a service with the arguments and returns the answer. Agents name it in their tools.
              </EmptyState>
              <ToolGallery onChoose={choose} />
            </div>
          ) : (
            <>
              <div className="flex justify-end gap-2 px-4 py-2">
                <NewTool onOpen={setOpen} hasGallery />
              </div>
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
      <OpenDialog open={open} onChoose={choose} onClose={() => setOpen(null)} />
    </>
  );
}

function NewTool({ onOpen, hasGallery = false }: { onOpen: (open: Open) => void; hasGallery?: boolean }) {
  const label = "More ways to add a tool";
  return (
    <>
      <Button variant="primary" onPress={() => onOpen({ dialog: "request" })}>
        <Plus aria-hidden />
        New HTTP tool
      </Button>
      <Button onPress={() => onOpen({ dialog: "import" })}>
        <FileJson aria-hidden />
        Import OpenAPI
      </Button>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis />
          </IconButton>
        }
        actions={[
          ...(hasGallery
            ? [
                {
                  id: "gallery",
                  label: "From the gallery",
                  icon: <LayoutGrid aria-hidden />,
                  onAction: () => onOpen({ dialog: "gallery" }),
                },
              ]
            : []),
          {
            id: "callback",
            label: "New callback",
            icon: <Webhook aria-hidden />,
            onAction: () => onOpen({ dialog: "callback" }),
          },
        ]}
      />
    </>
  );
}

interface OpenDialogProps {
  open: Open | null;
  onChoose: (entry: GalleryEntry) => void;
  onClose: () => void;
}

function OpenDialog({ open, onChoose, onClose }: OpenDialogProps) {
  const remove = useRemoval();
  if (open === null) return null;
  switch (open.dialog) {
    case "request":
      return <RequestToolDialog tool={open.tool} initial={open.initial} onClose={onClose} />;
    case "callback":
      return <HttpToolDialog tool={open.tool} onClose={onClose} />;
    case "import":
      return <ImportOpenApiDialog onClose={onClose} />;
    case "server":
      return <GalleryServerDialog entry={open.entry} onClose={onClose} />;
    case "gallery":
      return (
        <Dialog title="From the gallery" isOpen onClose={onClose}>
          <ToolGallery onChoose={onChoose} />
        </Dialog>
      );
    case "test":
      return <TestHttpToolDialog tool={open.tool} onClose={onClose} />;
    case "delete":
      return (
        <ConfirmDialog
          title={`Delete ${open.tool.name}?`}
          confirmLabel="Delete tool"
          isOpen
          onClose={onClose}
          onConfirm={() => remove.mutate(open.tool.name)}
        >
          Agents that name it no longer have it.
        </ConfirmDialog>
      );
  }
}

function useRemoval() {
  return useAction({
    mutationFn: deleteHttpTool,
    onSuccess: (_, name) => showToast({ title: `Deleted ${name}` }),
    invalidates: [TOOLS_KEY],
  });
}

/** What the table shows of a tool of either kind. */
function summaryOf(tool: HttpTool) {
  return tool.kind === "callback"
    ? { address: tool.callback_url, hasSecret: tool.signed, readOnly: tool.read_only }
    : {
        address: `${tool.method} ${tool.url}`,
        hasSecret: tool.headers.some((header) => "secret" in header),
        readOnly: tool.readOnly,
      };
}

function ToolRow({ tool, onOpen }: { tool: HttpTool; onOpen: (open: Open) => void }) {
  const { name, description } = tool;
  const { address, hasSecret, readOnly } = summaryOf(tool);
  const label = `Actions for ${name}`;
  return (
    <TableRow>
      <TableCell className="max-md:w-full max-md:max-w-0 max-md:py-1.5">
        <span className="font-mono text-xs font-medium">{name}</span>
        <span className="block truncate text-xs text-muted md:hidden">{description}</span>
      </TableCell>
      <TableCell className="max-w-0 truncate text-muted max-md:hidden">{description}</TableCell>
      <TableCell className="max-w-64 truncate font-mono text-xs text-muted max-lg:hidden">{address}</TableCell>
      <TableCell className="text-muted max-sm:hidden">{hasSecret ? "yes" : "no"}</TableCell>
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
              onAction: () =>
                onOpen(tool.kind === "callback" ? { dialog: "callback", tool } : { dialog: "request", tool }),
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
