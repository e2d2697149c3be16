import type { Metadata } from "next";
import { GuidePage } from "@/components/guide/guide-page";
import { readGuideContents, readGuideIndex } from "@/lib/server/pages/guide";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Guide" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/guide");
  const [sections, contents] = await Promise.all([readGuideIndex(), readGuideContents()]);
  return <GuidePage sections={sections} shown={{ path: "", ...contents }} />;
}
