import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findSection } from "@/components/admin/settings/sections";
import { SettingsPage } from "@/components/admin/settings/settings-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ params }: { params: Promise<{ section: string }> }) {
  const services = pageServices();
  const { section } = await params;
  await requireAdminPage(services, `/admin/settings/${section}`);
  const found = findSection(section);
  if (!found) notFound();
  return <SettingsPage section={found.id} />;
}
