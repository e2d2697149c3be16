import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeysPage } from "@/components/admin/users/keys-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "API keys" };

export default async function Page() {
  const viewer = await requirePageViewer(processServices(), "/settings/keys");
  if (!viewer.scopes.includes("chat")) notFound();
  return <KeysPage scopes={viewer.scopes} />;
}
