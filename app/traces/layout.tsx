import type { ReactNode } from "react";
import { ShellView } from "@/components/shell/shell-view";
import { findPageViewer } from "@/lib/server/pages/page-viewer";

/** The frame. The page redirects visitors who are not signed in, because it knows where to return to. */
export default async function TracesLayout({ children }: { children: ReactNode }) {
  const viewer = await findPageViewer();
  return viewer ? <ShellView viewer={viewer}>{children}</ShellView> : children;
}
