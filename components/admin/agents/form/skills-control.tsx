"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Switch } from "@/components/ui/controls/switch";
import { QueryState } from "@/components/ui/states/query-state";
import { skillSwitches, withSkills } from "@/lib/client/agents/form/skill-switches";
import { installedSkillsQuery } from "@/lib/client/skills/skill-queries";
import type { InstalledSkill } from "@/lib/schema/skills/skill";
import type { ControlProps } from "./plain-controls";

/** A switch for each installed skill, and one for all of them with those to come. */
export function SkillsControl(props: ControlProps) {
  const skills = useQuery(installedSkillsQuery);
  return (
    <QueryState what="skills" query={skills}>
      {(found) => (found.length === 0 ? <NoSkills /> : <Switches {...props} skills={found} />)}
    </QueryState>
  );
}

function NoSkills() {
  return (
    <p className="text-xs text-muted">
      No skills are installed.{" "}
      <Link href="/admin/skills" className="text-link underline touch-target">
        Add a skill
      </Link>
    </p>
  );
}

function Switches({ value, onChange, skills }: ControlProps & { skills: readonly InstalledSkill[] }) {
  const { isAll, named } = skillSwitches(value);
  const on = isAll ? skills.map(({ name }) => name) : named;
  const turn = (name: string, isOn: boolean) =>
    onChange(withSkills(value, isOn ? [...on, name] : on.filter((other) => other !== name)));
  return (
    <ul className="divide-y divide-separator rounded-md border border-border">
      <SkillRow
        name="All skills"
        description="Those that are installed later are on too."
        isOn={isAll}
        onChange={(isOn) => onChange(withSkills(value, isOn ? null : on))}
      />
      {skills.map(({ name, description }) => (
        <SkillRow
          key={name}
          name={name}
          description={description}
          isOn={on.includes(name)}
          onChange={(isOn) => turn(name, isOn)}
        />
      ))}
    </ul>
  );
}

interface SkillRowProps {
  name: string;
  description: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function SkillRow({ name, description, isOn, onChange }: SkillRowProps) {
  return (
    <li className="flex min-h-9.5 items-center gap-3 px-3 py-1">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{name}</span>
        <span className="block truncate text-xs text-muted" title={description}>
          {description}
        </span>
      </span>
      <Switch label={name} isOn={isOn} onChange={onChange} />
    </li>
  );
}
