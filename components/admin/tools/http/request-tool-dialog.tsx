"use client";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { KEPT } from "@/lib/client/tools/mcp-server-form";
import {
  ChangedRequestTool,
  NewRequestTool,
  newRequestForm,
  type RequestForm,
  requestFieldOf,
} from "@/lib/client/tools/request-tool-form";
import { createRequestTool, updateRequestTool } from "@/lib/client/tools/tool-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import {
  type CreateRequestToolBody,
  RequestMethod,
  RequestTool,
  type UpdateRequestToolBody,
} from "@/lib/schema/tools/request-tool";
import { ArgumentsField } from "./arguments-field";

const METHODS = RequestMethod.options.map((id) => ({ id, name: id }));
const EFFECTS = [
  { id: "byMethod", name: "By its method", description: "A GET only reads, others change something" },
  { id: "reads", name: "It only reads", description: "It runs without asking, and again after a crash" },
  { id: "writes", name: "It changes something", description: "Permissions may ask before it runs" },
];

const Conflict = z.object({ current: RequestTool });

interface RequestToolDialogProps {
  /** The tool to change; absent for a new one. */
  tool?: RequestTool;
  /** What a new one opens with. */
  initial?: Partial<RequestForm>;
  onClose: () => void;
  onSaved?: (tool: RequestTool) => void;
}

/** A tool that makes one request to any service. Secrets are never shown; a reload keeps the rest. */
export function RequestToolDialog({ tool, initial, onClose, onSaved }: RequestToolDialogProps) {
  const opened = { ...newRequestForm(tool), ...initial };
  const form = useForm({
    subject: `request-tool ${tool?.name ?? initial?.name ?? ""}`,
    schema: tool ? ChangedRequestTool : NewRequestTool,
    initial: opened,
    fieldOf: requestFieldOf,
    save: (body: CreateRequestToolBody | UpdateRequestToolBody) =>
      "name" in body ? createRequestTool(body) : updateRequestTool(tool?.name ?? "", body),
    invalidates: [TOOLS_KEY],
    onSaved: (saved) => {
      showToast({ title: `Saved ${saved.name}` });
      onClose();
      onSaved?.(saved);
    },
    conflict: {
      name: tool?.name ?? "it",
      theirs: (details) => {
        const { data } = Conflict.safeParse(details);
        return data && tool ? newRequestForm(data.current) : null;
      },
    },
  });
  return (
    <FormDialog
      form={form}
      title={tool ? `Edit ${tool.name}` : "New HTTP tool"}
      submitLabel={tool ? "Save" : "Create tool"}
      onClose={onClose}
    >
      {tool ? null : (
        <Field
          of={form}
          name="name"
          label="Name"
          description="The model calls it by this name: small letters, digits and _."
          mono
          isRequired
          autoFocus
        />
      )}
      <Field
        of={form}
        name="description"
        label="Description"
        description="The model reads what it does and when to use it."
        rows={2}
        isRequired
      />
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
        <SelectField of={form} name="method" label="Method" options={METHODS} />
        <Field
          of={form}
          name="url"
          label="URL"
          description="{city} stands for the argument city."
          placeholder="https://api.example.org/weather/{city}"
          mono
          isRequired
        />
      </div>
      <ArgumentsField form={form} />
      <RequestDetails form={form} isOpened={hasDetails(opened)} />
    </FormDialog>
  );
}

function hasDetails({ query, headers, secretHeaders, body, result }: RequestForm): boolean {
  return [query, headers, secretHeaders, body, result].some((text) => text !== "");
}

/** What many services need none of. */
function RequestDetails({ form, isOpened }: { form: Form<RequestForm>; isOpened: boolean }) {
  const [isOpen, setOpen] = useState(isOpened);
  const hasProblem = [...form.problems.keys()].some((path) => DETAILS.some((name) => path.startsWith(name)));
  const { method, secretHeaders } = form.values;
  const isShown = isOpen || hasProblem;
  return (
    <section aria-label="Request" className="flex flex-col gap-3">
      <p>
        <Button variant="ghost" size="sm" aria-expanded={isShown} onPress={() => setOpen(!isShown)}>
          {isShown ? "Fewer settings" : "Query, headers, secrets, body and answer"}
        </Button>
      </p>
      {isShown ? (
        <>
          <Field
            of={form}
            name="query"
            label="Query"
            description="One a line, as name=value. A line whose argument is left out is not sent."
            placeholder="days={days}"
            rows={2}
            mono
          />
          <Field of={form} name="headers" label="Headers" description="One a line, as Name: value." rows={2} mono />
          <Field
            of={form}
            name="secretHeaders"
            label="Secret headers"
            description={`Stored encrypted, never shown again, sent to this host only.${secretHeaders.includes(KEPT) ? ` ${KEPT} keeps what is stored.` : ""}`}
            placeholder="Authorization: Bearer …"
            rows={2}
            mono
          />
          {method === "GET" ? null : (
            <Field
              of={form}
              name="body"
              label="Body"
              description="JSON or text. In JSON, an argument in quotes keeps its type."
              placeholder={'{"city": "{city}", "days": "{days}"}'}
              rows={4}
              mono
            />
          )}
          <Field
            of={form}
            name="result"
            label="Answer"
            description="The part of a JSON answer that the model reads, as JSONPath. Empty: all of it."
            placeholder="$.current.temperature"
            mono
          />
          <Field of={form} name="timeoutSeconds" label="Timeout in seconds" inputMode="numeric" />
          <SelectField of={form} name="effect" label="Effect" options={EFFECTS} />
        </>
      ) : null}
    </section>
  );
}

const DETAILS = ["query", "headers", "secretHeaders", "body", "result", "timeoutSeconds", "effect"] as const;
