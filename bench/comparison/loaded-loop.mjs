// Loads the module named and stays; see measure-rest.ts.
await import(process.argv[2]);
process.stdout.write("loaded\n");
setInterval(() => undefined, 60_000);
