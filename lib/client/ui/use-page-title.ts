"use client";
import { useEffect } from "react";
import { useInstallationName } from "./installation-name";

/** The tab's title: how many calls wait for the person, otherwise a mark while something is running. */
export function usePageTitle(title: string, isRunning: boolean, waiting = 0): void {
  const name = useInstallationName();
  useEffect(() => {
    const mark = waiting > 0 ? `(${waiting}) ` : isRunning ? "◌ " : "";
    document.title = `${mark}${title} · ${name}`;
  }, [title, isRunning, waiting, name]);
}
