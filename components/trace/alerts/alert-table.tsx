"use client";
import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import { PausedRing } from "@/components/ui/states/paused-ring";
import { StateRing } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { ALERTS_KEY } from "@/lib/client/http/query-keys";
import { createAlert, deleteAlert, updateAlert } from "@/lib/client/trace/alerts/alert-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Alert } from "@/lib/schema/traces/alert";
import { conditionLabel, valueLabel } from "@/lib/schema/traces/alert-labels";
import { EditAlertDialog } from "./alert-dialog";
import { AlertFilters } from "./alert-filters";

const HIDDEN_ON_PHONES = "max-md:hidden";

const COLUMNS = [
  { id: "state", label: "State" },
  { id: "name", label: "Alert", className: "w-full" },
  { id: "of", label: "Of", className: HIDDEN_ON_PHONES },
  { id: "value", label: "Now", align: "right" },
  { id: "checked", label: "Measured", align: "right", className: HIDDEN_ON_PHONES },
  { id: "told", label: "Told", align: "right", className: HIDDEN_ON_PHONES },
  { id: "menu", label: "Change", isLabelHidden: true },
] as const;

/** The person's alerts, each with what it measures now beside its threshold. */
export function AlertTable({ alerts }: { alerts: readonly Alert[] }) {
  const { viewer } = useShell();
  return (
    <Table label="Alerts">
      <TableHead columns={COLUMNS} />
      <tbody>
        {alerts.map((alert) => (
          <TableRow key={alert.id}>
            <TableCell>
              <AlertState alert={alert} />
            </TableCell>
            <TableCell className="max-w-0">
              <span className="block truncate font-medium">{alert.name}</span>
              <span className="block truncate text-xs text-muted">{conditionLabel(alert)}</span>
            </TableCell>
            <TableCell className={`max-w-72 truncate ${HIDDEN_ON_PHONES}`}>
              <Link href={lookHref(alert)} className="text-link hover:underline">
                <AlertFilters query={alert.query} />
              </Link>
            </TableCell>
            <TableCell align="right" className={alert.state === "firing" ? "text-fail-text" : undefined}>
              {alert.checkedAt === null ? "–" : valueLabel(alert.metric, alert.value)}
            </TableCell>
            <TableCell align="right" className={`text-muted ${HIDDEN_ON_PHONES}`}>
              {alert.checkedAt === null ? "–" : <Time at={alert.checkedAt} />}
            </TableCell>
            <TableCell align="right" className={`text-muted ${HIDDEN_ON_PHONES}`}>
              {alert.lastSentAt === null ? "never" : <Time at={alert.lastSentAt} />}
            </TableCell>
            <TableCell align="right">{viewer.role === "viewer" ? null : <AlertMenu alert={alert} />}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function lookHref({ metric, query }: Alert): string {
  if (metric === "schedule_missed") return "/automations/schedules";
  return query === "" ? "/traces" : `/traces?${query}`;
}

function AlertState({ alert: { enabled, state } }: { alert: Alert }) {
  const word = !enabled ? "Paused" : state === "firing" ? "Firing" : "OK";
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      {enabled ? <StateRing status={state === "firing" ? "failed" : "completed"} /> : <PausedRing size={14} />}
      {word}
    </span>
  );
}

function AlertMenu({ alert }: { alert: Alert }) {
  const { id, name, enabled, metric, query, threshold, windowMinutes, targets } = alert;
  const [isEditing, setEditing] = useState(false);
  const pause = useAction({ mutationFn: () => updateAlert(id, { enabled: !enabled }), invalidates: [ALERTS_KEY] });
  const restore = useAction({
    mutationFn: () => createAlert({ name, metric, query, threshold, windowMinutes, targets }),
    invalidates: [ALERTS_KEY],
  });
  const remove = useAction({
    mutationFn: () => deleteAlert(id),
    invalidates: [ALERTS_KEY],
    onSuccess: () => showToast({ title: "Alert deleted", onUndo: () => restore.mutate() }),
  });
  return (
    <>
      <Menu
        label={`Alert ${name}`}
        trigger={
          <IconButton label={`Change ${name}`}>
            <Ellipsis />
          </IconButton>
        }
        actions={[
          { id: "edit", label: "Edit", onAction: () => setEditing(true) },
          { id: "pause", label: enabled ? "Pause" : "Resume", onAction: () => pause.mutate() },
          { id: "delete", label: "Delete", isDanger: true, startsGroup: true, onAction: () => remove.mutate() },
        ]}
      />
      {isEditing ? <EditAlertDialog alert={alert} onClose={() => setEditing(false)} /> : null}
    </>
  );
}
