/** `--tiny`: so few rows and rounds that CI can run a benchmark to see that it still works; times are not judged. */
export const isTiny = process.argv.includes("--tiny");
