"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { modelChoices } from "@/components/chat/composer/pickers";
import { Segments } from "@/components/ui/controls/segments";
import { Switch } from "@/components/ui/controls/switch";
import { availableToolsQuery } from "@/lib/client/agents/agent-queries";
import { isObject } from "@/lib/client/agents/config-text/config-values";
import { guideAt, hintAt } from "@/lib/client/agents/form/field-hints";
import { defaultAt, type FieldControl, type FieldOption, type FormField } from "@/lib/client/agents/form/form-field";
import { checksFrom, checkWord } from "@/lib/client/agents/form/heartbeat-fields";
import { agentsQuery, providersQuery } from "@/lib/client/chat/thread-queries";
import { classNames } from "@/lib/client/ui/class-names";
import { PROMPT_SECTION_NAMES } from "@/lib/schema/agents/prompt-section";
import { formatDuration } from "@/lib/schema/format-duration";
import { ChoicesControl } from "./choices-control";
import { ChangedRing, type ChangeKind, describedBy, EDGES, FieldFrame, FieldNotes } from "./field-frame";
import { ModelControl, modelWord, subagentWord, TagsControl } from "./list-controls";
import { ModelSummary } from "./model-summary";
import { ModelsControl } from "./models-control";
import { type ControlProps, LinesControl, LongControl, NumberControl, TextControl } from "./plain-controls";
import { RulesControl } from "./rules-control";
import { SchedulesControl } from "./schedules-control";
import { SkillsControl } from "./skills-control";

export interface FormFieldRowProps {
  field: FormField;
  agentId: string;
  value: unknown;
  /** The live version's value. */
  before: unknown;
  change: ChangeKind | null;
  problems: readonly string[];
  isActive: boolean;
  onChange: (value: unknown) => void;
}

export function fieldId({ path }: Pick<FormField, "path">): string {
  return `field-${path.join("-")}`;
}

/** One form field with the control for its kind. */
export function FormFieldRow(props: FormFieldRowProps) {
  const { field, value, change, problems, isActive } = props;
  const id = fieldId(field);
  const { control, label, isHalf } = field;
  if (control.kind === "switch") return <SwitchRow {...props} />;
  if (control.kind === "block") return <BlockRow {...props} />;
  const fallback = defaultAt(field.path);
  const options = control.kind === "choice" || control.kind === "workspace" ? control.options : [];
  const help = optionHelp(options, value ?? fallback) ?? field.help ?? hintAt(field.path);
  const notes = { help, problems };
  const shared = { id, value, fallback, onChange: props.onChange, aria: describedBy(id, notes) };
  return (
    <FieldFrame
      {...{ id, label, change, isActive, isHalf, ...notes }}
      guide={guideAt(field.path)}
      isLabelFor={LABELLED.has(control.kind)}
      hint={hintOf(control, value ?? fallback)}
    >
      <Control {...shared} {...props} control={control} />
    </FieldFrame>
  );
}

/** Kinds with a single control that has the field's id. */
const LABELLED: ReadonlySet<FieldControl["kind"]> = new Set([
  "text",
  "long",
  "lines",
  "number",
  "words",
  "checks",
  "tools",
  "model",
  "models",
  "subagents",
]);

function optionHelp(options: readonly FieldOption[], value: unknown): string | undefined {
  return options.find(({ id }) => id === value)?.help;
}

function hintOf(control: FieldControl, value: unknown): ReactNode {
  if (control.kind === "number" && control.unit === "ms" && typeof value === "number") return formatDuration(value);
  if (control.kind === "models" && Array.isArray(value) && value.length > 0)
    return "in this order, after failed attempts";
  return undefined;
}

function Control({ control, ...props }: ControlProps & FormFieldRowProps & { control: FieldControl }) {
  switch (control.kind) {
    case "text":
      return <TextControl {...props} control={control} />;
    case "long":
      return <LongControl {...props} control={control} />;
    case "lines":
      return <LinesControl {...props} control={control} />;
    case "number":
      return <NumberControl {...props} control={control} />;
    case "choice":
      return <Choice {...props} {...control} />;
    case "workspace":
      return <Choice {...props} value={props.value ?? "none"} options={control.options} />;
    case "words":
      return <TagsControl {...props} add={control.add} all={control.all} suggestions={NOTHING} />;
    case "skills":
      return <SkillsControl {...props} />;
    case "checks":
      return <ChecksControl {...props} />;
    case "tools":
      return <ToolsControl {...props} />;
    case "model":
      return <OneModel {...props} empty={control.empty} />;
    case "models":
      return <SeveralModels {...props} />;
    case "choices":
      return <PickedByPeople {...props} />;
    case "subagents":
      return <SubagentsControl {...props} />;
    case "rules":
      return <RulesControl {...props} label={props.field.label} />;
    case "schedules":
      return <SchedulesControl {...props} />;
    case "sections":
      return <SectionSwitches {...props} />;
    case "switch":
    case "block":
      return null;
  }
}

const NOTHING: readonly string[] = [];

