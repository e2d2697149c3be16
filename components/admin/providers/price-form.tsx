"use client";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/controls/button";
import { FIELD } from "@/components/ui/controls/text-field";
import { PageForm } from "@/components/ui/form/page-form";
import type { Problems } from "@/lib/client/forms/problems";
import { useField } from "@/lib/client/forms/use-field";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { FiguresForm, type TypedFigures, typedFigures } from "@/lib/client/providers/figures-form";
import { costAt, type ModelRow, withFigures } from "@/lib/client/providers/model-rows";
import { changeProvider, unpricedQuery } from "@/lib/client/providers/provider-queries";
import { useProviderRefresh } from "@/lib/client/providers/use-providers";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatCount, formatExact } from "@/lib/client/ui/text/format";
import type { ModelPrice, Provider } from "@/lib/schema/provider";
import type { UnpricedUsage } from "@/lib/schema/providers/provider-figures";

const FIELDS = [
  { name: "contextWindow", label: "Window, tokens" },
  { name: "input", label: "Input" },
  { name: "cachedRead", label: "Cache read" },
  { name: "cachedWrite", label: "Cache write" },
  { name: "output", label: "Output" },
] as const;
type FigureName = (typeof FIELDS)[number]["name"];

export interface PriceFormProps {
  provider: Provider;
  row: ModelRow;
  rows: readonly ModelRow[];
  onDone: () => void;
}

/** Window, four prices and abilities of one model. The effect of a price on history is counted before anything is saved. */
export function PriceForm({ provider, row, rows, onDone }: PriceFormProps) {
  const refresh = useProviderRefresh();
  const form = useForm({
    subject: `model ${provider.id} ${row.id}`,
    schema: FiguresForm,
    initial: typedFigures(provider, row.id),
    save: (figures) =>
      changeProvider({ id: provider.id, change: { models: withFigures(provider.models, rows, row.id, figures) } }),
    onSaved: async () => {
      await refresh();
      onDone();
    },
    // Figures are a list of models in the request, which has no field of its own for each.
    refusedFields: () => NONE,
  });
  const unpriced = useQuery(unpricedQuery(provider.id, row.id));
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const hadPrice = row.priceFrom === "own";
  const close = () => {
    form.forget();
    onDone();
  };
  return (
    <tr className="bg-selection">
      <td
        colSpan={9}
        className="border-b border-separator px-5 py-2.5 max-sm:px-4"
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
      >
        <PageForm
          form={form}
          label={`Window and prices of ${row.id}`}
          className="flex flex-col gap-2"
          actions={
            <div className="flex flex-wrap items-center gap-2">
              <p className="min-w-60 flex-1 text-xs whitespace-normal text-muted">
                <Effect
                  used={unpriced.data}
                  price={FiguresForm.safeParse(form.values).data?.price}
                  hadPrice={hadPrice}
                />
              </p>
              <Button variant="ghost" onPress={close}>
                Cancel
              </Button>
              <Button type="submit" isPending={form.isPending}>
                {hadPrice || form.values.input === "" ? "Save" : "Add price"}
              </Button>
            </div>
          }
        >
          <div className="flex flex-wrap items-start gap-3">
            <span className="min-w-40 flex-1 pt-5 font-mono text-xs font-medium break-all">{row.id}</span>
            {FIELDS.map(({ name, label }) => (
              <NumberField
                key={name}
                form={form}
                name={name}
                label={label}
                inputRef={name === "input" ? first : undefined}
                placeholder={placeholderOf(row, provider, name)}
              />
            ))}
          </div>
          <div className="flex flex-wrap gap-x-5">
            <Ability form={form} name="vision" label="Reads images" otherwise={row.vision ?? false} />
            <Ability form={form} name="streaming" label="Streams its answer" otherwise />
          </div>
        </PageForm>
      </td>
    </tr>
  );
}

const NONE: Problems = new Map();

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

interface AbilityProps {
  form: Form<TypedFigures>;
  name: "vision" | "streaming";
  label: string;
  /** What holds while the installation does not say. */
  otherwise: boolean;
}

function Ability({ form, name, label, otherwise }: AbilityProps) {
  const { value, set } = useField(form, name);
  return (
    <label className="flex min-h-7 items-center gap-1.5 text-xs touch-row">
      <input
        type="checkbox"
        checked={typeof value === "boolean" ? value : otherwise}
        onChange={(event) => set(event.target.checked)}
        className="size-3.5 accent-(--accent)"
      />
      {label}
    </label>
  );
}

interface NumberFieldProps {
  form: Form<TypedFigures>;
  name: FigureName;
  label: string;
  placeholder: string;
  inputRef?: RefObject<HTMLInputElement | null>;
}

function NumberField({ form, name, label, placeholder, inputRef }: NumberFieldProps) {
  const id = useId();
  const { value, set, problem } = useField(form, name);
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
        value={String(value)}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => set(event.target.value)}
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

function placeholderOf(row: ModelRow, provider: Provider, name: FigureName): string {
  const own = provider.models.find((model) => model.id === row.id);
  if (name === "contextWindow") return own?.contextWindow === undefined ? String(row.contextWindow ?? "unknown") : "";
  const known = own?.price === undefined ? row.price?.[name] : undefined;
  if (known !== undefined) return String(known);
  return name === "cachedRead" || name === "cachedWrite" ? "as input" : "";
}
