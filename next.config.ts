import type { NextConfig } from "next";

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
  // No remote image is ever loaded or resized by the server.
  images: { unoptimized: true, remotePatterns: [], localPatterns: [] },
};

export default config;
