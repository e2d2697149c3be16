import type { Metadata } from "next";
import { PromptsPage } from "@/components/prompts/prompts-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";

export const metadata: Metadata = { title: "Prompts" };

export default async function Page() {
  await requirePageViewer("/prompts");
  return <PromptsPage />;
}
