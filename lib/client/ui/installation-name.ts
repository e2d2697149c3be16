"use client";
import { createContext, use } from "react";

/** What the installation is called, from its settings. */
export const InstallationName = createContext("Ringmaster");

export function useInstallationName(): string {
  return use(InstallationName);
}
