import { defineConfig, devices } from "@playwright/test";

const STAY_OFF_THE_NETWORK = [
  "--no-sandbox",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The shell of Chromium has no permission to notify that one could grant. */
const NEEDS_A_WINDOW = "notifications.spec.ts";

const launch = (executablePath: string | undefined) => ({ executablePath, args: STAY_OFF_THE_NETWORK });

/** Run through `npm run e2e`, which starts the server and names the browser. */
export default defineConfig({
  testDir: "e2e",
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // npm test names the journeys that needed it.
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json"]],
  use: {
    baseURL: process.env.RINGMASTER_E2E_URL,
    // A click on what never comes costs seconds, not the whole time of its journey.
    actionTimeout: 30_000,
    // Recording every step costs as much as a third of the journeys.
    trace: process.env.CI ? "on-first-retry" : "retain-on-failure",
    // Drawing what moves takes a fifth of the journeys' processor time; what motion could break has journeys with it.
    contextOptions: { reducedMotion: "reduce" },
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
  },
  projects: [
    { name: "desktop", testIgnore: NEEDS_A_WINDOW, use: { launchOptions: launch(process.env.RINGMASTER_E2E_SHELL) } },
    { name: "window", testMatch: NEEDS_A_WINDOW, use: { launchOptions: launch(process.env.RINGMASTER_E2E_CHROMIUM) } },
  ],
});
