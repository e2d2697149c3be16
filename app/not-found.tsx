import type { Metadata } from "next";
import { MissingPage, MissingText } from "@/components/shell/missing-page";
import { ShellView } from "@/components/shell/shell-view";
import { findPageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Not found" };

/** Everybody but administrators also gets this for admin pages. */
export default async function NotFound() {
  const viewer = await findPageViewer();
  if (!viewer) {
    return (
      <main className="h-dvh bg-surface">
        <MissingText />
      </main>
    );
  }
  return (
    <ShellView viewer={viewer}>
      <MissingPage />
    </ShellView>
  );
}
