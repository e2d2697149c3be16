"use client";
import { useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { focusComposer } from "@/lib/client/chat/composer/use-composer-focus";
import { useUserFeed } from "@/lib/client/chat/use-user-feed";
import { errorMessage } from "@/lib/client/http/api";
import { nextTask } from "@/lib/client/http/load-in-pieces";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useRenderIf } from "@/lib/client/ui/input/use-render-if";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import { useOnline } from "@/lib/client/ui/use-browser";
import { useTimeOf } from "@/lib/client/ui/use-now";
import { answers, useSafeLinks } from "@/lib/client/ui/use-safe-links";
import { claimBrowser, onPersonGone } from "@/lib/client/users/browser-person";
import { signOut } from "@/lib/client/users/sign-out";
import type { Viewer } from "@/lib/schema/users/user";
import { ConnectionLine } from "./connection-line";
import type { PageKey } from "./keys-dialog";
import { TabBar } from "./places/tab-bar";
import { Rail, type RailProps } from "./rail";
import { NotLiveProvider, type PageAction, PageActionsProvider, type Shell, ShellProvider } from "./shell-context";
import type { Theme } from "./user-menu";
import { PageEnd, WaitForEnd } from "./wait-for-end";

const ChangePasswordDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/auth/change-password-dialog"))).ChangePasswordDialog,
}));
const KeysDialog = lazy(async () => ({ default: (await loadWithRetry(() => import("./keys-dialog"))).KeysDialog }));
const PhoneMenu = lazy(async () => ({ default: (await loadWithRetry(() => import("./phone-menu"))).PhoneMenu }));
const PaletteView = lazy(async () => ({
  default: (await loadWithRetry(() => import("./palette/palette-view"))).PaletteView,
}));

/** Not covered by the palette: its fields would be lost when leaving the page. A picker's list does not count. */
const DIALOG = "[role=dialog]:not([data-trigger])";

const SHELL_END = "shell-end";

type Open = "none" | "palette" | "keys" | "menu" | "password";

async function leave(): Promise<void> {
  try {
    await signOut();
    window.location.assign("/sign-in");
  } catch (error) {
    showToast({ title: errorMessage(error), tone: "error" });
  }
}

function notifyUnreachable(): void {
  showToast({
    title: navigator.onLine ? "The server does not answer" : "You are offline",
    description: "This page stays as it is. Try again when the connection is back.",
    tone: "error",
  });
}

/** Opens one of our pages; if the server cannot be reached, stays on this one and says so. Never a new function. */
function useGo(isReachable: boolean): (href: string) => void {
  const { push } = useRouter();
  const known = useRef(isReachable);
  useEffect(() => {
    known.current = isReachable;
  }, [isReachable]);
  return useCallback(
    (href) => {
      const go = async () =>
        (known.current && navigator.onLine) || (await answers()) ? push(href) : notifyUnreachable();
      void go();
    },
    [push],
  );
}

interface ShellViewProps {
  viewer: Viewer;
  /** The state of the viewer's feed before the page was read; null if unknown. */
  feedRevision?: string | null;
  children: ReactNode;
}

/** The frame of every signed-in page: rail, palette, keys, menu, and the feed that keeps lists fresh. */
export function ShellView({ viewer, feedRevision = null, children }: ShellViewProps) {
  const queryClient = useQueryClient();
  // Before anything below reads what the browser keeps.
  useState(() => typeof window !== "undefined" && claimBrowser(viewer.id));
  useEffect(() => {
    const leaveToo = () => {
      queryClient.clear();
      window.location.replace("/sign-in");
    };
    return onPersonGone(viewer.id, leaveToo);
  }, [viewer.id, queryClient]);
  const [open, setOpen] = useState<Open>("none");
  const renderIfOpen = useRenderIf(open !== "none");
  const pageActions = useRef(new Set<readonly PageAction[]>());
  const addPageActions = useCallback(
    (actions: readonly PageAction[]) => {
      pageActions.current.add(actions);
      renderIfOpen();
      return () => void pageActions.current.delete(actions);
    },
    [renderIfOpen],
  );
  const pageKeys = useRef<readonly PageKey[]>([]);
  const setPageKeys = useCallback(
    (keys: readonly PageKey[]) => {
      pageKeys.current = keys;
      renderIfOpen();
    },
    [renderIfOpen],
  );
  const isOnline = useOnline();
  const connection = useUserFeed(viewer.id, feedRevision);
  const notLiveSince = useTimeOf(!isOnline || connection !== "connected");
  const go = useGo(connection === "connected");
  useSafeLinks(connection === "connected", go);
  const openPaletteByKey = () => {
    if (open !== "none" || document.querySelector(DIALOG) === null) setOpen("palette");
  };
  const writeMessage = () => {
    if (!focusComposer()) go("/");
  };
  useShortcuts({ "mod+k": openPaletteByKey, "?": () => setOpen("keys"), c: writeMessage });
  const openMenu = useCallback(() => setOpen("menu"), []);
  const shell = useMemo<Shell>(
    () => ({ viewer, setPageKeys, openPalette: () => setOpen("palette"), go }),
    [viewer, go, setPageKeys],
  );
  const menu = useMemo(
    () => ({
      viewer,
      onOpenPalette: () => setOpen("palette"),
      onShowKeys: () => setOpen("keys"),
      onChangePassword: () => setOpen("password"),
      onSignOut: () => void leave(),
    }),
    [viewer],
  );
  useEffect(() => {
    const begin = async () => {
      await nextTask();
      const { rescueFocus } = await import("@/lib/client/ui/input/rescue-focus");
      return rescueFocus();
    };
    const begun = begin();
    return () => void begun.then((end) => end());
  }, []);
  return (
    <ShellProvider value={shell}>
      {/* Painted in parts, the page would move when its tab bar arrives. */}
      <WaitForEnd id={SHELL_END} />
      <div className="flex h-dvh flex-col">
        <ConnectionLine connection={connection} isOnline={isOnline} />
        <div className="flex min-h-0 flex-1">
          <Rail {...menu} />
          <NotLiveProvider value={notLiveSince}>
            <PageActionsProvider value={addPageActions}>{children}</PageActionsProvider>
          </NotLiveProvider>
        </div>
        <TabBar role={viewer.role} onMore={openMenu} />
      </div>
      <PageEnd id={SHELL_END} />
      {open === "none" ? null : (
        <Opened
          what={open}
          menu={menu}
          pageKeys={pageKeys.current}
          pageActions={[...pageActions.current].flat()}
          onClose={() => setOpen("none")}
        />
      )}
    </ShellProvider>
  );
}

interface OpenedProps {
  what: Exclude<Open, "none">;
  menu: RailProps;
  pageKeys: readonly PageKey[];
  pageActions: readonly PageAction[];
  onClose: () => void;
}

function Opened({ what, menu, pageKeys, pageActions, onClose }: OpenedProps) {
  const pathname = usePathname();
  const { theme, resolvedTheme, setTheme } = useTheme();
  const themed = { ...menu, theme: (theme ?? "system") as Theme, onTheme: setTheme };
  return (
    <Suspense>
      {what === "menu" ? (
        <PhoneMenu {...themed} pathname={pathname} isDark={resolvedTheme === "dark"} isOpen onClose={onClose} />
      ) : null}
      {what === "keys" ? <KeysDialog pageKeys={pageKeys} isOpen onClose={onClose} /> : null}
      {what === "password" ? <ChangePasswordDialog isOpen onClose={onClose} /> : null}
      {what === "palette" ? <PaletteView {...themed} pageActions={pageActions} onClose={onClose} /> : null}
    </Suspense>
  );
}
