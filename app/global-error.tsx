"use client";
import "./globals.css";
import { useState } from "react";
import { BrokenPage, type BrokenPageProps } from "@/components/shell/broken-page";

/** When not even the frame could be drawn. It takes the place of the document and keeps its theme and its fonts. */
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
