"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, RefreshCw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Switch } from "@/components/ui/controls/switch";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { errorMessage } from "@/lib/client/http/api";
import { formatPrice, type ModelRow, modelRows, withAllNamed, withSwitch } from "@/lib/client/providers/model-rows";
import {
  modelUsageQuery,
  priceHistoryQuery,
  providerAgentsQuery,
  providerModelsQuery,
} from "@/lib/client/providers/provider-queries";
import { useProviderChange } from "@/lib/client/providers/use-providers";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { fold } from "@/lib/schema/fold";
import type { Provider } from "@/lib/schema/provider";
import { NameModelDialog } from "./name-model-dialog";
import { PriceForm } from "./price-form";

const COLUMNS = [
  { id: "model", label: "Model", className: "w-full" },
  { id: "window", label: "Window", align: "right", className: "max-md:hidden" },
  { id: "input", label: "Input", align: "right" },
  { id: "read", label: "Cache read", align: "right", className: "max-lg:hidden" },
  { id: "write", label: "Cache write", align: "right", className: "max-lg:hidden" },
  { id: "output", label: "Output", align: "right" },
  { id: "from", label: "Price from", className: "max-md:hidden" },
  { id: "runs", label: "Runs, 30 days", align: "right", className: "max-xl:hidden" },
  { id: "on", label: "On", align: "right" },
] as const;

/** Above this count there is a search, and no more rows are drawn at once. */
const MANY = 12;
const MOST_SHOWN = 60;

/** The provider's models with window and prices; one row at a time can be edited. */
export function ModelTable({ provider }: { provider: Provider }) {
  const { id, source, problem } = provider;
  const listed = useQuery({ ...providerModelsQuery(id), enabled: problem === null });
  const usage = useQuery(modelUsageQuery);
  const [editing, setEditing] = useState<string | null>(null);
  const [isNaming, setNaming] = useState(false);
  const [search, setSearch] = useState("");
  const mayChange = source === "database";
  const asked = usage.data?.rows.flatMap(({ model }) =>
    model?.startsWith(`${id}:`) ? [model.slice(id.length + 1)] : [],
  );
  const rows = modelRows(provider, listed.data, asked).sort((left, right) => Number(right.isOn) - Number(left.isOn));
  const found = rows.filter((row) => fold(row.id).includes(fold(search.trim())));
  const on = rows.filter(({ isOn }) => isOn).length;
  return (
    <section aria-label="Models">
      <div className="flex flex-wrap items-center gap-x-2 px-5 pb-1 max-sm:px-4">
        <h3 className="text-sm font-medium">Models</h3>
        <span className="text-xs text-muted">
          {listed.data ? `${formatCount(listed.data.length)} offered by the provider, ` : ""}
          {formatCount(on)} on; dollars for a million tokens
        </span>
        <span className="flex-1" />
        <Button variant="ghost" isPending={listed.isFetching} onPress={() => void listed.refetch()}>
          <RefreshCw aria-hidden />
          Ask again
        </Button>
        {mayChange ? (
          <Button variant="ghost" onPress={() => setNaming(true)}>
            <Plus aria-hidden />
            Add by name
          </Button>
        ) : null}
      </div>
      {provider.dearer ? <DearerModels provider={provider} dearer={provider.dearer} rows={rows} /> : null}
      {listed.error ? (
        <p role="alert" className="px-5 pb-2 text-xs text-fail-text max-sm:px-4">
          {errorMessage(listed.error)}
        </p>
      ) : null}
      <FillProgress />
      {rows.length > MANY ? (
        <SearchField
          label="Find a model"
          placeholder="Find a model"
          value={search}
          onChange={setSearch}
          className="mx-5 mb-2 max-w-72 max-sm:mx-4"
        />
      ) : null}
      {rows.length === 0 ? (
        <p className="px-5 py-4 text-sm text-muted max-sm:px-4">
          No model is known. {listed.isFetching ? "Asking the provider…" : "Ask again, or add one by its name."}
        </p>
      ) : (
        <div className="overflow-x-auto">
          <Table label="Models and prices">
            <TableHead columns={COLUMNS} />
            <tbody>
              {found
                .slice(0, MOST_SHOWN)
                .map((row) =>
                  editing === row.id ? (
                    <PriceForm key={row.id} provider={provider} row={row} rows={rows} onDone={() => setEditing(null)} />
                  ) : (
                    <Row
                      key={row.id}
                      row={row}
                      provider={provider}
                      mayChange={mayChange}
                      runs={usage.data?.rows
                        .filter(({ model }) => model === `${id}:${row.id}`)
                        .reduce((sum, used) => sum + used.runs, 0)}
                      onEdit={() => setEditing(row.id)}
                    />
                  ),
                )}
            </tbody>
          </Table>
        </div>
      )}
      {found.length > MOST_SHOWN ? (
        <p className="px-5 py-2 text-xs text-muted max-sm:px-4">
          {formatCount(found.length - MOST_SHOWN)} more. Type a part of the name to find them.
        </p>
      ) : null}
      {isNaming ? <NameModelDialog provider={provider} onClose={() => setNaming(false)} /> : null}
    </section>
  );
}

