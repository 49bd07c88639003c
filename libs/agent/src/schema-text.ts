import { zodToTypeScript } from "@karst/runtime";
import type { z } from "zod";

/** A schema as one TypeScript type; parts that contain themselves are declared behind it in a comment. */
export function schemaText(schema: z.ZodType): string {
  const { type, recursive } = zodToTypeScript(schema);
  return recursive.length === 0 ? type : `${type} /* ${recursive.map((part) => `type ${part.name} = ${part.type}`).join("; ")} */`;
}
