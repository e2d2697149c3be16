"use client";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Switch } from "@/components/ui/controls/switch";
import { FIELD_LABEL, TextField } from "@/components/ui/controls/text-field";
import { Field } from "@/components/ui/form/field";
import type { Form } from "@/lib/client/forms/use-form";
import {
  ARGUMENT_TYPES,
  type ArgumentRow,
  readArgumentRows,
  writeArgumentRows,
} from "@/lib/client/tools/argument-rows";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { missingArguments, type RequestForm } from "@/lib/client/tools/request-tool-form";

const NEW_ROW: ArgumentRow = { name: "", type: "string", choices: "", description: "", isRequired: true };

interface Line extends ArgumentRow {
  readonly id: number;
}

/** The rows as they are typed, and the text that was made of them. */
interface ArgumentTable {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly nextId: number;
}

/** Null if the schema says more than a table shows. */
function tableOf(text: string): ArgumentTable | null {
  const schema = readJsonObject(text);
  const rows = schema === null ? null : readArgumentRows(schema);
  if (rows === null) return null;
  return { text, lines: rows.map((row, id) => ({ ...row, id })), nextId: rows.length };
}

/** The arguments as a table; as JSON Schema where somebody wants it, or the schema says more than a table shows. */
export function ArgumentsField({ form }: { form: Form<RequestForm> }) {
  const [isText, setText] = useState(false);
  const text = form.values.arguments;
  const [typed, setTyped] = useState<ArgumentTable | null>(null);
  // A text from elsewhere (a reload, another person) takes the place of what was typed.
  const table = typed?.text === text ? typed : tableOf(text);
  const missing = missingArguments(form.values);
  return (
    <section aria-label="Arguments" className="flex flex-col gap-2">
      <header className="flex min-h-6 items-center justify-between gap-2">
        <h3 className={FIELD_LABEL}>Arguments</h3>
        {table === null ? (
          <span className="text-xs text-muted">More than a table shows</span>
        ) : (
          <Button variant="ghost" onPress={() => setText(!isText)}>
            {isText ? "Show as a table" : "Edit as JSON Schema"}
          </Button>
        )}
      </header>
      {table !== null && !isText ? (
        <ArgumentRows
          table={table}
          missing={missing}
          onChange={(lines, nextId = table.nextId) => {
            const valid = lines.filter(({ name }, index) => problemOfName(name, namesBefore(lines, index)) === null);
            const written = JSON.stringify(writeArgumentRows(valid), null, 2);
            setTyped({ text: written, lines, nextId });
            form.set("arguments", written);
          }}
        />
      ) : (
        <Field of={form} name="arguments" label="JSON Schema" rows={8} mono />
      )}
    </section>
  );
}

function namesBefore(lines: readonly Line[], index: number): string[] {
  return lines.slice(0, index).map(({ name }) => name);
}

interface ArgumentRowsProps {
  table: ArgumentTable;
  /** Arguments that the request names and no row describes. */
  missing: readonly string[];
  onChange: (lines: readonly Line[], nextId?: number) => void;
}

function ArgumentRows({ table: { lines, nextId }, missing, onChange }: ArgumentRowsProps) {
  const add = (name: string) => onChange([...lines, { ...NEW_ROW, name, id: nextId }], nextId + 1);
  return (
    <>
      {lines.map((line, index) => (
        <ArgumentLine
          key={line.id}
          row={line}
          label={line.name === "" ? `argument ${index + 1}` : line.name}
          problem={line.name === "" ? null : problemOfName(line.name, namesBefore(lines, index))}
          onChange={(row) => onChange(lines.with(index, { ...row, id: line.id }))}
          onRemove={() => onChange(lines.toSpliced(index, 1))}
        />
      ))}
      <p className="flex flex-wrap gap-2">
        {["", ...missing].map((name) => (
          <Button key={name} onPress={() => add(name)}>
            <Plus aria-hidden />
            Add {name === "" ? "argument" : name}
          </Button>
        ))}
      </p>
    </>
  );
}

interface ArgumentLineProps {
  row: ArgumentRow;
  label: string;
  problem: string | null;
  onChange: (row: ArgumentRow) => void;
  onRemove: () => void;
}

function ArgumentLine({ row, label, problem, onChange, onRemove }: ArgumentLineProps) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-2 rounded-md border border-separator p-2">
      <legend className="sr-only">{label}</legend>
      <TextField
        label="Name"
        value={row.name}
        onChange={(name) => onChange({ ...row, name })}
        mono
        autoFocus={row.name === ""}
        isInvalid={problem !== null}
        errorMessage={problem ?? ""}
      />
      <Select
        label="Type"
        options={ARGUMENT_TYPES}
        value={row.type}
        onChange={(id) => onChange({ ...row, type: ARGUMENT_TYPES.find((one) => one.id === id)?.id ?? "string" })}
      />
      <span className="flex justify-center pt-5">
        <IconButton label={`Remove ${label}`} onPress={onRemove}>
          <X />
        </IconButton>
      </span>
      {row.type === "choice" ? (
        <TextField
          className="col-span-3"
          label="Choices"
          description="Separated by commas."
          value={row.choices}
          onChange={(choices) => onChange({ ...row, choices })}
        />
      ) : null}
      <TextField
        className="col-span-2"
        label="Description"
        value={row.description}
        onChange={(description) => onChange({ ...row, description })}
      />
      <span className="flex flex-col items-center gap-1">
        <span aria-hidden className={FIELD_LABEL}>
          Required
        </span>
        <span className="flex h-8 items-center">
          <Switch
            label={`${label} is required`}
            isOn={row.isRequired}
            onChange={(isRequired) => onChange({ ...row, isRequired })}
          />
        </span>
      </span>
    </fieldset>
  );
}

function problemOfName(name: string, taken: readonly string[]): string | null {
  if (taken.includes(name) && name !== "") return "There is already one with this name.";
  return /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name) ? null : "Letters, digits and _, beginning with a letter.";
}
