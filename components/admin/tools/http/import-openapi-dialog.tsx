"use client";
import { useState } from "react";
import { z } from "zod";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { StateChip } from "@/components/ui/states/state-ring";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { importOperations, previewOpenApi } from "@/lib/client/tools/tool-queries";
import { secret } from "@/lib/schema/new-secret";
import { type ImportedTools, ImportOpenApiBody, type OpenApiPreview } from "@/lib/schema/tools/openapi-import";

type Source = Pick<ImportOpenApiBody, "url" | "document">;

/** Makes tools of the operations of an OpenAPI document: first the document, then the choice, then what came of it. */
export function ImportOpenApiDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<{ source: Source; preview: OpenApiPreview } | null>(null);
  const [made, setMade] = useState<ImportedTools | null>(null);
  if (made !== null) return <MadeTools made={made} onClose={onClose} />;
  if (found === null) {
    return <ChooseDocument onFound={(source, preview) => setFound({ source, preview })} onClose={onClose} />;
  }
  return <ChooseOperations {...found} onMade={setMade} onClose={onClose} />;
}

const DocumentForm = formSchema(
  z.object({ place: z.string().trim() }),
  ({ place }) => (/^https?:\/\/\S+$/.test(place) ? { url: place } : { document: place }),
  ImportOpenApiBody,
);

interface ChooseDocumentProps {
  onFound: (source: Source, preview: OpenApiPreview) => void;
  onClose: () => void;
}

function ChooseDocument({ onFound, onClose }: ChooseDocumentProps) {
  const form = useForm({
    schema: DocumentForm,
    initial: { place: "" },
    fieldOf: placeField,
    save: async (source: Source) => ({ source, preview: await previewOpenApi(source) }),
    onSaved: ({ source, preview }) => onFound(source, preview),
  });
  const readFile = async (file: File | undefined) => file && form.set("place", await file.text());
  return (
    <FormDialog form={form} title="Import OpenAPI" submitLabel="Show operations" onClose={onClose}>
      <Field
        of={form}
        name="place"
        label="Document"
        description="Its address, or its text: OpenAPI 3.0 or 3.1, as JSON or YAML."
        placeholder="https://api.example.org/openapi.json"
        rows={6}
        mono
        isRequired
        autoFocus
      />
      <label className="flex flex-col gap-1 text-xs text-muted">
        Or a file
        <input
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          className="text-sm text-foreground"
          onChange={(event) => void readFile(event.target.files?.[0])}
        />
      </label>
    </FormDialog>
  );
}

function placeField(): string {
  return "place";
}

const OperationsForm = z.object({
  operations: z.array(z.string()).min(1, "Choose at least one operation.").max(200),
  server: z.url("Enter the address of the service, such as https://api.example.org."),
  header: z.string().trim(),
  secret: secret(z.string()),
});

interface ChooseOperationsProps {
  source: Source;
  preview: OpenApiPreview;
  onMade: (made: ImportedTools) => void;
  onClose: () => void;
}

function ChooseOperations({ source, preview, onMade, onClose }: ChooseOperationsProps) {
  const { title, servers, auth, operations } = preview;
  const [schema] = useState(() =>
    formSchema(
      OperationsForm,
      ({ header, secret: key, ...chosen }) => ({
        ...source,
        ...chosen,
        // The word that a service wants before its key is no key.
        ...(["", auth?.prefix.trim()].includes(key.trim()) ? {} : { auth: { header, secret: key.trim() } }),
      }),
      ImportOpenApiBody,
    ),
  );
  const form = useForm({
    schema,
    initial: {
      operations: [],
      server: servers[0] ?? "",
      header: auth?.header ?? "Authorization",
      secret: auth?.prefix ?? "",
    },
    fieldOf: operationField,
    save: importOperations,
    invalidates: [TOOLS_KEY],
    onSaved: onMade,
  });
  const possible = operations.filter(({ problem }) => problem === undefined);
  const impossible = operations.filter(({ problem }) => problem !== undefined);
  const count = form.values.operations.length;
  return (
    <FormDialog
      form={form}
      title={`Import ${title}`}
      submitLabel={count === 0 ? "Create tools" : count === 1 ? "Create 1 tool" : `Create ${count} tools`}
      isValid={count > 0}
      onClose={onClose}
      size="lg"
    >
      <CheckListField
        of={form}
        name="operations"
        label="Operations"
        options={possible.map(({ id, name, method, path, summary }) => ({
          id,
          name,
          hint: `${method} ${path}${summary === "" ? "" : ` · ${summary}`}`,
        }))}
        empty="No operation of this document can become a tool."
      />
      {impossible.length === 0 ? null : (
        <details className="text-xs text-muted">
          <summary className="cursor-pointer">
            {impossible.length === 1
              ? "1 operation can’t become a tool"
              : `${impossible.length} operations can’t become tools`}
          </summary>
          <ul className="mt-1 flex flex-col gap-1">
            {impossible.map(({ id, method, path, problem }) => (
              <li key={id}>
                <span className="font-mono">
                  {method} {path}
                </span>{" "}
                {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Field of={form} name="server" label="Address" description="Every tool calls this service." mono isRequired />
      <div className="grid gap-2 sm:grid-cols-2">
        <Field of={form} name="header" label="Header of the secret" mono />
        <Field
          of={form}
          name="secret"
          label="Secret (optional)"
          description={`Stored encrypted, sent to this address only.${auth?.prefix ? ` Keep the word ${auth.prefix.trim()} before it.` : ""}`}
          mono
        />
      </div>
    </FormDialog>
  );
}

function operationField(path: string): string {
  if (path.startsWith("operations")) return "operations";
  return path.startsWith("auth.") ? path.slice("auth.".length) : path;
}

function MadeTools({ made: { tools, skipped }, onClose }: { made: ImportedTools; onClose: () => void }) {
  return (
    <Dialog title={tools.length === 1 ? "1 tool created" : `${tools.length} tools created`} isOpen onClose={onClose}>
      <p className="text-sm text-muted">Agents name them in their tools. Test them from the list.</p>
      <ul className="mt-3 flex flex-col gap-1 font-mono text-xs">
        {tools.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {skipped.length === 0 ? null : (
        <section aria-label="Not created" className="mt-4 flex flex-col gap-1">
          <StateChip status="failed" word="Not created" />
          {skipped.map(({ id, problem }) => (
            <p key={id} className="text-xs">
              <span className="font-mono">{id}</span> {problem}
            </p>
          ))}
        </section>
      )}
    </Dialog>
  );
}
