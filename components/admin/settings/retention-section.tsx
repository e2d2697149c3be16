"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Info, LockKeyhole } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { FIELD } from "@/components/ui/controls/text-field";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { Table, TableHead } from "@/components/ui/table";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";
import {
  type RetentionForm,
  retentionEffect,
  retentionSchema,
  retentionValues,
} from "@/lib/client/settings/retention-form";
import { storageQuery, triedRetentionQuery } from "@/lib/client/settings/settings-queries";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { classNames } from "@/lib/client/ui/class-names";
import { formatBytes, formatCount, formatExact } from "@/lib/client/ui/text/format";
import type { ChangeSettingsBody, RetentionKind, TriedRetention } from "@/lib/schema/settings/settings";
import type { Storage, StorageKind } from "@/lib/schema/settings/storage";
import { AgentTimesTable } from "./agent-times";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";
import { KIND_GREYS, StorageSummary } from "./storage-summary";

interface KindLabels {
  readonly name: string;
  readonly is: string;
  /** The kind of data to which the time applies. */
  readonly kept: RetentionKind | null;
  readonly unkept: string;
}

const KINDS: Readonly<Record<StorageKind, KindLabels>> = {
  traces: { name: "Traces", is: "model calls, tool calls, spans", kept: "traces", unkept: "" },
  threads: { name: "Threads and messages", is: "then unused ones are deleted", kept: "threads", unkept: "" },
  deletedThreads: { name: "Deleted threads", is: "by people or unused", kept: "deletedThreads", unkept: "" },
  files: { name: "Files", is: "then earlier versions go; also texts of traces", kept: "fileVersions", unkept: "" },
  events: { name: "Steps of runs", is: "to replay and continue ended runs", kept: "events", unkept: "" },
  audit: { name: "Audit", is: "what remains can still be verified", kept: "audit", unkept: "" },
  other: { name: "Everything else", is: "agents, skills, people, settings", kept: null, unkept: "for ever" },
};

const COLUMNS = [
  { id: "what", label: "What" },
  { id: "kept", label: "Keep for", align: "right" },
  { id: "size", label: "Size", align: "right" },
  { id: "growth", label: "A day", align: "right", className: "max-sm:hidden" },
  { id: "next", label: "Goes next", className: "max-md:hidden" },
] as const;

const UNCOUNTED = "Everything older than the new times (it could not be counted just now)";

/** A save that waits for confirmation: what would be deleted. */
interface Asked {
  readonly goes: string;
  readonly save: () => void;
}

/** Retention times, the space used, and what is deleted next. */
export function RetentionSection({ section, settings }: SectionProps) {
  const { retention, fixed } = settings;
  const storage = useQuery(storageQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const askFirst = async (save: () => void, wanted: ChangeSettingsBody) => {
    const counted = await queryClient.fetchQuery(triedRetentionQuery(wanted.retention ?? {})).catch(() => null);
    const goes = counted ? retentionEffect(counted).goes : UNCOUNTED;
    if (goes) setAsked({ goes, save });
    else save();
  };
  const schema = useMemo(() => retentionSchema(retention), [retention]);
  const form = useSettingsForm({
    name: "retention",
    schema,
    settings,
    valuesOf: retentionValues,
    beforeSave: (save, body) => void askFirst(save, body),
  });
  const proposed = form.changes > 0 ? (schema.safeParse(form.values).data?.retention ?? null) : null;
  const tried = useQuery(triedRetentionQuery(proposed));
  const variables = [
    ...new Set(Object.entries(fixed).flatMap(([name, variable]) => (name.startsWith("retention.") ? variable : []))),
  ];
  const note = variables.length === 0 ? null : `What has a lock is fixed by ${variables.join(", ")}.`;
  return (
    <SettingsFrame section={section} form={form} note={note}>
      <QueryState what="sizes" query={storage}>
        {(found) => (
          <>
            <StorageSummary storage={found} />
            <Sizes storage={found} form={form} fixed={fixed} />
          </>
        )}
      </QueryState>
      {proposed && tried.data ? <Effect tried={tried.data} /> : null}
      <AgentTimesTable form={form} />
      <ConfirmDialog
        title="Keep it for a shorter time?"
        confirmLabel="Save and delete them"
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => asked?.save()}
      >
        {asked?.goes} will be deleted within the hour. This can't be undone.
      </ConfirmDialog>
    </SettingsFrame>
  );
}

