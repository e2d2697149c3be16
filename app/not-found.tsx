import type { Metadata } from "next";
import { LazyMissingShell, LazyMissingText } from "@/components/shell/lazy-missing";
import { findPageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Not found" };

/** For everybody but administrators, also shown for admin pages. */
export default async function NotFound() {
  const services = pageServices();
  const viewer = await findPageViewer(services);
  if (!viewer) {
    return (
      <main className="h-dvh bg-surface">
        <LazyMissingText />
      </main>
    );
  }
  return <LazyMissingShell viewer={viewer} />;
}
