"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { StateRing } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { testText } from "@/lib/client/providers/model-rows";
import { modelDefaultsQuery } from "@/lib/client/providers/provider-queries";
import { useProviderTest } from "@/lib/client/providers/use-providers";
import { classNames } from "@/lib/client/ui/class-names";
import type { Provider, ProviderList } from "@/lib/schema/provider";
import { ModelDefaultsDialog } from "./model-defaults-dialog";

const hrefOf = (id: string) => `/admin/models?provider=${encodeURIComponent(id)}`;

export interface ProviderListColumnProps {
  list: ProviderList;
  shownId: string | null;
}

export function ProviderListColumn({ list, shownId }: ProviderListColumnProps) {
  return (
    <>
      <nav aria-label="Providers" className="min-h-0 flex-1 overflow-y-auto p-2">
        {list.providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} isShown={provider.id === shownId} />
        ))}
      </nav>
      <Defaults list={list} />
    </>
  );
}

function ProviderRow({ provider, isShown }: { provider: Provider; isShown: boolean }) {
  const { id, name, isDefault, lastTest } = provider;
  const { words, isFailed } = testText(provider);
  const isKnown = lastTest !== null || provider.kind === "demo";
  return (
    <Link
      href={hrefOf(id)}
      scroll={false}
      aria-current={isShown ? "true" : undefined}
      className="mb-0.5 flex items-start gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-default md:aria-[current]:bg-surface-tertiary max-md:rounded-none max-md:border-b max-md:border-separator max-md:py-2.5"
    >
      <span className="flex h-5 items-center">
        <StateRing status={isFailed ? "failed" : isKnown ? "completed" : "queued"} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium">{name}</span>
          {isDefault ? <Tag>default</Tag> : null}
          <span className="ml-auto truncate font-mono text-2xs text-muted">{id}</span>
        </span>
        <span className={classNames("block truncate text-xs", isFailed ? "text-fail-text" : "text-muted")}>
          {words}
          {isFailed && lastTest ? (
            <>
              , <Time at={lastTest.at} isInSentence />
            </>
          ) : null}
        </span>
        <span className="block truncate text-xs text-muted">{modelText(provider)}</span>
      </span>
    </Link>
  );
}

function modelText({ offered, source, kind, models }: Provider): string {
  if (kind === "demo") return "1 model, part of this program";
  const count = offered.length === 1 ? "1 model" : `${offered.length} models`;
  const hasCatalogue = kind !== "openai-compatible" && kind !== "ollama";
  const isUnknown = !hasCatalogue && !models.some(({ price }) => price !== undefined);
  return `${count}${isUnknown && offered.length > 0 ? ", price unknown" : ""}${source === "environment" ? ", from the environment" : ""}`;
}

/** On a phone, problems come first, with their two actions. */
export function ProviderTrouble({ providers }: { providers: readonly Provider[] }) {
  const broken = providers.find(({ lastTest, problem }) => lastTest?.ok === false || (problem !== null && !lastTest));
  return broken ? <Trouble key={broken.id} provider={broken} /> : null;
}

function Trouble({ provider }: { provider: Provider }) {
  const { id, name, lastTest, problem, source } = provider;
  const { isTesting, test } = useProviderTest(id);
  const { words } = testText(provider);
  return (
    <section aria-label="What is wrong" className="flex items-start gap-2.5 border-b border-border px-4 py-3 md:hidden">
      <span className="flex h-5 items-center">
        <StateRing status="failed" size={15} />
      </span>
      <div className="min-w-0">
        <p className="text-sm font-medium">
          {name}: {words.toLowerCase()}
        </p>
        <p className="text-xs break-words text-muted">{lastTest?.error ?? problem}</p>
        <div className="mt-2.5 flex gap-2">
          <LinkButton href={hrefOf(id)}>{source === "database" ? "Replace the key" : "Show"}</LinkButton>
          <Button variant="ghost" isPending={isTesting} onPress={test}>
            Test again
          </Button>
        </div>
      </div>
    </section>
  );
}

/** The default model for agents that name none, and its fallbacks. */
function Defaults({ list }: { list: ProviderList }) {
  const defaults = useQuery(modelDefaultsQuery);
  const [isChanging, setChanging] = useState(false);
  if (!defaults.data) return null;
  const { resolved, fallbacks, fixedBy } = defaults.data;
  return (
    <section aria-label="Default model" className="border-t border-border px-4 py-3 text-xs">
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        <dt className="text-muted">Default</dt>
        <dd className="min-w-0 truncate font-mono text-2xs leading-4">{resolved ?? "can't be asked now"}</dd>
        <dt className="text-muted">If it fails</dt>
        <dd className="min-w-0 truncate font-mono text-2xs leading-4">{fallbacks.join(", ") || "nothing else"}</dd>
      </dl>
      <p className="mt-2 text-muted">
        Used when an agent names no model. {fixedBy === null ? "" : `Fixed by ${fixedBy}. `}
        Your prices override the catalogue.
      </p>
      <Button variant="ghost" className="mt-1 -ml-2.5" onPress={() => setChanging(true)}>
        Change the default
      </Button>
      {isChanging ? (
        <ModelDefaultsDialog list={list} defaults={defaults.data} onClose={() => setChanging(false)} />
      ) : null}
    </section>
  );
}
