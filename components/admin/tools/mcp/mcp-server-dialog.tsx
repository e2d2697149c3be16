"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { createMcpServer, MCP_KEY, updateMcpServer } from "@/lib/client/tools/mcp-queries";
import { KEPT, KeptServerForm, newServerForm, type ServerForm, toSettings } from "@/lib/client/tools/mcp-server-form";
import { conflictWords, mergeForms } from "@/lib/client/ui/input/merge-forms";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import { McpServer } from "@/lib/schema/tools/mcp-server";

/** `base`: the server the form was opened with, so that a save since then is detected even after a reload. */
const KeptServer = z.object({ form: KeptServerForm, base: McpServer.nullable() });

interface McpServerDialogProps {
  /** The server to change; absent for a new one. */
  server?: McpServer;
  stdioAllowed: boolean;
  onClose: () => void;
  onSaved: (server: McpServer) => void;
}

const TRANSPORTS = [
  { id: "http", name: "http", description: "Streamable HTTP, the usual one" },
  { id: "sse", name: "sse", description: "The older one over HTTP" },
  { id: "stdio", name: "stdio", description: "A program on the server's machine" },
];

const ACCESS = [
  { id: "none", name: "Open", description: "It asks for nothing, or for the headers below" },
  { id: "bearer", name: "Token", description: "One that you paste here" },
  { id: "shared", name: "OAuth, one connection for all", description: "An administrator connects once" },
  { id: "per_user", name: "OAuth, each person connects", description: "Calls use the account of the person who asks" },
];

const PLACES = [
  { id: "sandbox", name: "In the sandbox, no network" },
  { id: "network", name: "In the sandbox, with the network" },
  { id: "machine", name: "Without a sandbox: it can do what this server can" },
];

/**
 * A server's address and settings. Secret values are never shown; an unchanged one is kept. A reload keeps what was
 * typed, without secrets.
 */
export function McpServerDialog({ server: opened, stdioAllowed, onClose, onSaved }: McpServerDialogProps) {
  const queryClient = useQueryClient();
  const kept = useRemembered(`mcp-server ${opened?.id ?? "new"}`, KeptServer);
  const [server, setServer] = useState(kept.value?.base ?? opened);
  const [form, setForm] = useState<ServerForm>(() => ({ ...newServerForm(server), ...kept.value?.form }));
  const [conflict, setConflict] = useState<string | null>(null);
  const set = (change: Partial<ServerForm>, base = server) => {
    const next = { ...form, ...change };
    setForm(next);
    kept.set({ form: KeptServerForm.parse(next), base: base ?? null });
  };
  const save = useMutation({
    mutationFn: () => {
      const settings = toSettings(form);
      return server
        ? updateMcpServer(server.id, { ...settings, revision: server.revision })
        : createMcpServer({ id: form.id.trim(), ...settings });
    },
    onSuccess: (saved) => {
      kept.forget();
      void queryClient.invalidateQueries({ queryKey: MCP_KEY });
      showToast({ title: saved.state === "away" ? `Saved ${saved.id}, which does not answer` : `Saved ${saved.id}` });
      onSaved(saved);
    },
    onError: (error) => {
      const theirs = currentOf(error);
      setConflict(null);
      if (!server || !theirs) return;
      const merged = mergeForms(newServerForm(server), form, newServerForm(theirs));
      setServer(theirs);
      set(merged.form, theirs);
      setConflict(
        conflictWords(
          theirs.id,
          merged.overlaps.map((name) => FIELD_WORDS[name] ?? name),
        ),
      );
    },
  });
  const close = () => {
    kept.forget();
    onClose();
  };
  const problems = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const isProgram = form.transport === "stdio";
  const transports = stdioAllowed || isProgram ? TRANSPORTS : TRANSPORTS.filter(({ id }) => id !== "stdio");
  return (
    <FormDialog
      title={server ? `Edit ${server.id}` : "Add an MCP server"}
      submitLabel={server ? "Save" : "Add server"}
      isPending={save.isPending}
      error={problems.size > 0 || conflict !== null ? undefined : save.error}
      onSubmit={() => save.mutate()}
      onClose={close}
      after={
        conflict === null ? null : (
          <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm text-limit-text">
            {conflict}
          </p>
        )
      }
    >
      {server ? null : (
        <TextField
          label="Id"
          description={`Part of its tools' names: mcp__${form.id.trim() || "github"}__…`}
          placeholder="github"
          value={form.id}
          onChange={(id) => set({ id })}
          {...problemOf(problems, "id")}
          mono
          isRequired
          autoFocus
        />
      )}
      <Select
        label="Transport"
        options={transports}
        value={form.transport}
        onChange={(id) => {
          save.reset();
          set({ transport: id as ServerForm["transport"] });
        }}
        {...choiceProblem(problems, "transport")}
      />
      {isProgram ? (
        <ProgramFields form={form} set={set} problems={problems} />
      ) : (
        <AddressFields form={form} set={set} problems={problems} />
      )}
    </FormDialog>
  );
}

