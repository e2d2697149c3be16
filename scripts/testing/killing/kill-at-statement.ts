// Loaded before the program by kills.test.ts: the process ends as by kill -9 before its nth statement (KILL_BEFORE).
import { registerHooks } from "node:module";

const fileOf = (name: string) => new URL(name, import.meta.url).href;
const WRAPPERS: Readonly<Record<string, { readonly file: string; readonly name: string }>> = {
  "better-sqlite3": { file: fileOf("sqlite.ts"), name: "KillingConnection" },
  pg: { file: fileOf("postgres.ts"), name: "killingPg" },
};

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = "" } = context;
    const wrapper = WRAPPERS[specifier];
    const isOurs = !parentURL.includes("/node_modules/") && wrapper?.file !== parentURL;
    if (wrapper === undefined || !isOurs) return next(specifier, context);
    const text = `export { ${wrapper.name} as default } from ${JSON.stringify(wrapper.file)}`;
    return { url: `data:text/javascript,${encodeURIComponent(text)}`, shortCircuit: true };
  },
});
