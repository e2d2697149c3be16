"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, Download, Upload } from "lucide-react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { ChooseFilesButton } from "@/components/ui/controls/choose-files-button";
import { Field } from "@/components/ui/form/field";
import { QueryState } from "@/components/ui/states/query-state";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { typedNullable, typedNumber } from "@/lib/client/forms/typed";
import { errorMessage } from "@/lib/client/http/api";
import { backUpNow, backupQuery, backupUrl, tryRestore } from "@/lib/client/settings/backup-queries";
import { useSettingsForm } from "@/lib/client/settings/use-settings-form";
import { formatBytes, formatCount } from "@/lib/client/ui/text/format";
import type { BackupProgress, BackupState, DryRun } from "@/lib/schema/settings/backup";
import { BackupBody, type Settings } from "@/lib/schema/settings/settings";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

const { folder, everyHours, keep } = BackupBody.shape;
const BackupForm = z.strictObject({
  backup: z.strictObject({
    folder: typedNullable(folder),
    everyHours: typedNumber(everyHours),
    keep: typedNumber(keep),
  }),
});

/** Manual and automatic backups, and whether one can be restored. */
export function BackupSection({ section, settings }: SectionProps) {
  const form = useSettingsForm({ name: "backup", schema: BackupForm, settings, valuesOf });
  return (
    <SettingsFrame section={section} form={form}>
      <SectionBody intro="A backup is a .tar.gz with a snapshot of the database, the workspaces and the extensions. It does not contain the secret that decrypts stored keys: keep a copy of the file “secret” in the data directory somewhere else.">
        <Field
          of={form}
          name="backup.folder"
          label="Folder on the server"
          mono
          placeholder="/var/backups/ringmaster"
          description="Backups are made here on a schedule. Leave it empty to make them only on request."
        />
        <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
          <Field of={form} name="backup.everyHours" label="Hours between backups" inputMode="numeric" />
          <Field
            of={form}
            name="backup.keep"
            label="Backups to keep"
            inputMode="numeric"
            description="The oldest is deleted when there are more."
          />
        </div>
        <Backups />
      </SectionBody>
    </SettingsFrame>
  );
}

function valuesOf({ backup }: Settings) {
  return {
    backup: { folder: backup.folder ?? "", everyHours: String(backup.everyHours), keep: String(backup.keep) },
  };
}

function Backups() {
  const queryClient = useQueryClient();
  const state = useQuery(backupQuery);
  const make = useMutation({
    mutationFn: backUpNow,
    onMutate: () => void setTimeout(() => void queryClient.invalidateQueries({ queryKey: backupQuery.queryKey }), 100),
    onSettled: () => queryClient.invalidateQueries({ queryKey: backupQuery.queryKey }),
  });
  const trial = useMutation({ mutationFn: tryRestore });
  return (
    <section aria-label="Backups" className="flex flex-col gap-3 border-t border-separator pt-4">
      <div className="flex flex-wrap gap-2">
        <Button
          isDisabled={!state.data?.folder || state.data.running !== null}
          isPending={make.isPending}
          onPress={() => make.mutate()}
        >
          <Archive aria-hidden /> Back up now
        </Button>
        {/* A form, so that the browser writes the file as it arrives. */}
        <form method="post" action="/api/backup">
          <Button type="submit" variant="ghost">
            <Download aria-hidden /> Download a new one
          </Button>
        </form>
        <ChooseFilesButton
          label="Try a restore of a file from this computer"
          fieldLabel="Backup to try"
          isDisabled={trial.isPending}
          onFiles={([file]) => {
            if (file) trial.mutate(file);
          }}
        >
          <Upload />
        </ChooseFilesButton>
      </div>
      {make.error ? <Problem>{errorMessage(make.error)}</Problem> : null}
      <QueryState what="backups" query={state}>
        {(found) => <Kept state={found} onTry={(path) => trial.mutate({ path })} isTrying={trial.isPending} />}
      </QueryState>
      {trial.error ? <Problem>{errorMessage(trial.error)}</Problem> : null}
      {trial.data ? <Trial found={trial.data} /> : null}
    </section>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <p role="alert" className="text-sm text-fail-text">
      {children}
    </p>
  );
}

interface KeptProps {
  state: BackupState;
  isTrying: boolean;
  onTry: (path: string) => void;
}

function Kept({ state: { folder, running, backups, problem }, isTrying, onTry }: KeptProps) {
  return (
    <div>
      {running ? <Running progress={running} /> : null}
      {problem ? <Problem>{problem}</Problem> : null}
      {backups.length === 0 ? (
        <p className="text-sm text-muted">
          {folder === null ? "Save a folder to keep backups in." : `No backup in ${folder} yet.`}
        </p>
      ) : (
        <ul className="divide-y divide-separator border-y border-separator">
          {backups.map(({ name, at, sizeBytes }) => (
            <li key={name} className="flex min-h-10 flex-wrap items-center gap-x-2 py-1 text-sm">
              <span className="min-w-0 flex-1">
                <Time at={at} /> <span className="text-xs text-muted">{formatBytes(sizeBytes)}</span>
                <span className="block font-mono text-xs break-all text-muted">{name}</span>
              </span>
              <Button size="sm" variant="ghost" isDisabled={isTrying} onPress={() => onTry(`${folder}/${name}`)}>
                Try a restore
              </Button>
              <a
                href={backupUrl(name)}
                download
                aria-label={`Download ${name}`}
                className="inline-flex h-7 items-center rounded-md px-2.5 text-xs font-medium touch-row hover:bg-default"
              >
                Download
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const PHASES: Readonly<Record<BackupProgress["phase"], string>> = {
  database: "Copying the database",
  files: "Copying the workspaces",
  packing: "Packing",
};

function Running({ progress: { phase, share } }: { progress: BackupProgress }) {
  return (
    <p role="status" className="mb-2 flex items-center gap-2 text-sm">
      <StateRing status="running" />
      {PHASES[phase]}
      {share === null ? "" : `, ${Math.round(share * 100)} %`}
    </p>
  );
}

function Trial({ found }: { found: DryRun }) {
  const { ok, problems, facts, sizeBytes, counts, files, migrations } = found;
  return (
    <div role={ok ? "status" : "alert"} className="rounded-lg border border-border px-3 py-2 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <StateRing status={ok ? "completed" : "failed"} />
        {ok ? "This backup can be restored." : "This backup can't be restored as it is."}
      </p>
      {problems.map((problem) => (
        <p key={problem} className="mt-1 text-fail-text">
          {problem}
        </p>
      ))}
      <p className="mt-1 text-xs text-muted">
        {formatBytes(sizeBytes)}
        {facts ? `, made by version ${facts.version}` : ""}
        {counts
          ? `; ${formatCount(counts.people)} people, ${formatCount(counts.agents)} agents, ${formatCount(counts.threads)} threads, ${formatCount(counts.runs)} runs`
          : ""}
        {`, ${formatCount(files)} files and folders`}
        {migrations.missing > 0 ? `; ${migrations.missing} migrations would be applied at the start` : ""}. Nothing was
        changed.
      </p>
    </div>
  );
}
