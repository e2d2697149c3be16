"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { AutomationHead } from "@/components/automations/automation-head";
import { Page } from "@/components/shell/page";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { HEARTBEAT_LABELS, heartbeatSign } from "@/lib/client/heartbeats/heartbeat-labels";
import {
  createHeartbeat,
  deleteHeartbeat,
  heartbeatsQuery,
  runHeartbeatNow,
  updateHeartbeat,
} from "@/lib/client/heartbeats/heartbeat-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Heartbeat, HeartbeatRun } from "@/lib/schema/triggers/heartbeat";
import { Checks, type HeartbeatActions, HeartbeatCard, OfferedCard } from "./heartbeat-card";
import { HeartbeatPanel } from "./heartbeat-panel";

const AddHeartbeatDialog = dynamic(
  async () => (await loadWithRetry(() => import("./heartbeat-dialog"))).AddHeartbeatDialog,
  {
    loading: () => null,
  },
);

const EditHeartbeatDialog = dynamic(
  async () => (await loadWithRetry(() => import("./heartbeat-dialog"))).EditHeartbeatDialog,
  {
    loading: () => null,
  },
);

const PAGE_KEYS = [
  { keys: "c", does: "Add heartbeat" },
  { keys: "j k", does: "Next and previous heartbeat" },
  { keys: "Enter", does: "Open the heartbeat" },
  { keys: "b", does: "Beat now" },
  { keys: "p", does: "Turn off or on" },
  { keys: "← →", does: "Beats, in the strip" },
] as const;

/** The actions of a card; every outcome is shown, and the list is refetched. */
function useHeartbeatActions(edit: (heartbeat: Heartbeat) => void, askToDelete: (heartbeat: Heartbeat) => void) {
  const [said, setSaid] = useState("");
  const attempt = useAction({
    mutationFn: ({ work }: { work: () => Promise<string>; isSeen?: boolean }) => work(),
    onSuccess: (done, { isSeen = false }) => (isSeen ? setSaid(done) : void showToast({ title: done })),
    invalidates: [heartbeatsQuery.queryKey],
  });
  const actions: HeartbeatActions = {
    onEdit: edit,
    onDelete: askToDelete,
    onRunNow: ({ id }) => attempt.mutate({ work: async () => heartbeatSentence(await runHeartbeatNow(id)) }),
    onToggle: ({ id, agentName, enabled }) =>
      attempt.mutate({
        work: async () => {
          await updateHeartbeat(id, { enabled: !enabled });
          return enabled ? `Turned off ${agentName}` : `Turned on ${agentName}`;
        },
        isSeen: true,
      }),
  };
  const remove = ({ id, agentName }: Heartbeat) =>
    attempt.mutate({
      work: async () => {
        await deleteHeartbeat(id);
        return `Deleted the heartbeat of ${agentName}`;
      },
    });
  return { actions, remove, said };
}

/** A beat that ended before a model call reports why at once. */
function heartbeatSentence(beat: HeartbeatRun): string {
  const sign = heartbeatSign(beat);
  if (sign === "none") return beat.reason ?? "No model call.";
  return sign === "running" ? "Beating now" : `The beat: ${HEARTBEAT_LABELS[sign]}`;
}

interface Keys {
  readonly open: Heartbeat | undefined;
  readonly isMine: boolean;
  readonly actions: HeartbeatActions;
  readonly onNew: () => void;
}

function useHeartbeatKeys({ open, isMine, actions, onNew }: Keys) {
  const list = useRef<HTMLDivElement>(null);
  const withOpen = (act: (heartbeat: Heartbeat) => void) => {
    if (open !== undefined && isMine) act(open);
  };
  usePageKeys(PAGE_KEYS);
  const others = { c: onNew, b: () => withOpen(actions.onRunNow), p: () => withOpen(actions.onToggle) };
  useRowKeys(list, { row: "article", control: "[data-heartbeat]", others });
  return list;
}

