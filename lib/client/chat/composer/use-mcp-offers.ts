"use client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { TOOLS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type {
  McpPrompt,
  McpPromptBody,
  McpResource,
  McpResourceBody,
  McpTemplate,
} from "@/lib/schema/tools/mcp-composer";
import { MENTION, mentionIn } from "./mention";
import type { SlashCommand } from "./use-commands";

/** The items the agent's MCP servers add to the composer's menus. */
export interface McpOffers {
  readonly prompts: readonly SlashCommand[];
  readonly resources: readonly SlashCommand[];
  /** Sentences about servers that did not answer. */
  readonly away: readonly string[];
}

/** A prompt, or a resource template in the same shape. */
interface Asked extends McpPrompt {
  readonly uriTemplate?: string;
}

interface McpComposer {
  /** Stable until one of its values changes. */
  readonly offers: McpOffers;
  /** The prompt whose arguments are being asked for. */
  readonly asked: Asked | null;
  readonly isWriting: boolean;
  /** Why the last one failed. */
  readonly error: unknown;
  readonly write: (asked: Asked, args: Record<string, string>) => void;
  readonly cancel: () => void;
}

/** Loaded with the first menu: most messages don't need it. */
const requests = () => import("./mcp-requests");

const FRESH_MS = 30_000;
const NONE = { away: [] };

/** Fetched when a person types a slash or an `@`, never before. */
export function useMcpOffers(agentId: string | undefined, text: string, onText: (text: string) => void): McpComposer {
  const id = agentId ?? "";
  const isSlash = text.startsWith("/");
  const isMention = mentionIn(text) !== null;
  const prompts = useQuery({ ...promptsQuery(id), enabled: agentId !== undefined && isSlash });
  const resources = useQuery({ ...resourcesQuery(id), enabled: agentId !== undefined && isMention });
  const [asked, setAsked] = useState<Asked | null>(null);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  const writing = useMutation({
    mutationFn: async (body: McpPromptBody) => (await requests()).writePrompt(id, body),
    onSuccess: ({ text: written }) => {
      setAsked(null);
      onText(withPrompt(latest.current, written));
    },
  });
  const reading = useMutation({
    mutationFn: async (body: McpResourceBody) => (await requests()).readResource(id, body),
    onSuccess: ({ text: block }) => {
      setAsked(null);
      onText(withResource(latest.current, block));
    },
    // A template's dialog shows the error itself.
    onError: (error, { uriTemplate }) => {
      if (uriTemplate !== undefined) return;
      showToast({ title: "Not added", description: errorMessage(error), tone: "error" });
    },
  });
  const write = ({ serverId, name, uriTemplate }: Asked, args: Record<string, string>) =>
    uriTemplate === undefined
      ? writing.mutate({ serverId, name, arguments: args })
      : reading.mutate({ serverId, uriTemplate, arguments: args });
  const { mutate: mutatePrompt, reset } = writing;
  const { mutate: mutateResource, reset: resetReading } = reading;
  const offers = useMemo<McpOffers>(() => {
    const choose = (prompt: McpPrompt) => {
      reset();
      if (prompt.arguments.length > 0) return setAsked(prompt);
      const { serverId, name } = prompt;
      mutatePrompt(
        { serverId, name },
        { onError: (error) => showToast({ title: "Not added", description: errorMessage(error), tone: "error" }) },
      );
    };
    const away = [...((isSlash && prompts.data) || NONE).away, ...((isMention && resources.data) || NONE).away];
    return {
      prompts: (prompts.data?.prompts ?? []).map((prompt) => promptCommand(prompt, choose)),
      resources: [
        ...(resources.data?.resources ?? []).map((resource) =>
          resourceCommand(resource, () => mutateResource({ serverId: resource.serverId, uri: resource.uri })),
        ),
        ...(resources.data?.templates ?? []).map((template) =>
          resourceCommand({ ...template, uri: template.uriTemplate }, () => {
            resetReading();
            setAsked(askedOf(template));
          }),
        ),
      ],
      away: away.map(({ message }) => message),
    };
  }, [prompts.data, resources.data, isSlash, isMention, mutatePrompt, reset, mutateResource, resetReading]);
  const { isPending: isWriting, error } = asked?.uriTemplate === undefined ? writing : reading;
  return { offers, asked, isWriting, error, write, cancel: () => setAsked(null) };
}

function askedOf({ uriTemplate, arguments: gaps, ...template }: McpTemplate): Asked {
  const argumentsOf = gaps.map((name) => ({ name, description: "", required: true }));
  return { ...template, uriTemplate, arguments: argumentsOf };
}

/** Replaces the command; appended if other text has been typed in its place. */
export function withPrompt(text: string, written: string): string {
  return /^\/\S*$/.test(text) || text === "" ? written : `${text.trimEnd()}\n\n${written}`;
}

/** Replaces the mention; appended if the mention is gone by then. */
export function withResource(text: string, block: string): string {
  const before = text.replace(MENTION, "$1").trimEnd();
  return before === "" ? `${block}\n` : `${before}\n\n${block}\n`;
}

function promptCommand(prompt: McpPrompt, choose: (prompt: McpPrompt) => void): SlashCommand {
  const name = `/${prompt.serverId}:${prompt.name}`;
  return { name, does: prompt.description || `A prompt of ${prompt.serverId}`, onChoose: () => choose(prompt) };
}

function resourceCommand(
  { serverId, uri, name, description }: Omit<McpResource, "mediaType">,
  onChoose: () => void,
): SlashCommand {
  return { name: `@${serverId}:${name}`, does: description || uri, key: `${serverId} ${uri}`, onChoose };
}

function promptsQuery(agentId: string) {
  return queryOptions({
    queryKey: [...TOOLS_KEY, "mcp", "prompts", agentId],
    queryFn: async ({ signal }) => (await requests()).listPrompts(agentId, signal),
    staleTime: FRESH_MS,
    retry: false,
  });
}

function resourcesQuery(agentId: string) {
  return queryOptions({
    queryKey: [...TOOLS_KEY, "mcp", "resources", agentId],
    queryFn: async ({ signal }) => (await requests()).listResources(agentId, signal),
    staleTime: FRESH_MS,
    retry: false,
  });
}
