import type { Metadata } from "next";
import { PromptsPage } from "@/components/prompts/prompts-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Prompts" };

export default async function Page() {
  await requirePageViewer(processServices(), "/prompts");
  return <PromptsPage />;
}
