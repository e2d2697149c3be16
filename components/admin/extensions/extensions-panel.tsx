"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { AgentLinks } from "@/components/admin/agents/agent-links";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Notice } from "@/components/ui/states/notice";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { extensionsQuery, reloadExtensions } from "@/lib/client/extensions/extension-queries";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { ExtensionInfo, ExtensionKind } from "@/lib/schema/extension";

const COLUMNS = [
  { id: "name", label: "Name", className: "w-full" },
  { id: "kind", label: "Kind" },
  { id: "file", label: "File", className: "max-md:hidden" },
  { id: "hash", label: "Version", className: "max-sm:hidden" },
  { id: "used", label: "Used by", className: "max-lg:hidden" },
] as const;

const KINDS: Readonly<Record<ExtensionKind, string>> = { hook: "Hook", tool: "Tool", section: "Prompt section" };

const NEW_EXTENSION = "ringmaster new extension my-first";

/** The hooks, tools and prompt sections of the data directory's extensions folder. */
export function ExtensionsPanel() {
  const extensions = useQuery(extensionsQuery);
  const reload = useReload();
  return (
    <QueryState what="extensions" query={extensions}>
      {(found) => (
        <>
          <div className="flex h-11 shrink-0 items-center border-b border-border px-4">
            <Button isPending={reload.isPending} onPress={() => reload.mutate()}>
              <RotateCw aria-hidden />
              Reload
            </Button>
          </div>
          {found.length === 0 ? <NoExtensions /> : <Found extensions={found} />}
        </>
      )}
    </QueryState>
  );
}

function useReload() {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: reloadExtensions,
    onSuccess: (extensions) => {
      queryClient.setQueryData(extensionsQuery.queryKey, extensions);
      void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      const failed = extensions.filter(({ error }) => error).length;
      if (failed === 0) showToast({ title: "Extensions loaded" });
      else showToast({ title: `${failed === 1 ? "1 file" : `${failed} files`} could not be loaded`, tone: "error" });
    },
  });
}

function NoExtensions() {
  return (
    <EmptyState
      title="No extensions"
      actions={
        <span className="inline-flex h-8 max-w-full items-center gap-1 rounded-md border border-border bg-code pr-1 pl-3 font-mono text-xs">
          <code className="truncate">{NEW_EXTENSION}</code>
          <CopyButton text={NEW_EXTENSION} label="Copy command" />
        </span>
      }
    >
      Your own hooks, tools and prompt sections live in the “extensions” folder of the data directory. To create the
      first one, run this command where Ringmaster is installed; in a clone it is{" "}
      <code className="font-mono text-xs">npm run new:extension my-first</code>.
    </EmptyState>
  );
}

function Found({ extensions }: { extensions: readonly ExtensionInfo[] }) {
  const failed = extensions.filter(({ error }) => error);
  const loaded = extensions.filter(({ error }) => !error);
  return (
    <>
      {failed.length > 0 ? (
        <div className="space-y-2 p-4">
          {failed.map((extension) => (
            <FailedExtension key={extension.file} extension={extension} />
          ))}
        </div>
      ) : null}
      {loaded.length > 0 ? <ExtensionTable extensions={loaded} /> : null}
    </>
  );
}

function FailedExtension({ extension: { file, error, agents } }: { extension: ExtensionInfo }) {
  return (
    <Notice status="failed" title={`${file} could not be loaded`}>
      <p className="font-mono text-xs wrap-anywhere">
        {error?.line ? `Line ${error.line}: ` : null}
        {error?.message}
      </p>
      {agents.length > 0 ? (
        <p className="mt-1">
          Runs of <AgentLinks agents={agents} /> fail until it is fixed and reloaded.
        </p>
      ) : null}
    </Notice>
  );
}

function ExtensionTable({ extensions }: { extensions: readonly ExtensionInfo[] }) {
  return (
    <Table label="Extensions">
      <TableHead columns={COLUMNS} />
      <tbody>
        {extensions.map((extension) => (
          <ExtensionRow key={`${extension.kind} ${extension.name}`} extension={extension} />
        ))}
      </tbody>
    </Table>
  );
}

function ExtensionRow({ extension: { name, kind, file, hash, agents } }: { extension: ExtensionInfo }) {
  return (
    <TableRow>
      <TableCell className="max-w-0 truncate font-medium max-md:py-1.5">
        {name}
        <span className="block truncate text-xs font-normal text-muted md:hidden">{file}</span>
      </TableCell>
      <TableCell className="text-muted">{kind ? KINDS[kind] : null}</TableCell>
      <TableCell className="font-mono text-xs text-muted max-md:hidden">{file}</TableCell>
      <TableCell className="font-mono text-xs text-muted max-sm:hidden">{hash}</TableCell>
      <TableCell className="max-lg:hidden">
        <AgentLinks agents={agents} />
      </TableCell>
    </TableRow>
  );
}
