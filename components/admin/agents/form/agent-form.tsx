"use client";
import dynamic from "next/dynamic";
import { type FocusEvent, useEffect, useMemo, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import {
  type ConfigChange,
  type ConfigPath,
  isObject,
  overlaps,
  valueAt,
} from "@/lib/client/agents/config-text/config-values";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { fieldAt } from "@/lib/client/agents/form/field-labels";
import type { FormField, FormTab } from "@/lib/client/agents/form/form-field";
import { fieldsOf } from "@/lib/client/agents/form/form-tabs";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import type { ConfigProblem } from "@/lib/schema/agents/agent-api";
import { type PermissionRule, PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import type { ChangeKind } from "./field-frame";
import { FormFieldRow, fieldId } from "./form-field-row";
import { FormSection } from "./form-section";

const TryCallDialog = dynamic(async () => (await loadWithRetry(() => import("../try-call-dialog"))).TryCallDialog, {
  loading: () => null,
});

/** The field being viewed, and on which side: the other side highlights it too. */
export interface ActiveField {
  readonly path: ConfigPath;
  readonly from: "form" | "yaml";
}

export interface AgentFormProps {
  editor: AgentEditor;
  tab: FormTab;
  active: ActiveField | null;
  onActive: (path: ConfigPath) => void;
}

/** The fields of one tab. Pale and inert while the text can't be shown as fields. */
export function AgentForm({ editor, tab, active, onActive }: AgentFormProps) {
  const { agent, config, changes, wait, check, setField } = editor;
  const activePath = active?.path ?? NOWHERE;
  const activeField = fieldsOf(tab).find((field) => field === fieldAt(activePath)?.field);
  const movedTo = active?.from === "yaml" && activeField ? fieldId(activeField) : null;
  useEffect(() => {
    if (movedTo !== null) document.getElementById(`${movedTo}-frame`)?.scrollIntoView({ block: "nearest" });
  }, [movedTo]);
  const onFocus = (event: FocusEvent) => {
    const frame = event.target.closest("[id$='-frame']");
    const field = fieldsOf(tab).find((one) => frame?.id === `${fieldId(one)}-frame`);
    if (field) onActive(field.path);
  };
  const problems = useMemo(() => check.problems.filter(({ path }) => path !== ""), [check.problems]);
  return (
    <fieldset
      aria-label={tab.label}
      inert={wait !== null}
      onFocus={onFocus}
      className={classNames("py-2 transition-opacity duration-100", wait !== null && "opacity-50")}
    >
      {tab.groups.map((group) => {
        const fields = group.fields.filter(({ isShown }) => isShown === undefined || isShown(config));
        if (fields.length === 0) return null;
        return (
          <FormSection
            key={group.title ?? tab.id}
            group={group}
            isChanged={fields.some((field) => changeOf(changes, field) !== null)}
            isNeeded={fields.some((field) => field === activeField || problemsOf(problems, field).length > 0)}
          >
            <div className="grid grid-cols-2">
              {fields.map((field) => (
                <FormFieldRow
                  key={fieldId(field)}
                  field={field}
                  agentId={agent.id}
                  value={valueAt(config, field.path)}
                  before={valueAt(agent.config, field.path)}
                  change={changeOf(changes, field)}
                  problems={problemsOf(problems, field)}
                  isActive={field === activeField}
                  onChange={(value) => setField(...toEdit(field, value, config))}
                />
              ))}
            </div>
            {fields.some(({ control }) => control.kind === "rules") ? (
              <>
                <RulesTester editor={editor} />
                <TriedRules editor={editor} />
              </>
            ) : null}
          </FormSection>
        );
      })}
    </fieldset>
  );
}

/** Tests a typed call against the draft's rules. */
function RulesTester({ editor: { agent, state } }: Pick<AgentFormProps, "editor">) {
  const [isTrying, setTrying] = useState(false);
  return (
    <div className="px-5 py-2">
      <Button onPress={() => setTrying(true)}>Try a call</Button>
      {isTrying ? <TryCallDialog agent={agent} yaml={state.text} onClose={() => setTrying(false)} /> : null}
    </div>
  );
}

const WhatIfBlock = dynamic(
  async () => (await loadWithRetry(() => import("@/components/permissions/what-if-block"))).WhatIfBlock,
  { loading: () => null },
);

/** What the draft's rules would have done; nothing for an agent that has never run as published, or while they are no rules. */
function TriedRules({ editor: { agent, config, setField } }: Pick<AgentFormProps, "editor">) {
  const rules = useMemo(() => PermissionsConfig.safeParse(valueAt(config, ["permissions"]) ?? {}), [config]);
  if (agent.version === null || !rules.success) return null;
  const { ask, allow } = rules.data;
  return (
    <WhatIfBlock
      agentId={agent.id}
      rules={rules.data}
      onAskBefore={(added) => setField(["permissions", "ask"], [...ask, ...added])}
      onAllow={(rule) => setField(["permissions", "allow"], [...allow, withoutNothing(rule)])}
    />
  );
}

/** As one writes it: without empty arguments. */
function withoutNothing(rule: PermissionRule): unknown {
  if (typeof rule === "string" || Object.keys(rule.args).length > 0) return rule;
  const { args: _, ...rest } = rule;
  return rest;
}

const NOWHERE: ConfigPath = [];

/** Without a workspace there is no mapping at all. Skills change in their list where that is enough: comments stay. */
function toEdit({ path, control }: FormField, value: unknown, config: unknown): [ConfigPath, unknown] {
  if (control.kind === "skills" && isObject(value)) {
    const paths = valueAt(config, [...path, "paths"]);
    return Array.isArray(paths) && paths.length > 0 ? [[...path, "enabled"], value.enabled] : [path, value];
  }
  if (control.kind === "workspace" && value === "none") return [path.slice(0, -1), undefined];
  return [path, value];
}

function changeOf(changes: readonly ConfigChange[], { path }: Pick<FormField, "path">): ChangeKind | null {
  const found = changes.find((change) => overlaps(change.path, path));
  if (found === undefined) return null;
  return found.before === undefined ? "new" : "changed";
}

function problemsOf(problems: readonly ConfigProblem[], field: FormField): string[] {
  const { path, control } = field;
  const name = path.join(".");
  return problems
    .filter(
      (problem) =>
        (control.kind !== "block" && control.kind !== "skills") || fieldAt(problem.path.split("."))?.field === field,
    )
    .filter(
      (problem) => problem.path === name || problem.path.startsWith(`${name}.`) || problem.path.startsWith(`${name}[`),
    )
    .map((problem) =>
      problem.path === name ? problem.message : `${problem.path.slice(name.length + 1)}: ${problem.message}`,
    );
}
