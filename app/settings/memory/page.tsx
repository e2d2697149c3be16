import type { Metadata } from "next";
import { OwnMemoryPage } from "@/components/settings/own-memory-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "What is remembered about me" };

export default async function Page() {
  await requirePageViewer(processServices(), "/settings/memory");
  return <OwnMemoryPage />;
}
