import type { ReactNode } from "react";
import { ShellView } from "@/components/shell/shell-view";
import { findPageViewer } from "@/lib/server/pages/page-viewer";

/** The frame. Visitors who are not signed in are redirected by the page, which knows where to come back to. */
export default async function BoardsLayout({ children }: { children: ReactNode }) {
  const viewer = await findPageViewer();
  return viewer ? <ShellView viewer={viewer}>{children}</ShellView> : children;
}
