import { promises as fs } from "node:fs";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { self } from "./local-descriptors";
import { FOLDER_FLAGS } from "./local-root";

/**
 * Whether `local` workspaces work here: they need Linux with /proc to open files relative to a folder's descriptor. On
 * other systems the server offers `state` workspaces.
 */
export async function probeLocalFiles(): Promise<SandboxStatus> {
  if (process.platform !== "linux") {
    const reason = `Local workspaces and commands need Linux; this is ${process.platform}.`;
    const remedy = "Run Ringmaster in a Linux container or virtual machine. Until then agents get `state` workspaces.";
    return { available: false, reason, remedy };
  }
  try {
    await using folder = await fs.open("/", FOLDER_FLAGS);
    await fs.lstat(`${self(folder)}/proc`);
    return { available: true, reason: null, remedy: null };
  } catch (error) {
    const reason = `Files can't be opened through /proc/self/fd: ${error instanceof Error ? error.message : error}`;
    return { available: false, reason, remedy: "Mount /proc for the server (mount -t proc proc /proc)." };
  }
}
