/** The five kinds of memory (T12), in their order: the headings that no template may drop. */
export const coreHeadings: readonly string[] = [
  'Goal',
  'Instructions',
  'Discoveries',
  'Accomplished',
  'Relevant files',
]

/** Headings are compared without regard to case, level, spaces and marks. */
export function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[\s#*:]+/g, ' ')
    .trim()
}
