import type { Metadata } from "next";
import { PromptsPage } from "@/components/prompts/prompts-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Prompts" };

export default async function Page() {
  const services = pageServices();
  await requirePageViewer(services, "/prompts");
  return <PromptsPage />;
}
