"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { Time, TimeLeft } from "@/components/ui/time";
import { useFocusKeeper } from "@/lib/client/ui/input/use-focus-keeper";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { useAction } from "@/lib/client/ui/use-action";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import { apiKeysQuery, revokeApiKey } from "@/lib/client/users/user-queries";
import type { ApiKey } from "@/lib/schema/users/api-key";
import type { Scope } from "@/lib/schema/users/user";
import { AddKeyDialog } from "./add-key-dialog";

const COLUMNS = [
  { id: "name", label: "Name", className: "w-full" },
  { id: "key", label: "Key" },
  { id: "scopes", label: "May", className: "max-md:hidden" },
  { id: "used", label: "Last used", align: "right", className: "max-md:hidden" },
  { id: "expires", label: "Expires", align: "right", className: "max-sm:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

const PAGE_KEYS = [
  { keys: "c", does: "Create key" },
  { keys: "j k", does: "Next and previous key" },
] as const;

/** `scopes` are those that the viewer may pass on. */
export function KeysPage({ scopes }: { scopes: readonly Scope[] }) {
  const keys = useInfiniteQuery(apiKeysQuery);
  const [isAdding, setAdding] = useState(false);
  const list = useFocusKeeper<HTMLDivElement>();
  usePageKeys(PAGE_KEYS);
  useRowKeys(list, { others: { c: () => setAdding(true) } });
  const addButton = useRef<HTMLButtonElement>(null);
  // The dialog that shows the key has replaced the form and does not know what opened it.
  const closeDialog = () => {
    flushSync(() => setAdding(false));
    addButton.current?.focus();
  };
  return (
    <Page>
      <PageHead
        title="API keys"
        actions={
          <Button ref={addButton} variant="primary" onPress={() => setAdding(true)}>
            <Plus aria-hidden />
            Create key
          </Button>
        }
      />
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-auto outline-none">
        <QueryState what="keys" query={keys}>
          {(found) => (found.length === 0 ? <NoKeys onAdd={() => setAdding(true)} /> : <KeyTable keys={found} />)}
        </QueryState>
        <ShowMore query={keys} className="p-4" />
      </div>
      {isAdding ? <AddKeyDialog scopes={scopes} onClose={closeDialog} /> : null}
    </Page>
  );
}

function NoKeys({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No keys" actions={<Button onPress={onAdd}>Create key</Button>}>
      A program that talks to agents signs in with a key instead of a password.
    </EmptyState>
  );
}

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useAction({
    mutationFn: revokeApiKey,
    invalidates: [apiKeysQuery.queryKey],
  });
  return (
    <>
      <Table label="API keys">
        <TableHead columns={COLUMNS} />
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        title={`Revoke ${revoking?.name ?? "key"}?`}
        confirmLabel="Revoke key"
        isOpen={revoking !== null}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
        onClose={() => setRevoking(null)}
      >
        Programs that use it will be refused from now on. This can't be undone.
      </ConfirmDialog>
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const isRevoked = apiKey.revokedAt !== null;
  return (
    <TableRow>
      <TableCell className={isRevoked ? "text-muted" : "font-medium"}>
        {apiKey.name}
        {isRevoked ? <Tag className="ml-2">revoked</Tag> : null}
      </TableCell>
      <TableCell className="font-mono text-xs text-muted">{apiKey.prefix}…</TableCell>
      <TableCell className="max-md:hidden">
        <span className="flex gap-1">
          {apiKey.scopes.map((scope) => (
            <Tag key={scope}>{scope}</Tag>
          ))}
          <KeyReach apiKey={apiKey} />
        </span>
      </TableCell>
      <TableCell align="right" className="text-muted max-md:hidden">
        {apiKey.lastUsedAt === null ? "never" : <Time at={apiKey.lastUsedAt} />}
      </TableCell>
      <TableCell align="right" className="text-muted max-sm:hidden">
        <Expiry at={apiKey.expiresAt} />
      </TableCell>
      <TableCell align="right">
        {isRevoked ? null : (
          <Button variant="danger-ghost" onPress={onRevoke}>
            Revoke
          </Button>
        )}
      </TableCell>
    </TableRow>
  );
}

/** The agents it is limited to; nothing if it may use all that its owner may. */
function KeyReach({ apiKey: { agents, groupId } }: { apiKey: ApiKey }) {
  if (agents?.length) {
    return <Tag title={agents.join(", ")}>{agents.length === 1 ? agents[0] : `${agents.length} agents`}</Tag>;
  }
  return groupId === null ? null : <Tag title="It may use the agents of one group.">one group</Tag>;
}

function Expiry({ at }: { at: string | null }) {
  const now = useHalfMinute();
  if (at === null) return "never";
  if (now !== null && Date.parse(at) <= now) return <Tag>expired</Tag>;
  return (
    <>
      in <TimeLeft until={at} />
    </>
  );
}
