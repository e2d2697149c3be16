"use client";
import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";

export default function ErrorPage(props: BrokenPageProps) {
  return <BrokenPage {...props} />;
}
