import type { CreateMcpServerBody } from "@/lib/schema/tools/mcp-server";
import { newRequestForm, type RequestForm } from "./request-tool-form";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly says: string;
}

/** Opens the dialog of HTTP tools, filled in. */
interface RequestEntry extends Entry {
  readonly kind: "request";
  readonly form: RequestForm;
}

/** Needs one text, and becomes an MCP server. */
interface ServerEntry extends Entry {
  readonly kind: "server";
  readonly asks: { readonly label: string; readonly description: string; readonly isSecret: boolean };
  readonly serverOf: (answer: string) => CreateMcpServerBody;
}

export type GalleryEntry = RequestEntry | ServerEntry;

const text = (schema: object) => JSON.stringify({ type: "object", ...schema }, null, 2);

/** Tools that only need their address or key. */
export const TOOL_GALLERY: readonly GalleryEntry[] = [
  {
    kind: "request",
    id: "weather",
    title: "Weather",
    says: "The weather at a place now, from Open-Meteo. It needs no key.",
    form: {
      ...newRequestForm(),
      name: "weather",
      description:
        "The weather at a place now: temperature in °C, wind in km/h, precipitation in mm and a WMO weather code. Give the coordinates of the place.",
      url: "https://api.open-meteo.com/v1/forecast",
      query:
        "latitude={latitude}\nlongitude={longitude}\ncurrent=temperature_2m,apparent_temperature,precipitation,wind_speed_10m,weather_code",
      result: "$.current",
      arguments: text({
        properties: {
          latitude: { type: "number", description: "North is positive" },
          longitude: { type: "number", description: "East is positive" },
        },
        required: ["latitude", "longitude"],
      }),
    },
  },
  {
    kind: "request",
    id: "searxng",
    title: "SearXNG",
    says: "Web search through a SearXNG server of your own, with JSON among its formats.",
    form: {
      ...newRequestForm(),
      name: "searxng",
      description: "Searches the web and returns the first results with title, address and an excerpt.",
      url: "https://searxng.example.org/search",
      query: "q={query}\nformat=json\ncategories={category}",
      result: "$.results[:8]",
      arguments: text({
        properties: {
          query: { type: "string", description: "What to search for" },
          category: { type: "string", enum: ["general", "news", "science", "it"] },
        },
        required: ["query"],
      }),
    },
  },
  {
    kind: "server",
    id: "github",
    title: "GitHub",
    says: "Repositories, issues and pull requests, through GitHub's own MCP server.",
    asks: {
      label: "Personal access token",
      description: "Made at github.com under Settings › Developer settings. Stored encrypted, never shown again.",
      isSecret: true,
    },
    serverOf: (token) => ({
      ...{ id: "github", transport: "http", url: "https://api.githubcopilot.com/mcp/" },
      ...{ auth: "bearer", token },
    }),
  },
  {
    kind: "server",
    id: "filesystem",
    title: "Filesystem",
    says: "Reads and searches a folder of the server's machine, through the reference MCP server.",
    asks: {
      label: "Folder",
      description:
        "An absolute path, read-only. The program must be installed: npm install --global @modelcontextprotocol/server-filesystem.",
      isSecret: false,
    },
    serverOf: (folder) => ({
      ...{ id: "filesystem", transport: "stdio", command: "mcp-server-filesystem", args: [folder] },
      mounts: [{ path: folder, readOnly: true }],
    }),
  },
];