/** Agents that look after things, with proof that each is cheap and quiet. */
export function HeartbeatsPage() {
  const { viewer } = useShell();
  const query = useQuery(heartbeatsQuery);
  const [openId, setOpenId] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Heartbeat | null>(null);
  const [deleted, setDeleted] = useState<Heartbeat | null>(null);
  const mayChange = viewer.scopes.includes("chat");
  const all = query.data?.heartbeats ?? [];
  const offered = mayChange ? (query.data?.offered ?? []) : [];
  // The viewer's own come first if others' are listed too.
  const sorted = [...all].sort((left, right) => order(left, viewer.id) - order(right, viewer.id));
  const open = sorted.find(({ id }) => id === openId) ?? (openId === "" ? undefined : sorted[0]);
  const isMine = (heartbeat: Heartbeat) => mayChange && heartbeat.ownerId === viewer.id;
  const { actions, remove, said } = useHeartbeatActions(setEdited, setDeleted);
  const list = useHeartbeatKeys({
    open,
    actions,
    isMine: open !== undefined && isMine(open),
    onNew: () => mayChange && setAdding(true),
  });
  const turnOn = useTurnOn(setOpenId);
  const add = mayChange ? (
    <Button variant="primary" onPress={() => setAdding(true)}>
      <Plus aria-hidden />
      Add heartbeat
    </Button>
  ) : null;
  return (
    <Page>
      <p role="status" className="sr-only">
        {said}
      </p>
      <AutomationHead
        current="heartbeats"
        count={query.data?.heartbeats.length}
        actions={all.length + offered.length === 0 ? null : add}
      />
      <QueryState
        what="heartbeats"
        query={query}
        unharmed="They keep running."
        isEmpty={() => all.length + offered.length === 0}
        empty={
          <EmptyState title="No heartbeats yet" actions={add}>
            A heartbeat wakes an agent from time to time. It costs nothing while there is nothing new, and tells you
            when there is.
          </EmptyState>
        }
      />
      {all.length + offered.length === 0 ? null : (
        <div className="flex min-h-0 flex-1 max-xl:block max-xl:overflow-y-auto">
          <div
            ref={list}
            className="min-w-0 flex-1 space-y-2 overflow-y-auto px-5 py-4 max-xl:overflow-visible max-sm:px-3"
          >
            {sorted.map((heartbeat) => (
              <div key={heartbeat.id}>
                <HeartbeatCard
                  heartbeat={heartbeat}
                  isOpen={heartbeat.id === open?.id}
                  onOpen={() => setOpenId(heartbeat.id === open?.id ? "" : heartbeat.id)}
                  isMine={isMine(heartbeat)}
                  actions={actions}
                />
                {heartbeat.id === open?.id ? <Checks heartbeat={heartbeat} isMine={isMine(heartbeat)} /> : null}
              </div>
            ))}
            {offered.map((one) => (
              <OfferedCard
                key={one.agentId}
                offered={one}
                isPending={turnOn.isPending && turnOn.variables === one.agentId}
                onTurnOn={() => turnOn.mutate(one.agentId)}
              />
            ))}
          </div>
          {open === undefined ? null : (
            <HeartbeatPanel heartbeat={open} isMine={isMine(open)} onEdit={() => setEdited(open)} />
          )}
        </div>
      )}
      {isAdding ? (
        <AddHeartbeatDialog
          offered={offered}
          taken={all.filter(({ ownerId }) => ownerId === viewer.id).map(({ agentId }) => agentId)}
          onAdded={({ id }) => setOpenId(id)}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {edited === null ? null : <EditHeartbeatDialog heartbeat={edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        title={`Delete the heartbeat of ${deleted?.agentName ?? ""}?`}
        confirmLabel="Delete heartbeat"
        isOpen={deleted !== null}
        onConfirm={() => deleted && remove(deleted)}
        onClose={() => setDeleted(null)}
      >
        It no longer looks after anything. Its thread, its runs and HEARTBEAT.md stay.
      </ConfirmDialog>
    </Page>
  );
}

function order({ ownerId, enabled }: Heartbeat, viewerId: string): number {
  return (ownerId === viewerId ? 0 : 2) + (enabled ? 0 : 1);
}

function useTurnOn(onOn: (id: string) => void) {
  return useAction({
    mutationFn: (agentId: string) => createHeartbeat({ agentId }),
    onSuccess: ({ id }) => onOn(id),
    invalidates: [heartbeatsQuery.queryKey],
  });
}
