import { type NextRequest, NextResponse } from "next/server";

/**
 * Gives each page a nonce for its scripts and the policy that names it. It does nothing else; access is the routes'
 * concern.
 */
export function proxy(request: NextRequest) {
  const nonce = btoa(crypto.randomUUID());
  const policy = pagePolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

// API routes set what they need themselves, and a proxy in front of them would buffer uploads.
export const config = {
  matcher: [
    {
      source:
        "/((?!api/|agents(?:/|$)|v1/|hooks/|health$|_next/static/|_next/image|favicon\\.ico$|icons/|manifest\\.webmanifest$|sw\\.js$).*)",
    },
  ],
};

function pagePolicy(nonce: string): string {
  // React's development build evaluates code to rebuild server stacks.
  const development = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
