/** The look of a bundle: light and dark as the reader's system, and which of its parts is shown. */
export const BUNDLE_STYLE = `
:root { color-scheme: light dark; --text: #1c1b19; --muted: #6b675f; --line: #e4e1da; --surface: #fff;
  --soft: #f6f5f2; --fail: #b3261e; --wait: #8a6100; --tool: #4a6785; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ecebe8; --muted: #a19c92; --line: #3a3834; --surface: #1a1917; --soft: #24221f;
    --fail: #f0867d; --wait: #d9ac4e; --tool: #8fb0d3; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
header, nav, main { max-width: 1100px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 24px; }
h1 { margin: 0; font-size: 18px; overflow-wrap: anywhere; }
h2 { margin: 24px 0 4px; font-size: 14px; }
.facts { margin: 4px 0 16px; color: var(--muted); }
.layout { position: absolute; opacity: 0; }
nav label { display: inline-block; padding: 4px 10px; border-radius: 6px; color: var(--muted); cursor: pointer; }
main > section { display: none; padding-bottom: 48px; }
#read:checked ~ main > .read, #tree:checked ~ main > .tree, #waterfall:checked ~ main > .waterfall { display: block; }
#read:checked ~ nav [for=read], #tree:checked ~ nav [for=tree], #waterfall:checked ~ nav [for=waterfall] {
  background: var(--soft); color: var(--text); font-weight: 600; }
.layout:focus-visible ~ nav { outline: 2px solid var(--tool); outline-offset: 2px; }
pre { margin: 4px 0; padding: 8px 12px; background: var(--soft); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12.5px/1.5 ui-monospace, monospace; }
.message, .answer { white-space: pre-wrap; overflow-wrap: anywhere; margin: 8px 0; }
.message { padding: 8px 12px; background: var(--soft); border-radius: 6px; }
details { margin: 4px 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.child { margin-left: 16px; padding-left: 12px; border-left: 1px solid var(--line); }
.wait { margin: 8px 0; padding: 6px 12px; border-left: 3px solid var(--wait); color: var(--wait); }
.fail { color: var(--fail); }
.muted { color: var(--muted); }
ul { margin: 0; padding-left: 18px; list-style: none; }
.tree > ul { padding: 0; }
.tree li { padding: 1px 0; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 12.5px; }
td { padding: 2px 8px 2px 0; border-bottom: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
td:first-child { width: 34%; }
td:last-child { width: 90px; text-align: right; color: var(--muted); }
svg { display: block; width: 100%; height: 12px; }
.bar { fill: var(--text); }
.bar-tool, .bar-hook { fill: var(--tool); }
.bar-waiting { fill: var(--wait); }
.bar-failed { fill: var(--fail); }
`;
