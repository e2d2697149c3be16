"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import Link from "next/link";
import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { type RefObject, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { Segments } from "@/components/ui/controls/segments";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { holdForUndo } from "@/lib/client/ui/hold-for-undo";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { deleteDelivery, resendDelivery, sendingsQuery, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import type { Delivery } from "@/lib/schema/triggers/delivery";
import type { OutgoingWebhook } from "@/lib/schema/webhooks/webhook";
import { Attempts } from "./attempts";

const STATES = {
  sent: { status: "completed", word: "Sent" },
  pending: { status: "running", word: "On its way" },
  failed: { status: "failed", word: "Dead letter" },
  uncertain: { status: "interrupted", word: "Uncertain" },
} as const;
const MOST_ATTEMPTS = 7;

const VIEWS = [
  { id: "all", name: "All" },
  { id: "pending", name: "On its way" },
  { id: "failed", name: "Dead letters" },
] as const;
const VIEW_IDS = VIEWS.map(({ id }) => id);
type View = (typeof VIEWS)[number]["id"];

const ANY_EVENT = "any";

/** An address's deliveries, newest first; limited to one state and event if the viewer chooses so. */
export function DeliveryLog({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, events, pending, failed } = webhook;
  const [view, setView] = useQueryState("state", parseAsStringLiteral(VIEW_IDS).withDefault("all"));
  const [event, setEvent] = useQueryState("event", parseAsString.withDefault(ANY_EVENT));
  const [isAsking, setAsking] = useState(false);
  const query = useQuery(
    sendingsQuery(id, { ...(view === "all" ? {} : { state: view }), ...(event === ANY_EVENT ? {} : { event }) }),
  );
  const { resend, remove, removedIds, resendSoon, removeSoon } = useActions();
  const dead = (query.data ?? []).filter(({ state }) => state === "failed").map((delivery) => delivery.id);
  const many = dead.length === 1 ? "1 dead letter" : `${dead.length} dead letters`;
  const counts: Readonly<Record<View, number | undefined>> = { all: undefined, pending, failed };
  return (
    <section aria-label="Deliveries">
      <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-separator px-4 py-1.5">
        <h3 className="text-sm font-semibold">Deliveries</h3>
        <Segments
          label="State of the deliveries"
          options={VIEWS.map(({ id: view, name }) => {
            const count = counts[view];
            return count ? { id: view, name, count } : { id: view, name };
          })}
          value={view}
          onChange={(chosen) => void setView(VIEWS.find((one) => one.id === chosen)?.id ?? "all")}
        />
        <span className="ml-auto" />
        <LazySelect
          label="Event"
          options={[{ id: ANY_EVENT, name: "All events" }, ...events.map((type) => ({ id: type, name: type }))]}
          value={event}
          onChange={(chosen) => void setEvent(chosen)}
        />
        {dead.length > 0 ? (
          <Button isPending={resend.isPending} onPress={() => setAsking(true)}>
            <RotateCw aria-hidden />
            Resend {many}
          </Button>
        ) : null}
      </div>
      <QueryState what="deliveries" query={query}>
        {(all) => {
          const deliveries = all.filter((delivery) => !removedIds.has(delivery.id));
          return deliveries.length === 0 ? (
            <Nothing isFiltered={view !== "all" || event !== ANY_EVENT} />
          ) : (
            <Rows
              deliveries={deliveries}
              onResend={resendSoon}
              onDelete={({ id: deliveryId, state }) =>
                state === "pending" ? remove.mutate(deliveryId) : removeSoon(deliveryId)
              }
            />
          );
        }}
      </QueryState>
      <ConfirmDialog
        title={`Send ${dead.length} again, oldest first?`}
        confirmLabel="Resend"
        isDanger={false}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          resend.mutate(dead.toReversed());
        }}
      >
        Each keeps its webhook-id, so the receiver can recognise one that it has already seen.
      </ConfirmDialog>
    </section>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No delivery matches">Choose another state or event.</EmptyState>;
  return <EmptyState title="Nothing sent yet">Send a test above.</EmptyState>;
}

/** One delivery is sent or deleted a moment later, so that Undo can keep it from that; many are asked about before. */
function useActions() {
  const queryClient = useQueryClient();
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set());
  const shared = {
    onError: (error: Error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  } as const;
  const resend = useMutation({
    ...shared,
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await resendDelivery(id);
    },
    onSuccess: () => showToast({ title: "Being sent again" }),
  });
  const remove = useMutation({
    ...shared,
    mutationFn: deleteDelivery,
    onSuccess: (_, id) => (removedIds.has(id) ? undefined : void showToast({ title: "Delivery deleted" })),
  });
  const resendSoon = (id: string) => holdForUndo({ title: "Sending it again …", run: () => resend.mutate([id]) });
  const removeSoon = (id: string) => {
    setRemovedIds((now) => new Set([...now, id]));
    const bringBack = () => setRemovedIds((now) => new Set([...now].filter((one) => one !== id)));
    holdForUndo({
      title: "Delivery deleted",
      run: () => remove.mutate(id, { onError: bringBack }),
      onUndo: bringBack,
    });
  };
  return { resend, remove, removedIds, resendSoon, removeSoon };
}

