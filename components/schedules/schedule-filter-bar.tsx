"use client";
import type { RefObject } from "react";
import { LinkButton } from "@/components/ui/controls/button";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { SearchField } from "@/components/ui/controls/search-field";
import type { ScheduleFilters } from "@/lib/client/schedules/schedule-filters";
import type { Schedule } from "@/lib/schema/triggers/schedule";

const STATES = [
  { id: "any", name: "Any state" },
  { id: "Waiting for you", name: "Waiting for you" },
  { id: "On", name: "On" },
  { id: "Paused", name: "Paused" },
] as const;
const OWNERS = [
  { id: "any", name: "Everybody’s" },
  { id: "mine", name: "Mine" },
] as const;

interface ScheduleFilterBarProps {
  schedules: readonly Schedule[];
  viewerId: string;
  filters: ScheduleFilters;
  onChange: (filters: ScheduleFilters) => void;
  inputRef: RefObject<HTMLInputElement | null>;
}

/** Search and filters; filters that would exclude nothing are hidden. */
export function ScheduleFilterBar({ schedules, viewerId, filters, onChange, inputRef }: ScheduleFilterBarProps) {
  const set = (change: Partial<ScheduleFilters>) => onChange({ ...filters, ...change });
  const agents = new Map(schedules.map(({ agentId, agentName }) => [agentId, agentName]));
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-b border-border px-4 py-1.5 max-sm:px-2">
      <SearchField
        label="Search schedules"
        placeholder="Search names, prompts, agents"
        shortcut="/"
        value={filters.search}
        onChange={(search) => set({ search })}
        inputRef={inputRef}
        className="min-w-48 flex-1"
      />
      <LazySelect
        label="State"
        options={STATES}
        value={filters.state}
        onChange={(id) => set({ state: STATES.find((one) => one.id === id)?.id ?? "any" })}
      />
      {agents.size < 2 ? null : (
        <LazySelect
          label="Agent"
          options={[{ id: "any", name: "All agents" }, ...[...agents].map(([id, name]) => ({ id, name }))]}
          value={filters.agentId}
          onChange={(agentId) => set({ agentId })}
        />
      )}
      {schedules.every(({ ownerId }) => ownerId === viewerId) ? null : (
        <LazySelect
          label="Owner"
          options={OWNERS}
          value={filters.whose}
          onChange={(id) => set({ whose: OWNERS.find((one) => one.id === id)?.id ?? "any" })}
        />
      )}
      <LinkButton href="/automations/schedules/log">Log</LinkButton>
    </div>
  );
}
