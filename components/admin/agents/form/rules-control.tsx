"use client";
import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { FIELD } from "@/components/ui/controls/text-field";
import { isObject, isSame } from "@/lib/client/agents/config-text/config-values";
import { classNames } from "@/lib/client/ui/class-names";
import type { ControlProps } from "./plain-controls";

interface Rule {
  readonly tool: string;
  /** The first argument that is compared, and its pattern. */
  readonly argument: string;
  readonly pattern: string;
}

/** A rule that has more than the form shows is edited in the YAML. */
function readRule(rule: unknown): Rule | null {
  if (typeof rule === "string") return { tool: rule, argument: "", pattern: "" };
  if (!isObject(rule) || typeof rule.tool !== "string" || rule.message !== undefined) return null;
  const args = Object.entries(isObject(rule.args) ? rule.args : {});
  const [name, pattern] = args[0] ?? ["", ""];
  return args.length > 1 || typeof pattern !== "string" ? null : { tool: rule.tool, argument: name, pattern };
}

function writeRule({ tool, argument, pattern }: Rule): unknown {
  return argument === "" && pattern === "" ? tool : { tool, args: { [argument]: pattern } };
}

/** Tool names or globs, each with one argument that narrows it. */
export function RulesControl({
  id,
  value,
  onChange,
  before,
  label,
}: ControlProps & { before: unknown; label: string }) {
  const rules: readonly unknown[] = Array.isArray(value) ? value : [];
  const live: readonly unknown[] = Array.isArray(before) ? before : [];
  const list = useRef<HTMLUListElement>(null);
  const put = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  const add = () => {
    put([...rules, "tool_name"]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>("li:last-child input")?.select());
  };
  return (
    <div>
      <ul ref={list} className="overflow-hidden rounded-lg border border-border bg-surface empty:hidden">
        {rules.map((rule, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own, and one may be there twice.
            key={index}
            className={classNames(
              "relative flex min-h-9 items-center gap-1 border-b border-separator px-1.5 py-1 last:border-b-0",
              !live.some((other) => isSame(other, rule)) &&
                "before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-ok",
            )}
          >
            <RuleRow rule={rule} name={`${label} ${index + 1}`} onRule={(next) => put(rules.with(index, next))} />
            <IconButton label={`Remove ${label} ${index + 1}`} size="xs" onPress={() => put(rules.toSpliced(index, 1))}>
              <X />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button id={id} variant="ghost" onPress={add} className="mt-1">
        <Plus aria-hidden />
        Add a rule
      </Button>
    </div>
  );
}

const SMALL = classNames(FIELD, "h-7 px-1.5 font-mono text-2xs! touch-row");

function RuleRow({ rule, name, onRule }: { rule: unknown; name: string; onRule: (rule: unknown) => void }) {
  const read = readRule(rule);
  if (read === null) {
    return (
      <span className="min-w-0 flex-1 truncate font-mono text-2xs" title="Edit this rule in the YAML">
        {JSON.stringify(rule)}
      </span>
    );
  }
  const edit = (change: Partial<Rule>) => onRule(writeRule({ ...read, ...change }));
  return (
    <>
      <input
        aria-label={`${name}, tool`}
        value={read.tool}
        spellCheck={false}
        onChange={(event) => edit({ tool: event.target.value })}
        className={classNames(SMALL, "w-[36%]!")}
      />
      <input
        aria-label={`${name}, argument`}
        value={read.argument}
        placeholder="any call"
        spellCheck={false}
        onChange={(event) => edit({ argument: event.target.value })}
        className={classNames(SMALL, "w-[24%]!")}
      />
      <input
        aria-label={`${name}, pattern`}
        value={read.pattern}
        placeholder={read.argument === "" ? "" : "npm test*"}
        spellCheck={false}
        disabled={read.argument === "" && read.pattern === ""}
        onChange={(event) => edit({ pattern: event.target.value })}
        className={classNames(SMALL, "flex-1")}
      />
    </>
  );
}
