import type { Metadata } from "next";
import { SkillsPage } from "@/components/admin/skills/skills-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

export const metadata: Metadata = { title: "Skills" };

export default async function Page() {
  const services = pageServices();
  await requireAdminPage(services, "/admin/skills");
  return <SkillsPage />;
}
