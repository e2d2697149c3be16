/** The names of the tools that read files, as models and rules know them. */
export const READ_FILE = { name: "read_file", aliases: ["Read"], argumentAliases: { file_path: "path" } };
export const LS = { name: "ls", aliases: ["LS"], argumentAliases: {} };
export const GLOB = { name: "glob", aliases: ["Glob"], argumentAliases: {} };
export const GREP = { name: "grep", aliases: ["Grep"], argumentAliases: {} };