interface RowsProps {
  deliveries: readonly Delivery[];
  onResend: (id: string) => void;
  onDelete: (delivery: Delivery) => void;
}

function Rows({ deliveries, onResend, onDelete }: RowsProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [asked, setAsked] = useState<Delivery | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useDeliveryKeys(list, onResend);
  return (
    <>
      <ul ref={list}>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            isOpen={delivery.id === openId}
            onToggle={() => setOpenId(delivery.id === openId ? null : delivery.id)}
            onResend={() => onResend(delivery.id)}
            onDelete={() => (delivery.state === "pending" ? setAsked(delivery) : onDelete(delivery))}
          />
        ))}
      </ul>
      <ConfirmDialog
        title="Delete this delivery?"
        confirmLabel="Delete delivery"
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) onDelete(asked);
          setAsked(null);
        }}
      >
        It is still pending and will not be sent. Its attempts are deleted too.
      </ConfirmDialog>
    </>
  );
}

/** r resends the focused delivery; Enter is the button's own. */
function useDeliveryKeys(list: RefObject<HTMLUListElement | null>, onResend: (id: string) => void) {
  const resend = () => {
    const row = document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-delivery]");
    if (row?.dataset.delivery !== undefined) onResend(row.dataset.delivery);
  };
  useRowKeys(list, { row: "li", control: "[data-delivery]", others: { r: resend } });
}

interface RowProps {
  delivery: Delivery;
  isOpen: boolean;
  onToggle: () => void;
  onResend: () => void;
  onDelete: () => void;
}

function Row({ delivery, isOpen, onToggle, onResend, onDelete }: RowProps) {
  const { state, event, runId, attempts, nextAt, error, createdAt } = delivery;
  const { status, word } = STATES[state];
  return (
    <li className="border-b border-separator">
      <button
        type="button"
        aria-expanded={isOpen}
        data-delivery={delivery.id}
        onClick={onToggle}
        className="flex min-h-[34px] w-full flex-wrap items-center gap-x-3 px-4 py-1 text-left text-sm touch-row hover:bg-default"
      >
        <span className="w-28 shrink-0">
          <StateChip status={status} word={word} />
        </span>
        <span className="min-w-0 flex-1 truncate">
          <span className="font-mono text-xs">{event ?? "schedule.result"}</span>
          {runId === "" ? " test" : ""}
          {error === null ? null : <span className="ml-2 text-xs text-muted">{error}</span>}
        </span>
        <span className="text-xs text-muted tabular-nums max-md:hidden">
          {attempts} of {MOST_ATTEMPTS}
          {state === "pending" && nextAt !== null && attempts > 0 ? (
            <>
              , next <Time at={nextAt} isInSentence />
            </>
          ) : null}
        </span>
        <Time at={createdAt} className="text-xs text-muted" />
      </button>
      {isOpen ? (
        <div className="bg-background px-4 pb-3">
          <Attempts deliveryId={delivery.id} />
          <div className="mt-2 flex items-center gap-3">
            <Button onPress={onResend}>
              <RotateCw aria-hidden />
              Resend
            </Button>
            {runId === "" ? null : (
              <Link href={`/traces/${encodeURIComponent(runId)}`} className="text-sm hover:underline">
                Open trace
              </Link>
            )}
            <Button variant="danger-ghost" className="ml-auto" onPress={onDelete}>
              Delete
            </Button>
          </div>
        </div>
      ) : null}
    </li>
  );
}
