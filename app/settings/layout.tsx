import type { ReactNode } from "react";
import { SettingsNav } from "@/components/settings/settings-nav";
import { ShellView } from "@/components/shell/shell-view";
import { findPageFrame } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

/** The frame. The page redirects visitors who are not signed in, because it knows where to return to. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const services = pageServices();
  const frame = await findPageFrame(services);
  if (!frame) return children;
  return (
    <ShellView {...frame}>
      <div className="flex min-w-0 flex-1 max-lg:flex-col">
        <SettingsNav />
        {children}
      </div>
    </ShellView>
  );
}
