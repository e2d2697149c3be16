"use client";
import { createContext, useContext } from "react";

/** Shows a file of the thread beside the conversation. */
export type OpenFile = (path: string, line?: number) => void;

const FileOpener = createContext<OpenFile | null>(null);
export const FileOpenerProvider = FileOpener.Provider;

/** Null if files can't be shown beside the conversation. */
export function useFileOpener(): OpenFile | null {
  return useContext(FileOpener);
}
