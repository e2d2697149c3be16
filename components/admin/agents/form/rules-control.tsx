"use client";
import { Plus, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { FIELD } from "@/components/ui/controls/text-field";
import { isObject, isSame } from "@/lib/client/agents/config-text/config-values";
import { classNames } from "@/lib/client/ui/class-names";
import type { ControlProps } from "./plain-controls";

interface Pair {
  readonly name: string;
  readonly pattern: string;
}

interface Rule {
  readonly tool: string;
  /** The arguments to match, each with its pattern: all of them have to match. */
  readonly pairs: readonly Pair[];
  /** Only calls that reach addresses which a person or a search named. */
  readonly isForKnownAddresses: boolean;
  /** The first words of one simple command; null for any. */
  readonly prefix: string | null;
  /** Shown to the model when the rule denies; null if unset. */
  readonly message: string | null;
}

/** Null if it is not a rule: it is then edited in the YAML. */
function readRule(rule: unknown): Rule | null {
  if (typeof rule === "string") return { ...EVERY_CALL, tool: rule };
  if (!isObject(rule) || typeof rule.tool !== "string") return null;
  const { tool, args = {}, addresses, prefix = null, message = null } = rule;
  if (!isObject(args) || !isTextOrNull(message) || !isTextOrNull(prefix)) return null;
  const pairs = Object.entries(args).map(([name, pattern]) => ({ name, pattern }));
  if (addresses !== undefined && addresses !== "known") return null;
  return pairs.every(isPair) ? { tool, pairs, isForKnownAddresses: addresses === "known", prefix, message } : null;
}

const EVERY_CALL = { pairs: [], isForKnownAddresses: false, prefix: null, message: null };

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isPair(pair: { name: string; pattern: unknown }): pair is Pair {
  return typeof pair.pattern === "string";
}

/** Of two arguments with the same name the first counts, until one is renamed. */
function writeRule({ tool, pairs, isForKnownAddresses, prefix, message }: Rule): unknown {
  const written = pairs.filter(({ name, pattern }) => name !== "" || pattern !== "");
  if (written.length === 0 && message === null && prefix === null && !isForKnownAddresses) return tool;
  const args: Record<string, string> = {};
  for (const { name, pattern } of written) args[name] ??= pattern;
  return {
    tool,
    ...(written.length === 0 ? {} : { args }),
    ...(isForKnownAddresses ? { addresses: "known" } : {}),
    ...(prefix === null ? {} : { prefix }),
    ...(message === null ? {} : { message }),
  };
}

/** Tool names or globs, each with the arguments that narrow it. */
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
              "relative flex min-h-9 items-start gap-1 border-b border-separator px-1.5 py-1 last:border-b-0",
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

interface RuleRowProps {
  rule: unknown;
  name: string;
  onRule: (rule: unknown) => void;
}

function RuleRow({ rule, name, onRule }: RuleRowProps) {
  // The typed text may not be a rule yet: an argument without a name, or two with the same name.
  const [typed, setTyped] = useState<{ rule: Rule; written: unknown } | null>(null);
  const read = typed !== null && isSame(typed.written, rule) ? typed.rule : readRule(rule);
  if (read === null) {
    return (
      <span className="min-w-0 flex-1 truncate py-1 font-mono text-2xs" title="Edit this rule in the YAML">
        {JSON.stringify(rule)}
      </span>
    );
  }
  const edit = (change: Partial<Rule>) => {
    const next = { ...read, ...change };
    const written = writeRule(next);
    setTyped({ rule: next, written });
    if (!isSame(written, rule)) onRule(written);
  };
  const { tool, message } = read;
  const pairs = read.pairs.length === 0 ? [NO_PAIR] : read.pairs;
  const editPair = (index: number, change: Partial<Pair>) =>
    edit({ pairs: pairs.map((pair, at) => (at === index ? { ...pair, ...change } : pair)) });
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is renamed while its field keeps the focus.
        <div key={index} className="flex items-center gap-1">
          {index === 0 ? (
            <input
              aria-label={`${name}, tool`}
              value={tool}
              spellCheck={false}
              onChange={(event) => edit({ tool: event.target.value })}
              className={classNames(SMALL, "w-[36%]!")}
            />
          ) : (
            <span className="w-[36%] shrink-0 px-1.5 text-right text-2xs text-muted">and</span>
          )}
          <PairFields
            pair={pair}
            name={index === 0 ? name : `${name}, ${index + 1}`}
            isTwice={pair.name !== "" && pairs.findIndex((other) => other.name === pair.name) < index}
            onPair={(change) => editPair(index, change)}
          />
          {index === 0 ? (
            <IconButton
              label={`Add an argument to ${name}`}
              size="xs"
              isDisabled={pairs.some((other) => other.name === "")}
              onPress={() => edit({ pairs: [...pairs, NO_PAIR] })}
            >
              <Plus />
            </IconButton>
          ) : (
            <IconButton
              label={`Remove argument ${index + 1} of ${name}`}
              size="xs"
              onPress={() => edit({ pairs: pairs.toSpliced(index, 1) })}
            >
              <X />
            </IconButton>
          )}
        </div>
      ))}
      <OtherLimits rule={read} name={name} onEdit={edit} />
      {message === null ? null : (
        <input
          aria-label={`${name}, text that the model reads`}
          value={message}
          onChange={(event) => edit({ message: event.target.value === "" ? null : event.target.value })}
          className={classNames(SMALL, "font-sans!")}
        />
      )}
    </div>
  );
}

