import { paintFor } from '../terminal/colour.ts'
import type { Io } from '../io.ts'

/** A transcript with its headings set off, where there is colour. */
export function painted(text: string, { stdout, env }: Io): string {
  const paint = paintFor(stdout, env)
  return text.replace(/^=== .*$/gm, (heading) => paint('bold', heading))
}
