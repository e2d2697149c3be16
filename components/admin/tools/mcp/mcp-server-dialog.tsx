"use client";
import { z } from "zod";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { createMcpServer, MCP_KEY, updateMcpServer } from "@/lib/client/tools/mcp-queries";
import { ChangedServer, KEPT, NewServer, newServerForm, type ServerForm } from "@/lib/client/tools/mcp-server-form";
import { showToast } from "@/lib/client/ui/toast-store";
import { type CreateMcpServerBody, McpServer, type UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";

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

const LOCATIONS = [
  { id: "sandbox", name: "In the sandbox, no network" },
  { id: "network", name: "In the sandbox, with the network" },
  { id: "machine", name: "Without a sandbox: it can do what this server can" },
];

const Conflict = z.object({ current: McpServer });

/**
 * A server's address and settings. Secret values are never shown; an unchanged one is kept. A reload keeps what was
 * typed, without secrets.
 */
export function McpServerDialog({ server, stdioAllowed, onClose, onSaved }: McpServerDialogProps) {
  const form = useForm({
    subject: `mcp-server ${server?.id ?? "new"}`,
    schema: server ? ChangedServer : NewServer,
    initial: newServerForm(server),
    save: (body: CreateMcpServerBody | UpdateMcpServerBody) =>
      "id" in body ? createMcpServer(body) : updateMcpServer(server?.id ?? "", body),
    invalidates: [MCP_KEY],
    onSaved: (saved) => {
      showToast({ title: saved.state === "away" ? `Saved ${saved.id}, which does not answer` : `Saved ${saved.id}` });
      onSaved(saved);
    },
    conflict: {
      name: server?.id ?? "it",
      theirs: (details) => {
        const { data } = Conflict.safeParse(details);
        return data && server ? newServerForm(data.current) : null;
      },
    },
  });
  const { id, transport } = form.values;
  const isProgram = transport === "stdio";
  const transports = stdioAllowed || isProgram ? TRANSPORTS : TRANSPORTS.filter((one) => one.id !== "stdio");
  return (
    <FormDialog
      form={form}
      title={server ? `Edit ${server.id}` : "Add an MCP server"}
      submitLabel={server ? "Save" : "Add server"}
      onClose={onClose}
    >
      {server ? null : (
        <Field
          of={form}
          name="id"
          label="Id"
          description={`Part of its tools' names: mcp__${id.trim() || "github"}__…`}
          placeholder="github"
          mono
          isRequired
          autoFocus
        />
      )}
      <SelectField of={form} name="transport" label="Transport" options={transports} />
      {isProgram ? <ProgramFields form={form} /> : <AddressFields form={form} />}
    </FormDialog>
  );
}

/** Most servers let this installation register itself: both fields then stay empty. */
function ClientFields({ form }: { form: Form<ServerForm> }) {
  return (
    <>
      <Field
        of={form}
        name="clientId"
        label="Client id (optional)"
        description="Only for servers that let no client register itself."
        mono
      />
      <Field
        of={form}
        name="clientSecret"
        label="Client secret (optional)"
        description="Stored encrypted, never shown again."
        placeholder={form.values.hasClientSecret ? KEPT : ""}
        mono
      />
    </>
  );
}

function AddressFields({ form }: { form: Form<ServerForm> }) {
  const { auth, hasToken, headers } = form.values;
  return (
    <>
      <Field of={form} name="url" label="Address" placeholder="https://mcp.example.org/mcp" mono isRequired />
      <SelectField of={form} name="auth" label="Access" options={ACCESS} />
      {auth === "bearer" ? (
        <Field
          of={form}
          name="token"
          label="Token"
          description="Sent as Authorization: Bearer. Stored encrypted, never shown again."
          placeholder={hasToken ? KEPT : ""}
          mono
        />
      ) : null}
      {auth === "shared" || auth === "per_user" ? <ClientFields form={form} /> : null}
      <Field
        of={form}
        name="headers"
        label="Headers"
        description={`One a line, as Name: value.${headers.includes(KEPT) ? ` ${KEPT} keeps what is stored.` : ""}`}
        rows={2}
        mono
      />
    </>
  );
}

function ProgramFields({ form }: { form: Form<ServerForm> }) {
  const { env, place } = form.values;
  return (
    <>
      <Field
        of={form}
        name="command"
        label="Program"
        description="Installed on the server's machine: its name or absolute path."
        placeholder="mcp-server-filesystem"
        mono
        isRequired
      />
      <Field of={form} name="args" label="Arguments" description="One a line." rows={2} mono />
      <Field
        of={form}
        name="env"
        label="Environment"
        description={`One a line, as NAME=value.${env.includes(KEPT) ? ` ${KEPT} keeps what is stored.` : ""}`}
        rows={2}
        mono
      />
      <SelectField of={form} name="place" label="Where it runs" options={LOCATIONS} />
      {place === "machine" ? null : (
        <Field
          of={form}
          name="mounts"
          label="Files it sees"
          description="Absolute paths, one a line, read-only; :rw at the end lets it write."
          rows={2}
          mono
        />
      )}
    </>
  );
}
