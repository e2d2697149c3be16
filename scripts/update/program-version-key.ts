/** The setting that names the version of the program that wrote a database last. */
export const PROGRAM_VERSION = "program_version";
