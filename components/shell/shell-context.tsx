"use client";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { Viewer } from "@/lib/schema/users/user";
import type { PageKey } from "./keys-dialog";

export interface Shell {
  viewer: Viewer;
  openPalette: () => void;
  /** Goes to one of our pages, or says why it stays. */
  go: (href: string) => void;
  setPageKeys: (keys: readonly PageKey[]) => void;
}

const ShellContext = createContext<Shell | null>(null);
export const ShellProvider = ShellContext.Provider;

/** The shell's services for the page inside it. */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error("useShell needs the shell around the page");
  return shell;
}

/** What can be done with what the page shows, by name in the palette. */
export interface PageAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly onRun: () => void;
}

type AddPageActions = (actions: readonly PageAction[]) => () => void;
const PageActionsContext = createContext<AddPageActions>(() => () => undefined);
export const PageActionsProvider = PageActionsContext.Provider;

/** Offers these in the palette while the component is shown; pass a constant or what `useMemo` keeps. */
export function usePageActions(actions: readonly PageAction[]): void {
  const add = useContext(PageActionsContext);
  useEffect(() => add(actions), [add, actions]);
}

const NotLiveContext = createContext<number | null>(null);
export const NotLiveProvider = NotLiveContext.Provider;

/** Since when the page may be out of date: offline, the server away, or signed out. Null while it is live. */
export function useNotLiveSince(): number | null {
  return useContext(NotLiveContext);
}

/** Null on a page without the shell. */
export function useViewerId(): string | null {
  return useContext(ShellContext)?.viewer.id ?? null;
}

/** False on a page without the shell. */
export function useIsAdmin(): boolean {
  return useContext(ShellContext)?.viewer.role === "admin";
}

/** Tells the `?` dialog which keys this page listens to; pass a constant. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const { setPageKeys } = useShell();
  useEffect(() => {
    setPageKeys(keys);
    return () => setPageKeys([]);
  }, [keys, setPageKeys]);
}
