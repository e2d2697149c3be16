"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { folderQuery } from "@/lib/client/files/file-queries";
import { errorMessage } from "@/lib/client/http/api";
import { forkThread, type MessagePlace } from "./branch-actions";

/** What a fork can take along besides the messages, what was chosen of it, and forking. */
export interface Fork {
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  /** The new thread has the same files anyway. */
  readonly sharesFiles: boolean;
  readonly isPending: boolean;
  readonly problem: string | null;
  readonly start: () => Promise<void>;
}

/** A new thread with everything up to the message; `onForked` gets its id. */
export function useFork(place: MessagePlace, onForked: (threadId: string) => void): Fork {
  const files = useQuery(folderQuery(place.threadId, ""));
  const sharesFiles = files.data?.sharedThreads !== undefined;
  const hasOwnFiles = files.data !== undefined && !sharesFiles && files.data.hasWorkspace !== false;
  const [chosen, choose] = useState<readonly string[]>(["files"]);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const start = async () => {
    setPending(true);
    setProblem(null);
    try {
      const carry = { files: hasOwnFiles && chosen.includes("files"), todos: chosen.includes("todos") };
      onForked(await forkThread(place, carry));
    } catch (error) {
      setProblem(errorMessage(error));
    }
    setPending(false);
  };
  const choices = [
    ...(hasOwnFiles ? [{ id: "files", name: "The files as they are now" }] : []),
    { id: "todos", name: "The todos as they were here" },
  ];
  return { choices, chosen, choose, sharesFiles, isPending, problem, start };
}