/** The server as another person has saved it; null for every other error. */
function currentOf(error: unknown): McpServer | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null;
  const details = ConflictDetails.safeParse(error.details);
  return details.data?.current ?? null;
}

const ConflictDetails = z.object({ current: McpServer });

const FIELD_WORDS: Readonly<Partial<Record<keyof ServerForm, string>>> = {
  url: "Address",
  transport: "Transport",
  access: "Access",
  headers: "Headers",
  clientId: "Client id",
  command: "Program",
  args: "Arguments",
  env: "Environment",
  place: "Where it runs",
  mounts: "Folders",
};

interface FieldsProps {
  form: ServerForm;
  set: (change: Partial<ServerForm>) => void;
  problems: ReadonlyMap<string, string>;
}

/** Most servers let this installation register itself: both fields then stay empty. */
function ClientFields({ form, set, problems }: FieldsProps) {
  return (
    <>
      <TextField
        label="Client id (optional)"
        description="Only for servers that let no client register itself."
        value={form.clientId}
        onChange={(clientId) => set({ clientId })}
        {...problemOf(problems, "clientId")}
        mono
      />
      <TextField
        label="Client secret (optional)"
        type="password"
        autoComplete="off"
        description="Stored encrypted, never shown again."
        placeholder={form.hasClientSecret ? KEPT : ""}
        value={form.clientSecret}
        onChange={(clientSecret) => set({ clientSecret })}
        {...problemOf(problems, "clientSecret")}
        mono
      />
    </>
  );
}

function AddressFields({ form, set, problems }: FieldsProps) {
  return (
    <>
      <TextField
        label="Address"
        placeholder="https://mcp.example.org/mcp"
        value={form.url}
        onChange={(url) => set({ url })}
        {...problemOf(problems, "url")}
        mono
        isRequired
      />
      <Select
        label="Access"
        options={ACCESS}
        value={form.access}
        onChange={(id) => set({ access: id as ServerForm["access"] })}
        {...choiceProblem(problems, "auth")}
      />
      {form.access === "bearer" ? (
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          description="Sent as Authorization: Bearer. Stored encrypted, never shown again."
          placeholder={form.hasToken ? KEPT : ""}
          value={form.token}
          onChange={(token) => set({ token })}
          {...problemOf(problems, "token")}
          mono
        />
      ) : null}
      {form.access === "shared" || form.access === "per_user" ? (
        <ClientFields form={form} set={set} problems={problems} />
      ) : null}
      <TextField
        label="Headers"
        description={`One a line, as Name: value.${form.headers.includes(KEPT) ? ` ${KEPT} keeps what is stored.` : ""}`}
        rows={2}
        value={form.headers}
        onChange={(headers) => set({ headers })}
        {...problemOf(problems, "headers")}
        mono
      />
    </>
  );
}

function ProgramFields({ form, set, problems }: FieldsProps) {
  return (
    <>
      <TextField
        label="Program"
        description="Installed on the server's machine: its name or absolute path."
        placeholder="mcp-server-filesystem"
        value={form.command}
        onChange={(command) => set({ command })}
        {...problemOf(problems, "command")}
        mono
        isRequired
      />
      <TextField
        label="Arguments"
        description="One a line."
        rows={2}
        value={form.args}
        onChange={(args) => set({ args })}
        {...problemOf(problems, "args")}
        mono
      />
      <TextField
        label="Environment"
        description={`One a line, as NAME=value.${form.env.includes(KEPT) ? ` ${KEPT} keeps what is stored.` : ""}`}
        rows={2}
        value={form.env}
        onChange={(env) => set({ env })}
        {...problemOf(problems, "env")}
        mono
      />
      <Select
        label="Where it runs"
        options={PLACES}
        value={form.place}
        onChange={(id) => set({ place: id as ServerForm["place"] })}
      />
      {form.place === "machine" ? null : (
        <TextField
          label="Files it sees"
          description="Absolute paths, one a line, read-only; :rw at the end lets it write."
          rows={2}
          value={form.mounts}
          onChange={(mounts) => set({ mounts })}
          {...problemOf(problems, "mounts")}
          mono
        />
      )}
    </>
  );
}

function choiceProblem(problems: ReadonlyMap<string, string>, field: string) {
  const message = problems.get(field);
  return message === undefined ? {} : { isInvalid: true, errorMessage: message };
}

/** Every problem of the field and of its contents. */
function problemOf(problems: ReadonlyMap<string, string>, field: string) {
  const own = [...problems].filter(([path]) => path === field || path.startsWith(`${field}.`));
  if (own.length === 0) return {};
  const text = own.map(([path, message]) => (path === field ? message : `${path.slice(field.length + 1)}: ${message}`));
  return { isInvalid: true, errorMessage: text.join(" ") };
}
