"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { ModelSummary } from "@/components/admin/agents/form/model-summary";
import { modelChoices } from "@/components/chat/composer/pickers";
import { Select } from "@/components/ui/controls/select";
import { Switch } from "@/components/ui/controls/switch";
import { TextField } from "@/components/ui/controls/text-field";
import { isObject } from "@/lib/client/agents/config-text/config-values";
import { modelLabel } from "@/lib/client/agents/model-names";
import { agentsQuery, providersQuery } from "@/lib/client/chat/thread-queries";
import { settingsQuery } from "@/lib/client/settings/settings-queries";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { modelName } from "@/lib/schema/agents/agent-config";
import {
  asksFirst,
  FIRST_DELEGATE,
  isSwitchedOn,
  TOOL_SWITCHES,
  type ToolSwitch,
  withPurpose,
  withSwitch,
} from "@/lib/schema/tools/tool-switches";

export interface FourFieldsProps {
  config: RawConfig;
  onConfig: (config: RawConfig) => void;
  /** Below the name: the id. */
  idLine?: ReactNode;
  /** What is wrong with the name. */
  nameProblem?: string | undefined;
}

/** Name, purpose, model and a few tools: what a new agent needs. */
export function FourFields({ config, onConfig, idLine, nameProblem }: FourFieldsProps) {
  return (
    <>
      <div>
        <TextField
          label="Name"
          value={textOf(config.name)}
          onChange={(name) => onConfig({ ...config, name })}
          isInvalid={nameProblem !== undefined}
          errorMessage={nameProblem}
          maxLength={120}
          autoFocus
        />
        {idLine}
      </div>
      <TextField
        label="Purpose"
        description="The purpose becomes the description and the first lines of the prompt."
        value={textOf(config.description)}
        onChange={(purpose) => onConfig(withPurpose(config, purpose))}
        rows={3}
        maxLength={2_000}
      />
      <ModelField config={config} onConfig={onConfig} />
      <ToolRows config={config} onConfig={onConfig} />
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const DEFAULT_MODEL = "";

function ModelField({ config, onConfig }: FourFieldsProps) {
  const { data } = useQuery(providersQuery);
  const own = modelOf(config.model);
  const models = data === undefined ? [] : modelChoices(data);
  const listed = own === DEFAULT_MODEL || models.includes(own) ? models : [own, ...models];
  const byDefault = data?.defaultModel ?? "";
  const options = [
    { id: DEFAULT_MODEL, name: byDefault === "" ? "Default model" : `Default model, now ${modelLabel(byDefault)}` },
    ...listed.map((model) => ({ id: model, name: modelLabel(model), description: providerOf(model) })),
  ];
  const change = (model: string) => {
    const { model: _, ...others } = config;
    onConfig(model === DEFAULT_MODEL ? others : { ...config, model });
  };
  return (
    <div>
      <Select label="Model" options={options} value={own} onChange={change} />
      <ModelSummary model={own === DEFAULT_MODEL ? byDefault : own} />
    </div>
  );
}

function modelOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return DEFAULT_MODEL;
  const { provider, model } = value;
  return typeof provider === "string" && typeof model === "string" ? modelName({ provider, model }) : DEFAULT_MODEL;
}

function providerOf(model: string): string {
  const at = model.indexOf(":");
  return at === -1 ? "" : model.slice(0, at);
}

const ROWS: Readonly<Record<ToolSwitch, { readonly name: string; readonly does: string }>> = {
  files: { name: "Files", does: "Read, write and search the workspace" },
  execute: { name: "Commands", does: "Run programs in the sandbox" },
  web_search: { name: "Web search", does: "Find pages" },
  web_fetch: { name: "Web pages", does: "Fetch an address" },
  memory: { name: "Memory", does: "Remember facts between threads" },
  schedule: { name: "Schedules", does: "Start runs later" },
  delegate: { name: "Delegation", does: "Hand work to another agent" },
};

function ToolRows({ config, onConfig }: FourFieldsProps) {
  const agents = useQuery(agentsQuery).data ?? [];
  const named = Array.isArray(config.delegates) ? config.delegates : [FIRST_DELEGATE];
  const delegates = agents.filter(({ id }) => named.includes(id)).map(({ name }) => name);
  const rows = TOOL_SWITCHES.filter(
    (name) => name !== "delegate" || delegates.length > 0 || isSwitchedOn(config, "delegate"),
  );
  const count = rows.filter((name) => isSwitchedOn(config, name)).length;
  return (
    <section aria-labelledby="tool-switches">
      <div className="mb-1 flex items-baseline justify-between text-xs text-muted">
        <h2 id="tool-switches" className="font-medium">
          Tools
        </h2>
        <span className="tnum">
          {count} of {rows.length}
        </span>
      </div>
      <ul className="overflow-hidden rounded-lg border border-border">
        {rows.map((name) => {
          const does =
            name === "delegate" && delegates.length > 0 ? `Hand work to ${delegates.join(", ")}` : ROWS[name].does;
          return (
            <li
              key={name}
              className="flex min-h-[38px] flex-wrap items-center gap-x-3 border-b border-separator px-3 py-1 text-sm last:border-b-0"
            >
              <span className="w-24 shrink-0 font-medium">{ROWS[name].name}</span>
              <span className="min-w-0 flex-1 text-xs text-muted">{does}</span>
              <ToolNote config={config} name={name} />
              <Switch
                label={`${ROWS[name].name}: ${does}`}
                isOn={isSwitchedOn(config, name)}
                onChange={(isOn) => onConfig(withSwitch(config, name, isOn))}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** That a tool asks first, or what it still lacks. */
function ToolNote({ config, name }: { config: RawConfig; name: ToolSwitch }) {
  const settings = useQuery({ ...settingsQuery, enabled: name === "web_search" });
  if (name === "web_search" && settings.data !== undefined) {
    const { searxng, brave, tavily } = settings.data.webSearch;
    if (searxng === null && brave === null && tavily === null) {
      return (
        <span className="text-xs text-muted">
          needs a search ·{" "}
          <Link href="/admin/settings/search" className="text-link underline touch-target">
            Set one up
          </Link>
        </span>
      );
    }
  }
  if (!isSwitchedOn(config, name) || !asksFirst(config, name)) return null;
  return <span className="text-xs text-signal-text">asks first</span>;
}
