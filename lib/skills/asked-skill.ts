import type { Message } from "@/lib/schema/messages/message";
import { skillCommand } from "@/lib/schema/skills/skill-command";
import type { SkillEntry } from "./find-skills";

/** The skill whose command (`/pdf …`) begins the user's last message; null if there is none. */
export function askedSkill(messages: readonly Message[], skills: readonly SkillEntry[]): SkillEntry | null {
  const last = messages.findLast(({ role }) => role === "user")?.content.trimStart() ?? "";
  const command = /^\/[a-z0-9-]+(?=\s|$)/i.exec(last)?.[0].toLowerCase();
  if (command === undefined) return null;
  return skills.find(({ name }) => skillCommand(name) === command) ?? null;
}

/** The prompt text about the requested skill, in addition to any other text about skills. */
export function askedSkillText({ name, path }: SkillEntry): string {
  return `The user's message begins with ${skillCommand(name)}: it asks for the skill "${name}". Read ${path} with read_file before anything else and follow it.`;
}
