import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeysPage } from "@/components/admin/users/keys-page";
import { requirePageViewer } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "API keys" };

export default async function Page() {
  const services = pageServices();
  const viewer = await requirePageViewer(services, "/settings/keys");
  if (!viewer.scopes.includes("chat")) notFound();
  return <KeysPage scopes={viewer.scopes} />;
}
