import { config } from "zod";

// Zod would try `new Function` once, which the pages' content policy refuses and browsers report as a violation.
config({ jitless: true });
