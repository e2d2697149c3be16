import type { NextConfig } from "next";
import { PHASE_PRODUCTION_BUILD } from "next/constants";

/** For every reply; the page policy with its nonce comes from proxy.ts. */
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
};

/**
 * For what is behind the link of a shared thread: no search engine lists it, no page opened from it learns the address.
 */
const SHARE_HEADERS = [
  { key: "Cache-Control", value: "no-store" },
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "X-Robots-Tag", value: "noindex, nofollow" },
];

/** Where pages were before 0.2.0, in links that people and notifications kept. The query stays. */
const OLD_ADDRESSES: readonly (readonly [string, string])[] = [
  ["/schedules/heartbeats", "/automations/heartbeats"],
  ["/schedules/:path*", "/automations/schedules/:path*"],
  ["/boards/:path*", "/automations/boards/:path*"],
  ["/admin/webhooks", "/automations/webhooks"],
  ["/admin/channels", "/automations/channels"],
  ["/admin/memory", "/admin/agents"],
  ["/admin/users", "/admin/people"],
  ["/admin/keys", "/settings/keys"],
  ["/admin/providers", "/admin/models"],
  ["/admin/audit", "/admin/settings/audit"],
  ["/admin/extensions", "/admin/tools?tab=extensions"],
];

const config: NextConfig = {
  // Otherwise Next looks for the lock files of the folders above, and warns of one in somebody's home.
  turbopack: { root: import.meta.dirname },
  // Found by their place in the working directory.
  outputFileTracingExcludes: { "/**": ["./{app,bench,components,docs,e2e,examples,lib,prisma,public,scripts}/**"] },
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // Native modules, modules that must be one instance for the start script and for Next, and large server libraries:
  // bundled, each route would get its own copy of them, and the build would take three times as long.
  serverExternalPackages: [
    "@ai-sdk/anthropic",
    "@ai-sdk/google",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/provider",
    "@modelcontextprotocol/sdk",
    "@modelcontextprotocol/server",
    "@opentelemetry/otlp-transformer",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@prisma/driver-adapter-utils",
    "ai",
    "better-auth",
    "better-sqlite3",
    "diff",
    "imapflow",
    "ipaddr.js",
    "minisearch",
    "pg",
    "pg-boss",
    "picomatch",
    "pino",
    "re2js",
    "undici",
    "web-push",
    "yaml",
    "yauzl",
    "zod",
  ],
  experimental: {
    // A page seen in the last two minutes is there at once, and then asks for what is new: its data are queries, which the
    // feed of changes keeps current.
    staleTimes: { dynamic: 120 },
    // A page is loaded when it is first asked for: all of them would take 60 MB.
    preloadEntriesOnStart: false,
    // The server's code stays readable in stack traces without maps, and the first start does not wait for minification
    // or maps.
    turbopackMinify: { server: false, client: true },
    turbopackSourceMaps: false,
    // Writing it takes a third of a build; scripts/server/build.ts makes sure that nothing is built twice.
    turbopackFileSystemCacheForBuild: false,
  },
  // `npm run check` type-checks the whole project; doing it twice would only slow down the first start.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    // What may be framed names its embedder in its own policy, which old browsers would ignore.
    { source: "/:path((?!api/frames/).*)", headers: [{ key: "X-Frame-Options", value: "DENY" }] },
    { source: "/:path*", headers: Object.entries(SECURITY_HEADERS).map(([key, value]) => ({ key, value })) },
    // The worker that shows push notifications: browsers request it again at each visit.
    { source: "/sw.js", headers: [{ key: "Cache-Control", value: "no-cache" }] },
    ...["/share/:path*", "/api/shares/:path*"].map((source) => ({ source, headers: SHARE_HEADERS })),
  ],
  redirects: async () => [
    {
      source: "/admin/memory",
      has: [{ type: "query", key: "agent", value: "(?<agent>.+)" }],
      destination: "/admin/agents/:agent/memory",
      permanent: true,
    },
    ...OLD_ADDRESSES.map(([source, destination]) => ({ source, destination, permanent: true })),
  ],
  // Browsers request it while a page changes, and for pages that name no icon.
  rewrites: async () => [{ source: "/favicon.ico", destination: "/icons/icon.svg" }],
  // No remote image is ever loaded or resized by the server.
  images: { unoptimized: true, remotePatterns: [], localPatterns: [] },
};

/**
 * What a build lists of the files of packages that a server reads is what a release brings (scripts/release). A start
 * that found this would warn of it.
 */
export default (phase: string): NextConfig =>
  phase === PHASE_PRODUCTION_BUILD ? { ...config, output: "standalone" } : config;
