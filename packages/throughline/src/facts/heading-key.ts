/** Headings are compared without regard to case, level, spaces and marks. */
export function headingKey(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[\s#*:]+/g, ' ')
    .trim()
}
