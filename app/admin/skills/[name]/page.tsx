import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SkillPage } from "@/components/admin/skills/skill-page";
import { SkillName } from "@/lib/schema/skills/skill";
import { requireAdminPage } from "@/lib/server/pages/page-viewer";
import { pageServices } from "@/lib/server/wiring/page-services";

interface Props {
  params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function Page({ params }: Props) {
  const services = pageServices();
  const { name: given } = await params;
  await requireAdminPage(services, `/admin/skills/${encodeURIComponent(given)}`);
  const name = SkillName.safeParse(given);
  if (!name.success) notFound();
  return <SkillPage key={name.data} name={name.data} />;
}