function Effect({ tried }: { tried: TriedRetention }) {
  const { goes, stays } = retentionEffect(tried);
  const text = goes
    ? `${goes} would go within the hour.`
    : stays
      ? `${stays} that would go within the hour stay.`
      : "This deletes nothing now.";
  return (
    <p
      role="status"
      className="mx-5 mt-3 flex items-center gap-2 rounded-lg border border-border px-3 py-2 text-sm max-sm:mx-4"
    >
      <Info className="size-4 shrink-0 text-muted" aria-hidden />
      {text}
    </p>
  );
}

interface SizesProps {
  storage: Storage;
  form: Form<RetentionForm>;
  fixed: Readonly<Record<string, string>>;
}

function Sizes({ storage, form, fixed }: SizesProps) {
  return (
    <Table label="What is kept">
      <TableHead columns={COLUMNS} />
      <tbody>
        {storage.kinds.map((row) => (
          <SizeRow key={row.kind} row={row} form={form} fixed={fixed} />
        ))}
      </tbody>
    </Table>
  );
}

const CELL = "h-11 border-b border-separator px-2.5 first:pl-5 last:pr-4 max-sm:py-2 max-sm:first:pl-4";

function SizeRow({ row, form, fixed }: Omit<SizesProps, "storage"> & { row: Storage["kinds"][number] }) {
  const { name, is, kept, unkept } = KINDS[row.kind];
  return (
    <tr>
      <th scope="row" className={classNames(CELL, "text-left font-normal")}>
        <span className={classNames("mr-2 inline-block size-2 rounded-[2px]", KIND_GREYS[row.kind])} aria-hidden />
        <span className="font-medium">{name}</span>
        <span className="ml-2 text-xs text-muted max-sm:block max-sm:ml-4">{is}</span>
      </th>
      <td className={classNames(CELL, "text-right")}>
        {kept === null ? (
          <span className="text-xs text-muted">{unkept}</span>
        ) : (
          <KeptField
            label={`Keep ${kept === "fileVersions" ? "earlier versions of files" : name.toLowerCase()} for`}
            form={form}
            kind={kept}
            variable={fixed[`retention.${kept}`]}
          />
        )}
      </td>
      <td className={classNames(CELL, "tnum text-right whitespace-nowrap")}>{formatBytes(row.bytes)}</td>
      <td className={classNames(CELL, "tnum text-right whitespace-nowrap text-muted max-sm:hidden")}>
        {row.perDayBytes === null || row.perDayBytes === 0 ? "–" : `+${formatBytes(row.perDayBytes)}`}
      </td>
      <td className={classNames(CELL, "max-md:hidden", !row.due && "text-muted")}>{nextText(row)}</td>
    </tr>
  );
}

const DUE: Readonly<Partial<Record<StorageKind, readonly [string, string]>>> = {
  traces: ["trace", "traces"],
  threads: ["unused thread", "unused threads"],
  deletedThreads: ["deleted thread", "deleted threads"],
  files: ["earlier version", "earlier versions"],
  audit: ["entry", "entries"],
};

function nextText({ kind, due, nextAt }: Storage["kinds"][number]): string {
  if (kind === "events") return "every five minutes";
  if (due === null) return "nothing by itself";
  if (due > 0) return `${formatCount(due)} ${DUE[kind]?.[due === 1 ? 0 : 1] ?? ""} within the hour`;
  return nextAt === null ? "nothing" : `nothing until ${formatExact(Date.parse(nextAt)).split(",")[0]}`;
}

interface KeptFieldProps {
  label: string;
  form: Form<RetentionForm>;
  kind: RetentionKind;
  /** The environment variable that fixes it. */
  variable: string | undefined;
}

function KeptField({ label, form, kind, variable }: KeptFieldProps) {
  const id = useId();
  const { value, set, problem } = useField(form, `retention.${kind}`);
  const isFixed = variable !== undefined;
  return (
    <span className="inline-block text-right">
      <span className="relative inline-block w-28">
        {isFixed ? <LockKeyhole className="absolute top-2 left-2 size-3.5 text-muted" aria-hidden /> : null}
        <input
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? (isFixed ? `${id}-fixed` : undefined) : `${id}-problem`}
          autoComplete="off"
          readOnly={isFixed}
          value={String(value)}
          onChange={(event) => set(event.target.value)}
          className={classNames(
            FIELD,
            "tnum h-7 text-right touch-row",
            isFixed && "bg-surface-tertiary text-muted",
            problem !== undefined && "border-fail",
          )}
        />
      </span>
      {isFixed ? (
        <span id={`${id}-fixed`} className="sr-only">
          fixed by {variable}
        </span>
      ) : null}
      {problem === undefined ? null : (
        <span id={`${id}-problem`} role="alert" className="block max-w-44 text-left text-xs text-fail-text">
          {problem}
        </span>
      )}
    </span>
  );
}
