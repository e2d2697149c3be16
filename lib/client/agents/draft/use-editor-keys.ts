"use client";
import { useEffect, useRef } from "react";

/** Regions that F6 cycles through, by their landmark names. */
const REGIONS = ["[data-region=form]", "[data-region=yaml]", "[data-region=chat]"];
const FOCUSABLE = ".cm-content, textarea, input, select, button, a[href]";

interface EditorActions {
  readonly onSave: () => void;
  readonly onPublish: () => void;
}

/** Editor shortcuts that work while somebody types. */
export function useEditorKeys(actions: EditorActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("[role=dialog]") !== null) return;
      const run = actionOf(event, latest.current);
      if (run === null) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function actionOf(event: KeyboardEvent, { onSave, onPublish }: EditorActions): (() => void) | null {
  if (event.key === "F6") return () => focusNextRegion(event.shiftKey ? -1 : 1);
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return null;
  const key = `${event.shiftKey ? "shift+" : ""}${event.key.toLowerCase()}`;
  if (key === "s") return onSave;
  return key === "shift+p" ? onPublish : null;
}

function focusNextRegion(step: 1 | -1): void {
  const regions = REGIONS.map((selector) => document.querySelector(selector)).filter((region) => region !== null);
  const here = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(here + step + regions.length) % regions.length];
  const main = next?.querySelector<HTMLElement>(".cm-content, [data-composer]");
  (main ?? next?.querySelector<HTMLElement>(FOCUSABLE))?.focus();
}
