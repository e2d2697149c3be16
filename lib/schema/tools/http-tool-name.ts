import { z } from "zod";

export const HttpToolName = z.string().regex(/^[a-z0-9_]{1,64}$/, "must be 1 to 64 small letters, digits and _");
