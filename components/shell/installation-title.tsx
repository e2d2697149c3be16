"use client";
import { Mark } from "@/components/ui/mark";
import { useInstallationName } from "@/lib/client/ui/installation-name";

/** The mark and the installation's name. */
export function InstallationTitle({ size }: { size?: number }) {
  return (
    <>
      <Mark size={size} /> <span className="min-w-0 break-words">{useInstallationName()}</span>
    </>
  );
}
