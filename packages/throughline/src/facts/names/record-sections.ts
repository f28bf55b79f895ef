import { recordNames, type NameSource } from './record.ts'
import { spellPath } from '../paths/directories.ts'
import type { FactsState } from '../fold-memory.ts'

/** How a file's part of a patch or of a diff begins. */
const HEADERS = [
  { mark: '*** Update File: ', path: (line: string): string => line },
  { mark: '*** Add File: ', path: (line: string): string => line },
  {
    mark: 'diff --git a/',
    path: (line: string): string => line.slice(0, Math.max(line.indexOf(' b/'), 0)),
  },
] as const

/**
 * Like `recordNames`; in a patch of several files, each name belongs to the file in which it
 * occurs.
 */
export function recordSections(facts: FactsState, text: string, source: NameSource): void {
  const sections = HEADERS.some(({ mark }) => text.includes(mark)) ? sectionsOf(text) : []
  let start = 0
  let { owner, ownerIsFile } = source
  for (const { at, path } of sections) {
    recordNames(facts, text.slice(start, at), { ...source, owner, ownerIsFile })
    start = at
    owner = spellPath(facts, path) ?? source.owner
    ownerIsFile = true
  }
  recordNames(facts, start === 0 ? text : text.slice(start), { ...source, owner, ownerIsFile })
}

function sectionsOf(text: string): { at: number; path: string }[] {
  const sections: { at: number; path: string }[] = []
  for (let at = 0; at < text.length;) {
    const header = HEADERS.find(({ mark }) => text.startsWith(mark, at))
    const newLine = text.indexOf('\n', at)
    const end = newLine < 0 ? text.length : newLine
    if (header)
      sections.push({ at, path: header.path(text.slice(at + header.mark.length, end)).trim() })
    at = end + 1
  }
  return sections
}
