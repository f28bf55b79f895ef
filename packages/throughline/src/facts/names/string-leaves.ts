/** Inputs nest a few levels; deeper ones are malicious. */
const DEEPEST = 32

/** The strings inside a decoded value, in order: the words of a tool's input. */
export function stringLeaves(value: unknown): string[] {
  const leaves: string[] = []
  collect(value, leaves, 0)
  return leaves
}

function collect(value: unknown, leaves: string[], depth: number): void {
  if (typeof value === 'string') leaves.push(value)
  else if (depth < DEEPEST && typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, leaves, depth + 1)
  }
}
