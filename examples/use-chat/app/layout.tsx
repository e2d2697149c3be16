import "./page.css";
import type { ReactNode } from "react";

export const metadata = { title: "A chat with useChat" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
