"use client";
import { describedBy, FieldFrame } from "@/components/admin/agents/form/field-frame";
import { TagsControl } from "@/components/admin/agents/form/list-controls";
import { type ControlProps, NumberControl, TextControl } from "@/components/admin/agents/form/plain-controls";
import { Segments } from "@/components/ui/controls/segments";
import { Switch } from "@/components/ui/controls/switch";
import { type ConfigPath, valueAt, withValue } from "@/lib/client/agents/config-text/config-values";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { defaultAt } from "@/lib/client/agents/form/form-field";
import { listHooks, settingPath, writeHooks } from "@/lib/client/agents/hooks/hook-list";
import type { KnownHook } from "@/lib/client/agents/hooks/hook-queries";
import type { HookRow } from "@/lib/client/agents/hooks/hook-rows";
import { type HookSetting, hookSettings } from "@/lib/client/agents/hooks/hook-settings";

export interface HookSettingsProps {
  row: HookRow;
  editor: AgentEditor;
  known: readonly KnownHook[];
}

/** One hook's settings from its schema; problems are shown beside their field, the others above. */
export function HookSettings({ row, editor, known }: HookSettingsProps) {
  const settings = hookSettings(row.known?.config_schema);
  const { extension } = row.known ?? {};
  const shown = new Set(settings.map(({ path }) => path.join(".")));
  const general = row.problems.filter(({ path }) => ![...shown].some((name) => belongs(path, name)));
  return (
    <div className="py-2" inert={editor.wait !== null}>
      <div className="px-5 py-2">
        <h2 className="font-mono text-sm">{row.name}</h2>
        {extension ? (
          <p className="text-xs text-muted">
            extensions/{extension.file} · sha {extension.hash.slice(0, 7)}
          </p>
        ) : null}
        <p className="mt-1 text-xs text-muted">{row.known?.description}</p>
        {general.map(({ path, message }) => (
          <p key={path + message} className="mt-1 text-xs break-words text-fail-text">
            {path === "" ? message : `${path}: ${message}`}
          </p>
        ))}
        <p className="mt-1 text-xs text-muted">
          {settings.length === 0 ? "It has no settings." : "From its schema, saved as you type."}
        </p>
        {row.place === null && settings.length > 0 ? (
          <p className="mt-1 text-xs text-muted">Switch it on to set something.</p>
        ) : null}
      </div>
      {row.place === null ? null : (
        <div className="grid grid-cols-2">
          {settings.map((setting) => (
            <SettingField key={setting.path.join(".")} {...{ setting, row, editor, known }} />
          ))}
        </div>
      )}
    </div>
  );
}

function belongs(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

function SettingField({ setting, row, editor, known }: HookSettingsProps & { setting: HookSetting }) {
  const { path, label, help, control } = setting;
  const id = `hook-${row.name}-${path.join("-")}`;
  const problems = row.problems.filter((one) => belongs(one.path, path.join("."))).map(({ message }) => message);
  const { value, fallback, write } = bind(setting, row, editor, known);
  const notes = { help: control === null ? (help ?? "Set in the YAML.") : help, problems };
  const props: ControlProps = { id, value, fallback, onChange: write, aria: describedBy(id, notes) };
  const isNamed = control !== null && control.kind !== "choice" && control.kind !== "switch";
  return (
    <FieldFrame {...{ id, label, ...notes }} isLabelFor={isNamed} change={null} isActive={false}>
      <Control {...props} label={label} control={control} />
    </FieldFrame>
  );
}

function Control({ control, label, ...props }: ControlProps & { label: string; control: HookSetting["control"] }) {
  const { id, value, fallback, onChange } = props;
  switch (control?.kind) {
    case "text":
      return <TextControl {...props} control={control} />;
    case "number":
      return <NumberControl {...props} control={control} />;
    case "words":
      return <TagsControl {...props} add={control.add} suggestions={[]} />;
    case "switch":
      return <Switch id={id} label={label} isOn={(value ?? fallback) === true} onChange={onChange} />;
    case "choice":
      return (
        <Segments
          label={label}
          isFull
          options={control.options}
          value={typeof (value ?? fallback) === "string" ? String(value ?? fallback) : null}
          onChange={onChange}
        />
      );
    case undefined:
      return <p className="font-mono text-xs break-words">{JSON.stringify(value ?? fallback ?? null)}</p>;
  }
}

/** The place where the setting is stored: the agent's own section, unless the hook's entry sets it. */
function bind(setting: HookSetting, row: HookRow, editor: AgentEditor, known: readonly KnownHook[]) {
  const { config, setField } = editor;
  const own = valueAt(row.entry?.config, setting.path);
  const section: ConfigPath | null = settingPath(row.name, setting.path);
  if (section !== null && own === undefined) {
    const fallback = defaultAt(section) ?? setting.fallback;
    return { value: valueAt(config, section), fallback, write: (value: unknown) => setField(section, value) };
  }
  const write = (value: unknown) => {
    const entries = listHooks(config, known).map((entry) =>
      entry.name === row.name ? { ...entry, config: withValue(entry.config, setting.path, value) } : entry,
    );
    setField(["hooks"], writeHooks(entries, known));
  };
  return { value: own, fallback: setting.fallback, write };
}
