import type { Metadata } from "next";
import { SkillsPage } from "@/components/admin/skills/skills-page";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { processServices } from "@/lib/server/platform/services";

export const metadata: Metadata = { title: "Skills" };

export default async function Page() {
  await requireAdminPage(processServices(), "/admin/skills");
  return <SkillsPage />;
}
