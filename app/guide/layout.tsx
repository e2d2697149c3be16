import type { ReactNode } from "react";
import { ShellView } from "@/components/shell/shell-view";
import { findPageFrame } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

/** The frame. The page redirects visitors who are not signed in, because it knows where to return to. */
export default async function GuideLayout({ children }: { children: ReactNode }) {
  const services = pageServices();
  const frame = await findPageFrame(services);
  return frame ? <ShellView {...frame}>{children}</ShellView> : children;
}
