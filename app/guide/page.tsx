import type { Metadata } from "next";
import { GuidePage } from "@/components/guide/guide-page";
import { readGuideIndex } from "@/lib/server/pages/guide";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Guide" };

export default async function Page() {
  await requirePageViewer("/guide");
  return <GuidePage sections={await readGuideIndex()} shown={null} />;
}
