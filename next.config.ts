import type { NextConfig } from "next";

/** For every reply; the page policy with its nonce comes from proxy.ts. */
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Native modules, and modules that must be one instance for the start script and for Next.
  serverExternalPackages: [
    "better-sqlite3",
    "@prisma/client",
    "@prisma/adapter-better-sqlite3",
    "@prisma/adapter-pg",
    "pg",
    "pino",
    "re2js",
  ],
  // `npm run check` does it with the whole project; twice would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/:path*", headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })) },
  ],
  // No remote image is ever loaded or resized by the server.
  images: { unoptimized: true, remotePatterns: [], localPatterns: [] },
};

export default config;
