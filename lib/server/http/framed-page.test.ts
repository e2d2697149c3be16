import { expect, test } from "vitest";
import { framedPage } from "@/lib/server/http/framed-page";

test("a framed page has an origin of its own and may run one script", async () => {
  const reply = framedPage({ body: "<p>x</p>", scripts: ["1"], images: "https://a.example" });
  const policy = reply.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("sandbox allow-scripts");
  expect(policy).not.toContain("allow-same-origin");
  expect(policy).toContain("img-src https://a.example;");
  expect(policy).toContain("script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='");
  expect(policy).not.toContain("script-src 'unsafe-inline'");
});
