"use client";
import { useQuery } from "@tanstack/react-query";
import { availableSkillsQuery } from "@/lib/client/chat/available-skills-query";
import { skillCommand } from "@/lib/schema/available-skills";
import { SLASH_COMMANDS, type SlashCommand } from "./slash-menu";

const FRESH_MS = 30_000;

/** The skills of an agent as commands; asked for when somebody types a slash. A command of the chat's own wins. */
export function useSkillCommands(agentId: string | undefined, text: string): readonly SlashCommand[] {
  const isAsked = agentId !== undefined && text.startsWith("/");
  const { data } = useQuery({ ...availableSkillsQuery(agentId), enabled: isAsked, staleTime: FRESH_MS });
  const commands = new Map<string, SlashCommand>();
  for (const { name, description } of data?.skills ?? []) {
    const command = skillCommand(name);
    const isTaken = command === "/" || commands.has(command) || SLASH_COMMANDS.some((own) => own.name === command);
    if (!isTaken) commands.set(command, { name: command, does: description, writes: `${command} ` });
  }
  return [...commands.values()];
}
