import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { changedFilesQuery, type FileEntry, folderQuery } from "@/lib/client/files/file-queries";
import { formatSize } from "@/lib/schema/files/format-size";
import { MENTION, mentionIn } from "./mention";
import type { SlashCommand } from "./use-commands";

const FRESH_MS = 5_000;
const NONE: readonly SlashCommand[] = [];

/**
 * After an `@`: the files of the thread's workspace. Those that the thread has written are found by any part of their
 * path, all others folder by folder. None without a thread. The same list until something of it changes.
 */
export function useFileMentions(
  threadId: string | null,
  text: string,
  onText: (text: string) => void,
): readonly SlashCommand[] {
  const mention = mentionIn(text);
  const folder = folderOf(mention ?? "");
  const isAsked = threadId !== null && mention !== null;
  const listed = useQuery({
    ...folderQuery(threadId ?? "", folder),
    enabled: isAsked,
    staleTime: FRESH_MS,
    // A folder that does not exist is only half a path.
    retry: false,
  });
  const changed = useQuery({ ...changedFilesQuery(threadId ?? ""), enabled: isAsked, staleTime: FRESH_MS });
  const entries = listed.data?.entries;
  const latest = useRef({ text, onText });
  useEffect(() => {
    latest.current = { text, onText };
  }, [text, onText]);
  return useMemo(() => {
    if (!isAsked) return NONE;
    const written = (changed.data ?? []).filter(({ operation }) => operation !== "deleted").map(({ path }) => path);
    return fileCommands(folder, entries ?? [], written, (insert) => {
      const now = latest.current;
      now.onText(now.text.replace(MENTION, (_, before) => `${before}${insert}`));
    });
  }, [isAsked, folder, entries, changed.data]);
}

/** "" for the workspace itself. */
function folderOf(mention: string): string {
  return mention.slice(0, Math.max(0, mention.lastIndexOf("/")));
}

/** What is in a folder, then what the thread has written elsewhere. `choose` gets what takes the place of the mention. */
function fileCommands(
  folder: string,
  entries: readonly FileEntry[],
  written: readonly string[],
  choose: (insert: string) => void,
): SlashCommand[] {
  const at = folder === "" ? "" : `${folder}/`;
  const inFolder = entries.flatMap(({ name, type, size }): SlashCommand[] => {
    const path = `${at}${name}`;
    if (type === "file") return [fileCommand(path, `File, ${formatSize(size)}`, choose)];
    // A mention ends at a space, so that nothing could be chosen in such a folder.
    if (type !== "dir" || /\s/u.test(path)) return [];
    return [{ name: `@${path}/`, does: "Folder", key: `file ${path}/`, onChoose: () => choose(`@${path}/`) }];
  });
  const shown = new Set(inFolder.map(({ key }) => key));
  const elsewhere = written.map((path) => fileCommand(path, "File, written in this thread", choose));
  return [...inFolder, ...elsewhere.filter(({ key }) => !shown.has(key))];
}

function fileCommand(path: string, does: string, choose: (insert: string) => void): SlashCommand {
  return { name: `@${path}`, does, key: `file ${path}`, onChoose: () => choose(`${quoted(path)} `) };
}

/** As code, so that the model sees where a path ends. */
function quoted(path: string): string {
  return path.includes("`") ? path : `\`${path}\``;
}
