import type { Metadata } from "next";
import { OwnMemoryPage } from "@/components/settings/own-memory-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "What is remembered about me" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/settings/memory");
  return <OwnMemoryPage />;
}
