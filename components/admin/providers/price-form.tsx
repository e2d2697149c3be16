"use client";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { FIELD } from "@/components/ui/controls/text-field";
import { sentence } from "@/lib/client/forms/problems";
import { errorMessage } from "@/lib/client/http/api";
import { costAt, type ModelRow, readFigures, type TypedFigures, withFigures } from "@/lib/client/providers/model-rows";
import { unpricedQuery } from "@/lib/client/providers/provider-queries";
import { useProviderChange } from "@/lib/client/providers/use-providers";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatCount, formatExact } from "@/lib/client/ui/text/format";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import type { ModelPrice, Provider } from "@/lib/schema/provider";
import type { UnpricedUsage } from "@/lib/schema/provider-figures";

const FIELDS = [
  { name: "contextWindow", label: "Window, tokens" },
  { name: "input", label: "Input" },
  { name: "cachedRead", label: "Cache read" },
  { name: "cachedWrite", label: "Cache write" },
  { name: "output", label: "Output" },
] as const satisfies readonly { readonly name: keyof TypedFigures; readonly label: string }[];

export interface PriceFormProps {
  provider: Provider;
  row: ModelRow;
  rows: readonly ModelRow[];
  onDone: () => void;
}

const KeptFigures = z.object({
  contextWindow: z.string(),
  input: z.string(),
  cachedRead: z.string(),
  cachedWrite: z.string(),
  output: z.string(),
  vision: z.boolean().optional(),
  streaming: z.boolean().optional(),
});

/**
 * Window, four prices and abilities of one model; a reload keeps what was typed. The effect of a price on history is
 * counted before anything is saved.
 */
export function PriceForm({ provider, row, rows, onDone: onEnd }: PriceFormProps) {
  const own = provider.models.find(({ id }) => id === row.id);
  const { form, set, forget } = useKeptForm(`model ${provider.id} ${row.id}`, KeptFigures, {
    ...typedOf(provider, row),
    vision: own?.vision,
    streaming: own?.streaming,
  });
  const { vision, streaming, ...typed } = form;
  const abilities: Abilities = { vision, streaming };
  const onDone = () => {
    forget();
    onEnd();
  };
  const [isTried, setTried] = useState(false);
  const change = useProviderChange();
  const unpriced = useQuery(unpricedQuery(provider.id, row.id));
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { figures, problems } = readFigures(typed);
  const hadPrice = row.priceFrom === "own";
  const refused = change.error ? sentence(errorMessage(change.error)) : null;
  const save = () => {
    setTried(true);
    if (!figures || change.isPending) return;
    const models = withFigures(provider.models, rows, row.id, { ...figures, ...abilities });
    change.mutate({ id: provider.id, change: { models } }, { onSuccess: onDone });
  };
  return (
    <tr className="bg-selection">
      <td colSpan={9} className="border-b border-separator px-5 py-2.5 max-sm:px-4">
        <form
          aria-label={`Window and prices of ${row.id}`}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") onDone();
          }}
        >
          <div className="flex flex-wrap items-start gap-3">
            <span className="min-w-40 flex-1 pt-5 font-mono text-xs font-medium break-all">{row.id}</span>
            {FIELDS.map(({ name, label }) => (
              <NumberField
                key={name}
                label={label}
                inputRef={name === "input" ? first : undefined}
                value={typed[name]}
                placeholder={placeholderOf(row, provider, name)}
                problem={isTried ? problems[name] : undefined}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </div>
          <div className="mt-2 flex flex-wrap gap-x-5">
            <Ability
              label="Reads images"
              isOn={vision ?? row.vision ?? false}
              onChange={(isOn) => set({ vision: isOn })}
            />
            <Ability
              label="Streams its answer"
              isOn={streaming ?? true}
              onChange={(isOn) => set({ streaming: isOn })}
            />
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-2">
            <p className="min-w-60 flex-1 text-xs whitespace-normal text-muted">
              <Effect used={unpriced.data} price={figures?.price} hadPrice={hadPrice} />
            </p>
            <Button variant="ghost" onPress={onDone}>
              Cancel
            </Button>
            <Button type="submit" isPending={change.isPending}>
              {hadPrice || typed.input === "" ? "Save" : "Add price"}
            </Button>
          </div>
          {refused ? (
            <p role="alert" className="mt-1 text-xs text-fail-text">
              {refused}
            </p>
          ) : null}
        </form>
      </td>
    </tr>
  );
}

interface EffectProps {
  used: UnpricedUsage | undefined;
  price: ModelPrice | undefined;
  hadPrice: boolean;
}

/** The effect of saving, in a sentence. */
function Effect({ used, price, hadPrice }: EffectProps) {
  if (hadPrice) return "Costs that are known stay as they are; runs from now on are counted at the new price.";
  if (!used) return "Counting the runs whose cost is unknown…";
  if (used.runs === 0) return "No run waits for a price. Runs from now on are counted with it.";
  const runs = used.runs === 1 ? "1 run" : `${formatCount(used.runs)} runs`;
  const change = used.runs === 1 ? "changes" : "change";
  return (
    <>
      <span className="font-medium text-foreground">Adding a price re-prices history.</span>{" "}
      {used.isPartial ? "At least " : ""}
      {runs}
      {used.since ? ` since ${formatExact(Date.parse(used.since)).split(",")[0]}` : ""} {change} from “unknown” to{" "}
      {price ? `about ${formatCost(costAt(price, used))}` : "a cost"}, in traces, usage and budgets. Costs that are
      known stay.
    </>
  );
}

/** The installation's own statement of the model's abilities; undefined leaves one to the catalogue. */
interface Abilities {
  readonly vision: boolean | undefined;
  readonly streaming: boolean | undefined;
}

interface AbilityProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Ability({ label, isOn, onChange }: AbilityProps) {
  return (
    <label className="flex min-h-7 items-center gap-1.5 text-xs touch-row">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-3.5 accent-(--accent)"
      />
      {label}
    </label>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  placeholder: string;
  problem: string | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  onChange: (value: string) => void;
}

function NumberField({ label, value, placeholder, problem, inputRef, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div className="w-24">
      <label htmlFor={id} className="block text-xs text-muted">
        {label}
      </label>
      <input
        ref={inputRef}
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(FIELD, "tnum h-7 text-right touch-row", problem !== undefined && "border-fail")}
      />
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="text-xs whitespace-normal text-fail-text">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The installation's own facts so far; the catalogue's are shown as placeholders. */
function typedOf({ models }: Provider, { id }: ModelRow): TypedFigures {
  const own = models.find((model) => model.id === id);
  const text = (value: number | undefined) => (value === undefined ? "" : String(value));
  return {
    contextWindow: text(own?.contextWindow),
    input: text(own?.price?.input),
    cachedRead: text(own?.price?.cachedRead),
    cachedWrite: text(own?.price?.cachedWrite),
    output: text(own?.price?.output),
  };
}

function placeholderOf(row: ModelRow, provider: Provider, name: keyof TypedFigures): string {
  const own = provider.models.find((model) => model.id === row.id);
  if (name === "contextWindow") return own?.contextWindow === undefined ? String(row.contextWindow ?? "unknown") : "";
  const known = own?.price === undefined ? row.price?.[name] : undefined;
  if (known !== undefined) return String(known);
  return name === "cachedRead" || name === "cachedWrite" ? "as input" : "";
}
