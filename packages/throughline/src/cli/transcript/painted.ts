import { paintFor } from '../terminal/colour.ts'
import type { Io } from '../io.ts'

/** A transcript with colored headings, if colors are on. */
export function painted(text: string, { stdout, env }: Io): string {
  const paint = paintFor(stdout, env)
  return text.replace(/^=== .*$/gm, (heading) => paint('bold', heading))
}
