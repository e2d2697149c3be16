import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SkillPage } from "@/components/admin/skill-page";
import { SkillName } from "@/lib/schema/skill";
import { requireAdminPage } from "@/lib/server/page-viewer";

interface Props {
  params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).name };
}

export default async function Page({ params }: Props) {
  const name = SkillName.safeParse((await params).name);
  if (!name.success) notFound();
  await requireAdminPage(`/admin/skills/${name.data}`);
  return <SkillPage name={name.data} />;
}
