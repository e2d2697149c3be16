"use client";
import "./globals.css";
import { useState } from "react";
import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";

/** Shown if not even the frame could be rendered. It replaces the document and keeps its theme and fonts. */
export default function GlobalError(props: BrokenPageProps) {
  const [className] = useState(documentClasses);
  return (
    <html lang="en" className={className}>
      <body>
        <title>Ringmaster</title>
        <BrokenPage {...props} />
      </body>
    </html>
  );
}

function documentClasses(): string {
  return typeof document === "undefined" ? "" : document.documentElement.className;
}