interface RowProps {
  row: ModelRow;
  provider: Provider;
  mayChange: boolean;
  /** Undefined while it is being counted. */
  runs: number | undefined;
  onEdit: () => void;
}

function Row({ row, provider, mayChange, runs, onEdit }: RowProps) {
  const { id, isOn, contextWindow, price, priceFrom } = row;
  const unknown = <span className="text-muted">unknown</span>;
  return (
    <TableRow className={isOn ? undefined : "text-muted"}>
      <TableCell className="max-w-0 truncate">
        {mayChange ? (
          <button
            type="button"
            onClick={onEdit}
            title="Set window and prices"
            className={classNames(
              "max-w-full truncate text-left font-mono text-xs hover:underline touch-row",
              isOn && "font-medium",
            )}
          >
            {id}
          </button>
        ) : (
          <span className="font-mono text-xs">{id}</span>
        )}
      </TableCell>
      <TableCell align="right" className="text-muted max-md:hidden">
        {contextWindow === undefined ? "unknown" : formatCount(contextWindow)}
      </TableCell>
      <TableCell align="right">{price ? formatPrice(price.input) : unknown}</TableCell>
      <TableCell align="right" className="max-lg:hidden">
        {price ? formatPrice(price.cachedRead) : unknown}
      </TableCell>
      <TableCell align="right" className="max-lg:hidden">
        {price ? formatPrice(price.cachedWrite) : unknown}
      </TableCell>
      <TableCell align="right">{price ? formatPrice(price.output) : unknown}</TableCell>
      <TableCell className="text-muted max-md:hidden">
        {priceFrom === undefined && mayChange ? (
          <Button variant="ghost" className="-ml-2.5 text-link" onPress={onEdit} aria-label={`Add a price for ${id}`}>
            Add a price
          </Button>
        ) : (
          PRICE_SOURCE_LABELS[priceFrom ?? "nobody"]
        )}
      </TableCell>
      <TableCell align="right" className="text-muted max-xl:hidden">
        {runs === undefined ? "" : formatCount(runs)}
      </TableCell>
      <TableCell align="right">
        {mayChange ? <ModelSwitch provider={provider} row={row} /> : isOn ? "on" : "off"}
      </TableCell>
    </TableRow>
  );
}

const PRICE_SOURCE_LABELS = {
  own: <span className="text-foreground">yours</span>,
  catalogue: "catalogue",
  nobody: "unknown",
};

/** Before switching off a model that agents use, it says which of them would lose it. */
function ModelSwitch({ provider, row: { id, isOn } }: { provider: Provider; row: ModelRow }) {
  const change = useProviderChange();
  const agents = useQuery(providerAgentsQuery(provider.id));
  const [isAsking, setAsking] = useState(false);
  const full = `${provider.id}:${id}`;
  const losing = (agents.data ?? []).filter(({ model, fallbacks }) => [model, ...fallbacks].includes(full));
  const save = (isOnNow: boolean) =>
    change.mutate(
      { id: provider.id, change: { models: withSwitch(provider.models, id, isOnNow) } },
      { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
    );
  return (
    <>
      <Switch
        label={id}
        isOn={change.isPending ? !isOn : isOn}
        isDisabled={change.isPending}
        onChange={(isOnNow) => (!isOnNow && losing.length > 0 ? setAsking(true) : save(isOnNow))}
      />
      <ConfirmDialog
        title={`Switch ${id} off?`}
        confirmLabel="Switch off"
        isOpen={isAsking}
        onConfirm={() => save(false)}
        onClose={() => setAsking(false)}
      >
        {losing.map(({ name }) => name).join(", ")} {losing.length === 1 ? "asks" : "ask"} it. Their runs go on to a
        fallback, or fail where there is none.
      </ConfirmDialog>
    </>
  );
}

/** While unknown costs are being filled in. */
function FillProgress() {
  const { data } = useQuery(priceHistoryQuery);
  const isRunning = data?.state === "running";
  return (
    <p role="status" className={classNames("px-5 text-xs text-muted max-sm:px-4", isRunning && "pb-2")}>
      {isRunning
        ? `Filling in costs: ${formatCount(data.looked)} of ${formatCount(data.total)} runs looked at, ${formatCount(data.filled)} filled in.`
        : ""}
    </p>
  );
}

interface DearerModelsProps {
  provider: Provider;
  dearer: number;
  rows: readonly ModelRow[];
}

/** While no model is named: how many of them members can't pick, and how to change that. */
function DearerModels({ provider: { id, source, models }, dearer, rows }: DearerModelsProps) {
  const change = useProviderChange();
  const count = dearer === 1 ? "1 model costs" : `${formatCount(dearer)} models cost`;
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-5 pb-2 text-xs text-muted max-sm:px-4">
      {count} more than the default model or {dearer === 1 ? "has" : "have"} no known price: only administrators can
      pick {dearer === 1 ? "it" : "them"} in a chat.
      {source === "database" ? (
        <Button
          size="sm"
          variant="ghost"
          className="text-link"
          isPending={change.isPending}
          onPress={() =>
            change.mutate(
              { id, change: { models: withAllNamed(models, rows) } },
              { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
            )
          }
        >
          Offer all to everyone
        </Button>
      ) : null}
    </p>
  );
}
