import { headingKey } from './heading-key.ts'
import { coreHeadings, coreSections } from './summary/sections/core-sections.ts'

/**
 * What a line that looks like a heading is the heading of: its name as the template writes it, and
 * whether it was written so; `undefined` for one that is in no template.
 */
export type HeadingNames = (written: string) => HeadingName | undefined

/** The heading of a template that a line is. */
interface HeadingName {
  name: string
  exact: boolean
  /** What the line says by itself, where it names only a part of what belongs there. */
  label?: string
}

const coreOf = namesByWords('otherNames')
const partOf = namesByWords('partNames')

function namesByWords(kind: 'otherNames' | 'partNames'): ReadonlyMap<string, string> {
  return new Map(
    coreSections.flatMap(({ heading, [kind]: words }) =>
      (words?.split(/,\s+/) ?? []).map((word) => [headingKey(word), heading] as const),
    ),
  )
}

/** The headings of a template as written, without the marks and numbers around them. */
export function exactNames(headings: readonly string[]): HeadingNames {
  const known = new Map(headings.map((heading) => [headingKey(heading), heading]))
  return (written) => {
    for (const each of readings(written)) {
      const name = known.get(headingKey(each))
      if (name !== undefined) return { name, exact: true }
    }
    return undefined
  }
}

/** The same, and other words for the core headings, also in other languages. */
export function namesInAnswers(headings: readonly string[]): HeadingNames {
  const exact = exactNames(headings)
  const asked = new Set(headings)
  return (written) => {
    const found = exact(written)
    if (found) return found
    for (const each of readings(written)) {
      const name = coreOf.get(headingKey(each))
      if (name !== undefined && asked.has(name)) return { name, exact: false }
    }
    for (const each of readings(written)) {
      const name = partOf.get(headingKey(each).replaceAll(',', ''))
      if (name !== undefined && asked.has(name))
        return { name, exact: false, label: bareName(written) }
    }
    return undefined
  }
}

export const coreNames: HeadingNames = exactNames(coreHeadings)

/** A heading without number, bullet, emoji and brackets; and what stands beside and in its parentheses. */
function readings(written: string): string[] {
  const bare = bareName(written)
  const match = /^([^(（/|]{1,60})[(（/|]([^)）]{1,60})[)）]?$/u.exec(bare)
  const parts = match ? [bareName(match[1] ?? ''), bareName(match[2] ?? '')] : []
  return [written, bare, ...parts].filter((each) => each !== '')
}

function bareName(written: string): string {
  return written
    .slice(0, 120)
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^(?:section\s+|part\s+)?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.):、．]\s{0,8}/iu, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[^\p{L}\p{N})）]+$/u, '')
}
