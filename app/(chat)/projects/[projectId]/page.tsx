import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ProjectPage } from "@/components/projects/project-page";
import { AppError } from "@/lib/schema/app-error";
import { requirePageFrame } from "@/lib/server/pages/page-viewer";
import { getProject } from "@/lib/server/threads/projects/projects";
import { pageServices } from "@/lib/server/wiring/page-services";

interface PageProps {
  params: Promise<{ projectId: string }>;
}

export const metadata: Metadata = { title: "Project" };

export default async function Page({ params }: PageProps) {
  const services = pageServices();
  const { projectId } = await params;
  const { viewer, feedRevision } = await requirePageFrame(services, `/projects/${projectId}`);
  const project = await getProject(services.database, projectId, viewer).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  });
  return <ProjectPage key={projectId} initialProject={project} feedRevision={feedRevision} />;
}
