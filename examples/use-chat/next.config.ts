import type { NextConfig } from "next";

const config: NextConfig = {
  // This folder lies in a larger repository, which is not part of the application.
  turbopack: { root: import.meta.dirname },
};

export default config;
