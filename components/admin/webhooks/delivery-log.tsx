"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { QueryState } from "@/components/admin/query-state";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { resendDelivery, sendingsQuery, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import type { Delivery } from "@/lib/schema/triggers/delivery";
import { Attempts } from "./attempts";

const STATES = {
  sent: { status: "completed", word: "Sent" },
  pending: { status: "running", word: "On its way" },
  failed: { status: "failed", word: "Dead letter" },
  uncertain: { status: "interrupted", word: "Uncertain" },
} as const;
const MOST_ATTEMPTS = 7;

/** What was sent to an address, newest first. */
export function DeliveryLog({ id }: { id: string }) {
  const query = useQuery(sendingsQuery(id));
  return (
    <section aria-label="Deliveries">
      <QueryState what="deliveries" query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <EmptyState title="Nothing was sent yet">Send a test above.</EmptyState>
          ) : (
            <Rows deliveries={deliveries} />
          )
        }
      </QueryState>
    </section>
  );
}

function Rows({ deliveries }: { deliveries: readonly Delivery[] }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const resend = useResend();
  const dead = deliveries.filter(({ state }) => state === "failed").map(({ id }) => id);
  const many = dead.length === 1 ? "1 dead letter" : `${dead.length} dead letters`;
  return (
    <>
      <div className="flex h-11 items-center gap-2 border-b border-separator px-4">
        <h3 className="text-sm font-semibold">Deliveries</h3>
        {dead.length > 0 ? (
          <Button className="ml-auto" isPending={resend.isPending} onPress={() => setAsking(true)}>
            <RotateCw aria-hidden />
            Resend {many}
          </Button>
        ) : null}
      </div>
      <ul>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            isOpen={delivery.id === openId}
            onToggle={() => setOpenId(delivery.id === openId ? null : delivery.id)}
            onResend={() => resend.mutate([delivery.id])}
          />
        ))}
      </ul>
      <ConfirmDialog
        title={`Send ${many} again, oldest first?`}
        confirmLabel="Resend"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          resend.mutate(dead.toReversed());
        }}
      >
        Each keeps its webhook-id, by which the receiver knows one that it has seen.
      </ConfirmDialog>
    </>
  );
}

function useResend() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await resendDelivery(id);
    },
    onSuccess: () => showToast({ title: "Being sent again" }),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY }),
  });
}

interface RowProps {
  delivery: Delivery;
  isOpen: boolean;
  onToggle: () => void;
  onResend: () => void;
}

function Row({ delivery, isOpen, onToggle, onResend }: RowProps) {
  const { state, event, runId, attempts, nextAt, error, createdAt } = delivery;
  const { status, word } = STATES[state];
  return (
    <li className="border-b border-separator">
      <button
        type="button"
        aria-expanded={isOpen}
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
                Open run
              </Link>
            )}
          </div>
        </div>
      ) : null}
    </li>
  );
}
