"use client";
import { createContext, use } from "react";

/** The installation's name, from its settings. */
export const InstallationName = createContext("Ringmaster");

export function useInstallationName(): string {
  return use(InstallationName);
}
