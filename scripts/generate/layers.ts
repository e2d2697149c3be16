// Which folder may import what. `npm run generate` turns this table into Biome's rules; CONTRIBUTING.md explains it.

/** A folder of the project and the imports that Biome allows in it. */
export interface Layer {
  readonly folder: string;
  /** Patterns of import paths as Biome reads them: the last that matches decides, and `!` allows. */
  readonly patterns: readonly string[];
  readonly message: string;
}

const SMALL_LIBRARIES = ["yaml", "minisearch", "picomatch", "diff"];
const USER_INTERFACE = ["@/app/**", "@/components/**", "@/lib/client/**", "@/lib/testing/**", "react", "react-dom"];
const BROWSER_FORBIDS = ["@/app/**", "@prisma/**", "node:*", "next/server", "next/headers"];

/** The folders of lib/server, innermost first: each may import from those before it. */
export const SERVER_FOLDERS = [
  "platform",
  "http",
  "engine",
  "views",
  "audit",
  "settings",
  "users",
  "files",
  "skills",
  "extensions",
  "tools",
  "providers",
  "triggers",
  "agents",
  "threads",
  "file-access",
  "traces",
  "inbox",
  "channels",
  "usage",
  "status",
  "pages",
  "apis",
] as const;

/** The rest of lib that a folder of lib/server sees, where that is not all of it. */
const SEEN_FROM: Readonly<Record<string, readonly string[]>> = {
  platform: ["schema"],
  http: ["schema"],
  engine: ["schema", "agent", "context", "text", "permissions"],
};

export const LAYERS: readonly Layer[] = [
  core("schema", { packages: ["zod"] }),
  core("agent", { packages: ["zod"], folders: ["schema"] }),
  core("context", { packages: ["zod", ...SMALL_LIBRARIES], folders: ["schema", "agent"] }),
  core("text", { packages: ["zod", ...SMALL_LIBRARIES, "marked"], folders: ["schema", "agent"] }),
  core("permissions", { packages: ["zod", ...SMALL_LIBRARIES], folders: ["schema", "agent"] }),
  core("skills", { packages: ["zod", ...SMALL_LIBRARIES], folders: ["schema", "agent", "text"] }),
  core("tools", { packages: ["zod", ...SMALL_LIBRARIES], folders: ["schema", "agent", "skills"] }),
  core("prompt", { packages: ["zod", ...SMALL_LIBRARIES], folders: ["schema", "agent"] }),
  core("hooks", {
    packages: ["zod", ...SMALL_LIBRARIES],
    folders: ["schema", "agent", "tools", "prompt", "context", "text", "permissions", "skills"],
    own: false,
  }),
  core("models", { packages: ["zod", "ai", "@ai-sdk/*", "tokenlens/**"], folders: ["schema", "agent"] }),
  core("api-client", { packages: ["eventsource-parser"] }),
  core("sdk", { packages: ["zod"], folders: ["schema", "agent"], modules: ["models/scripted-model"], own: false }),
  core("workspaces", { packages: ["zod", "node:*", "re2js", "picomatch"], folders: ["schema", "agent"] }),
  {
    folder: "lib/client",
    patterns: [
      "../**",
      "@/lib/**",
      "!@/lib/schema/**",
      "!@/lib/api-client/**",
      "!@/lib/text/markdown/**",
      "!@/lib/text/yaml/**",
      "!@/lib/client/**",
      "@/components/**",
      ...BROWSER_FORBIDS,
    ],
    message:
      "lib/client may import only lib/schema, lib/api-client, lib/text/markdown, lib/text/yaml, lib/client and browser packages.",
  },
  {
    folder: "components",
    patterns: ["@/lib/**", "!@/lib/schema/**", "!@/lib/client/**", ...BROWSER_FORBIDS],
    message: "components may import only lib/schema, lib/client, components and browser packages.",
  },
  ...SERVER_FOLDERS.map(serverLayer),
  {
    folder: "lib/server/wiring",
    patterns: ["../**", ...USER_INTERFACE],
    message: "lib/server/wiring may import everything but user interfaces and tests.",
  },
  {
    folder: "app",
    patterns: ["@/lib/**", "!@/lib/schema/**", "!@/lib/client/**", "!@/lib/server/**", "@prisma/**"],
    message: "Pages and routes reach the agent through lib/server only.",
  },
];

interface CoreImports {
  readonly packages: readonly string[];
  readonly folders?: readonly string[];
  readonly modules?: readonly string[];
  /** Whether its own folders may be named by their full path. */
  readonly own?: boolean;
}

/** A folder of lib that knows neither server nor browser: nothing but what is listed. */
function core(name: string, { packages, folders = [], modules = [], own = true }: CoreImports): Layer {
  const inside = own ? [...folders, name] : folders;
  const allowed = [...packages, ...inside.map((folder) => `@/lib/${folder}/**`), ...modules.map((at) => `@/lib/${at}`)];
  const names = [...packages, ...[...folders, ...modules].map((folder) => `lib/${folder}`)];
  return {
    folder: `lib/${name}`,
    patterns: ["**", "!./**", ...allowed.map((pattern) => `!${pattern}`)],
    message: `lib/${name} may import only ${names.join(", ")}.`,
  };
}

function serverLayer(folder: (typeof SERVER_FOLDERS)[number], index: number): Layer {
  const before = folder === "engine" ? ["platform"] : SERVER_FOLDERS.slice(0, index);
  const inside = [...before, folder].map((name) => `!@/lib/server/${name}/**`);
  const seen = SEEN_FROM[folder];
  const lib = seen ? ["@/lib/**", ...seen.map((name) => `!@/lib/${name}/**`)] : ["@/lib/server/**"];
  // pages shares one read per request with the server components through React's cache.
  const interfaces = USER_INTERFACE.filter((pattern) => folder !== "pages" || pattern !== "react");
  const names = [...before, ...(seen ?? []).map((name) => `lib/${name}`)].join(", ");
  return {
    folder: `lib/server/${folder}`,
    patterns: ["../**", ...lib, ...inside, ...interfaces, ...(folder === "engine" ? ["next/**"] : [])],
    message: `Of this project, lib/server/${folder} may import only ${names}${seen ? "." : " and the rest of lib."}`,
  };
}
