"use client";
import { createContext, useContext } from "react";
import { isSeen } from "./artifact-kind";

/** Shows a file of the thread beside the conversation. */
export type OpenFile = (path: string, line?: number) => void;

const FileOpener = createContext<OpenFile | null>(null);
export const FileOpenerProvider = FileOpener.Provider;

/** Null if files can't be shown beside the conversation. */
export function useFileOpener(): OpenFile | null {
  return useContext(FileOpener);
}

/** Shows what is more than its text beside the conversation, where that is possible, and other files by `show`. */
export function useFileDisplay(show: (path: string) => void): (path: string) => void {
  const openBeside = useFileOpener();
  return (path) => (openBeside !== null && isSeen(path) ? openBeside(path) : show(path));
}
