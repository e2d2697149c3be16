import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findSection } from "@/components/admin/settings/sections";
import { SettingsPage } from "@/components/admin/settings/settings-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ params }: { params: Promise<{ section: string }> }) {
  const { section } = await params;
  await requireAdminPage(processServices(), `/admin/settings/${section}`);
  const found = findSection(section);
  if (!found) notFound();
  return <SettingsPage section={found.id} />;
}
