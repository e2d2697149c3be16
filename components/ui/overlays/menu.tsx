"use client";
import { lazy, Suspense, useState } from "react";
import { TriggerContext } from "@/components/ui/controls/press-button";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { MenuProps } from "./menu-props";

const load = () => loadWithRetry(() => import("./loaded-menu"));
const LoadedMenu = lazy(async () => ({ default: (await load()).LoadedMenu }));
const prepare = () => void load();

/** A menu is loaded when its trigger is hovered, and opens when it is pressed: few of a page's menus ever are. */
export function Menu(props: MenuProps) {
  const [openedBy, setOpenedBy] = useState<"keys" | "pointer" | null>(null);
  const closed = (
    <TriggerContext
      value={{
        attributes: { "aria-haspopup": "menu", "aria-expanded": false },
        onPointerEnter: prepare,
        onPress: setOpenedBy,
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          event.stopPropagation();
          setOpenedBy("keys");
        },
      }}
    >
      {props.trigger}
    </TriggerContext>
  );
  if (openedBy === null) return closed;
  return (
    <Suspense fallback={closed}>
      <LoadedMenu {...props} openedBy={openedBy} />
    </Suspense>
  );
}