interface OtherLimitsProps {
  rule: Rule;
  name: string;
  onEdit: (change: Partial<Rule>) => void;
}

/** What limits a rule besides patterns of arguments. */
function OtherLimits({ rule: { isForKnownAddresses, prefix }, name, onEdit }: OtherLimitsProps) {
  return (
    <>
      {isForKnownAddresses ? (
        <span className="flex items-center gap-1 pl-1.5 text-2xs text-muted">
          only addresses that a person or a search named
          <IconButton
            label={`Let ${name} match any address`}
            size="xs"
            onPress={() => onEdit({ isForKnownAddresses: false })}
          >
            <X />
          </IconButton>
        </span>
      ) : null}
      {prefix === null ? null : (
        <span className="flex items-center gap-1 pl-1.5 text-2xs text-muted">
          <span className="shrink-0">one command that begins with</span>
          <input
            aria-label={`${name}, first words of the command`}
            value={prefix}
            spellCheck={false}
            onChange={(event) => onEdit({ prefix: event.target.value })}
            className={classNames(SMALL, "flex-1 text-foreground")}
          />
          <IconButton label={`Let ${name} match any command`} size="xs" onPress={() => onEdit({ prefix: null })}>
            <X />
          </IconButton>
        </span>
      )}
    </>
  );
}

const NO_PAIR: Pair = { name: "", pattern: "" };

interface PairFieldsProps {
  pair: Pair;
  name: string;
  /** An argument above has the same name. */
  isTwice: boolean;
  onPair: (change: Partial<Pair>) => void;
}

function PairFields({ pair, name, isTwice, onPair }: PairFieldsProps) {
  const problemId = useId();
  return (
    <>
      <span className="flex w-[24%] shrink-0 flex-col">
        <input
          aria-label={`${name}, argument`}
          aria-invalid={isTwice || undefined}
          aria-describedby={isTwice ? problemId : undefined}
          value={pair.name}
          placeholder="any call"
          spellCheck={false}
          onChange={(event) => onPair({ name: event.target.value })}
          className={SMALL}
        />
        {isTwice ? (
          <span id={problemId} className="text-2xs text-fail-text">
            Named twice; the first counts.
          </span>
        ) : null}
      </span>
      <input
        aria-label={`${name}, pattern`}
        value={pair.pattern}
        placeholder={pair.name === "" ? "" : "npm test*"}
        spellCheck={false}
        disabled={pair.name === "" && pair.pattern === ""}
        onChange={(event) => onPair({ pattern: event.target.value })}
        className={classNames(SMALL, "flex-1")}
      />
    </>
  );
}