function useModels(): readonly string[] {
  const { data } = useQuery(providersQuery);
  return data === undefined ? NOTHING : modelChoices(data);
}

function OneModel(props: ControlProps & { empty: string | undefined }) {
  return (
    <>
      <ModelControl {...props} models={useModels()} />
      <ModelSummary model={modelWord(props.value)} />
    </>
  );
}

function SeveralModels(props: ControlProps & { before: unknown }) {
  return <ModelsControl {...props} models={useModels()} />;
}

function PickedByPeople(props: ControlProps) {
  return <ChoicesControl {...props} models={useModels()} />;
}

function Choice({
  field,
  value,
  fallback,
  options,
  unset,
  onChange,
}: ControlProps & FormFieldRowProps & { options: readonly FieldOption[]; unset?: string | undefined }) {
  const now = value ?? fallback ?? unset;
  return (
    <Segments
      label={field.label}
      isFull
      options={options}
      value={typeof now === "string" ? now : null}
      onChange={(id) => onChange(id === unset ? undefined : id)}
    />
  );
}

function SwitchRow({ field, value, change, problems, isActive, onChange }: FormFieldRowProps) {
  const id = fieldId(field);
  const isOn = (value ?? defaultAt(field.path)) === true;
  return (
    <div
      id={`${id}-frame`}
      data-active={isActive || undefined}
      className={classNames(
        "group relative col-span-2 flex items-center gap-3 px-5 py-2 data-active:bg-selection",
        change !== null && "before:absolute before:inset-y-2 before:left-0 before:w-[3px]",
        change !== null && EDGES[change],
      )}
    >
      <div className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5 text-sm font-medium">
          {field.label}
          {change === null ? null : <ChangedRing />}
        </span>
        <FieldNotes
          id={id}
          label={field.label}
          help={field.help ?? hintAt(field.path)}
          guide={guideAt(field.path)}
          problems={problems}
        />
      </div>
      <Switch id={id} label={field.label} isOn={isOn} onChange={onChange} />
    </div>
  );
}

/** With the block on, its fields appear, each at its default until changed. */
function BlockRow({ value, onChange, ...props }: FormFieldRowProps) {
  return (
    <SwitchRow {...props} value={isObject(value)} onChange={(isOn) => onChange(isOn === true ? EMPTY : undefined)} />
  );
}

const EMPTY = {};

const CHECKS: readonly string[] = ["inbound"];

/** Checks before a model is called. */
function ChecksControl({ onChange, ...props }: ControlProps) {
  return (
    <TagsControl
      {...props}
      onChange={(items) => onChange(checksFrom(items))}
      add="Add a check"
      all="At each beat"
      suggestions={CHECKS}
      wordOf={checkWord}
    />
  );
}

function SubagentsControl({ agentId, ...props }: ControlProps & { agentId: string }) {
  const { data } = useQuery(agentsQuery);
  const ids = (data ?? []).map(({ id }) => id).filter((id) => id !== agentId);
  return <TagsControl {...props} add="Add" suggestions={ids} wordOf={subagentWord} />;
}

/** One list of what is allowed; both lists if a config also denies some. */
function ToolsControl({ value, onChange, ...props }: ControlProps & FormFieldRowProps) {
  const { data } = useQuery(availableToolsQuery);
  const names = data?.map(({ name }) => name) ?? NOTHING;
  if (!isObject(value)) {
    return <TagsControl {...props} value={value} onChange={onChange} add="Add a tool" suggestions={names} />;
  }
  const set = (key: string) => (list: unknown) => onChange({ ...value, [key]: list ?? [] });
  return (
    <div className="space-y-1.5">
      <TagsControl {...props} value={value.allow} onChange={set("allow")} add="Allow a tool" suggestions={names} />
      <TagsControl
        {...props}
        id={`${props.id}-deny`}
        aria={{ ...props.aria, "aria-label": "Tools that are denied" }}
        value={value.deny}
        onChange={set("deny")}
        add="Deny a tool"
        suggestions={names}
      />
    </div>
  );
}

const SECTION_STATES = [
  { id: "auto", name: "Auto" },
  { id: "on", name: "On" },
  { id: "off", name: "Off" },
];

/** Each section as the mode decides, or always, or never. */
function SectionSwitches({ value, onChange }: ControlProps) {
  const given = isObject(value) ? value : {};
  const set = (name: string, state: string) => {
    const { [name]: _, ...others } = given;
    const next = state === "auto" ? others : { ...given, [name]: state === "on" };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <details className="rounded-lg border border-border">
      <summary className="flex h-8 items-center px-2.5 text-sm touch-row">
        {Object.keys(given).length === 0 ? "As the mode has them" : `${Object.keys(given).length} switched here`}
      </summary>
      <ul className="border-t border-separator py-1">
        {PROMPT_SECTION_NAMES.map((name) => (
          <li key={name} className="flex min-h-8 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm">
            {name.replaceAll("_", " ")}
            <Segments
              label={name.replaceAll("_", " ")}
              options={SECTION_STATES}
              value={name in given ? (given[name] === true ? "on" : "off") : "auto"}
              onChange={(state) => set(name, state)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
