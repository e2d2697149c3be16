"use client";
import type { Viewer } from "@/lib/schema/users/user";
import { MissingPage } from "./missing-page";
import { ShellView } from "./shell-view";

export function MissingShell({ viewer }: { viewer: Viewer }) {
  return (
    <ShellView viewer={viewer}>
      <MissingPage />
    </ShellView>
  );
}
