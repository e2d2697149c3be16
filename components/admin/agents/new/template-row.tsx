"use client";
import { useQuery } from "@tanstack/react-query";
import { Bot, ChartColumn, Code, File, ListTree, type LucideIcon, MessageSquare } from "lucide-react";
import { agentTemplatesQuery } from "@/lib/client/agents/list-agents";
import type { AgentTemplate } from "@/lib/schema/agents/agent-activity";

export const TEMPLATE_ICONS: Readonly<Record<string, LucideIcon>> = {
  assistant: MessageSquare,
  coder: Code,
  researcher: ListTree,
  "data-analyst": ChartColumn,
};

const BLANK = "blank";

export interface TemplateRowProps {
  /** Null: none. */
  chosen: string | null;
  onChoose: (template: AgentTemplate | null) => void;
}

/** What fills the fields below. */
export function TemplateRow({ chosen, onChoose }: TemplateRowProps) {
  const { data = [] } = useQuery(agentTemplatesQuery);
  const known = data.find(({ id }) => id === chosen);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-muted">Template</legend>
      <div className="flex flex-wrap gap-2">
        <Choice id={BLANK} name="Blank" Icon={File} isChosen={known === undefined} onChoose={() => onChoose(null)} />
        {data.map((template) => (
          <Choice
            key={template.id}
            id={template.id}
            name={template.name}
            Icon={TEMPLATE_ICONS[template.id] ?? Bot}
            isChosen={template === known}
            onChoose={() => onChoose(template)}
          />
        ))}
      </div>
      <p className="mt-1 text-xs text-muted">
        {known === undefined
          ? "A template fills the fields below."
          : `${known.name} fills the fields below. You can change each of them.`}
      </p>
      {known?.warnings.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="mt-1 text-xs text-limit-text">
          {message}
        </p>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  id: string;
  name: string;
  Icon: LucideIcon;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ id, name, Icon, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex h-11 cursor-pointer items-center gap-2 rounded-lg border border-border px-3 text-sm font-medium has-checked:border-foreground has-checked:ring-1 has-checked:ring-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus hover:bg-surface-secondary">
      <input type="radio" name="template" value={id} checked={isChosen} onChange={onChoose} className="sr-only" />
      <Icon className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
      {name}
    </label>
  );
}
