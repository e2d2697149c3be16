"use client";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { classNames } from "@/lib/client/ui/class-names";
import { McpOnCall } from "@/lib/schema/tools/mcp-server";

const CHOICES = [
  { id: "allow", word: "Allow", look: "data-[selected]:text-ok-text" },
  { id: "ask", word: "Ask", look: "data-[selected]:text-signal-text" },
  { id: "deny", word: "Deny", look: "data-[selected]:text-fail-text" },
] as const;

interface OnCallControlProps {
  tool: string;
  value: McpOnCall;
  onChange: (value: McpOnCall) => void;
}

/** The permission for calls of the tool. `Allow` leaves it to the agent's own permissions. */
export function OnCallControl({ tool, value, onChange }: OnCallControlProps) {
  return (
    <RadioGroup
      aria-label={`When ${tool} is called`}
      orientation="horizontal"
      value={value}
      onChange={(chosen) => onChange(McpOnCall.parse(chosen))}
      className="inline-flex rounded-md bg-default p-0.5"
    >
      {CHOICES.map(({ id, word, look }) => (
        <Radio
          key={id}
          value={id}
          className={classNames(
            "flex h-5 cursor-default items-center rounded-sm px-2 text-xs text-muted touch-row hover:text-foreground data-[focus-visible]:ring-1 data-[focus-visible]:ring-focus data-[selected]:bg-surface data-[selected]:font-medium data-[selected]:shadow-sm",
            look,
          )}
        >
          {word}
        </Radio>
      ))}
    </RadioGroup>
  );
}
