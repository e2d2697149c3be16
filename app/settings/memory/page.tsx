import type { Metadata } from "next";
import { OwnMemoryPage } from "@/components/settings/own-memory-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "What is remembered about me" };

export default async function Page() {
  await requirePageViewer("/settings/memory");
  return <OwnMemoryPage />;
}
