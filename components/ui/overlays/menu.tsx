"use client";
import { lazy, Suspense, useState } from "react";
import { ButtonContext } from "react-aria-components/Button";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { MenuProps } from "./menu-props";

const load = () => loadWithRetry(() => import("./loaded-menu"));
const LoadedMenu = lazy(async () => ({ default: (await load()).LoadedMenu }));
const prepare = () => void load();

/** A menu is loaded when its trigger is hovered, and opens when it is pressed: few of a page's menus ever are. */
export function Menu(props: MenuProps) {
  const [openedBy, setOpenedBy] = useState<"keys" | "pointer" | null>(null);
  const closed = (
    <ButtonContext.Provider
      value={{
        "aria-haspopup": "menu",
        "aria-expanded": false,
        onHoverStart: prepare,
        onPress: ({ pointerType }) =>
          setOpenedBy(pointerType === "keyboard" || pointerType === "virtual" ? "keys" : "pointer"),
        onKeyDown: ({ key }) => {
          if (key === "ArrowDown" || key === "ArrowUp") setOpenedBy("keys");
        },
      }}
    >
      {props.trigger}
    </ButtonContext.Provider>
  );
  if (openedBy === null) return closed;
  return (
    <Suspense fallback={closed}>
      <LoadedMenu {...props} openedBy={openedBy} />
    </Suspense>
  );
}
