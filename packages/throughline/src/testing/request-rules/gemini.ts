import { textProblems, type Fields } from './texts.ts'

/** A turn of `generateContent`. */
export interface GeminiContent {
  role: string
  parts: readonly Fields[]
}

/**
 * What Gemini rejects with 400 in a request's contents; empty if nothing. The responses to a turn's
 * calls are in the next turn, in the same number and with the same names; the user begins; and
 * nothing is empty.
 */
export function geminiProblems(contents: readonly GeminiContent[]): string[] {
  const problems = textProblems(contents)
  let awaited: string[] = []
  contents.forEach(({ role, parts }, index) => {
    const say = (problem: string): number => problems.push(`content ${index}: ${problem}`)
    if (role !== 'user' && role !== 'model') say(`of the role ${role}`)
    if (parts.length === 0) say('nothing in it')
    const answered = namesIn(parts, 'functionResponse')
    if (answered.toSorted().join() !== awaited.toSorted().join()) {
      say(`responses of ${answered.join(', ')} and not of ${awaited.join(', ')}`)
    }
    awaited = namesIn(parts, 'functionCall')
    if (role === 'user' && awaited.length > 0) say('a call of the user')
  })
  if (awaited.length > 0) problems.push(`no responses of ${awaited.join(', ')}`)
  if (contents[0]?.role !== 'user') problems.push('the first is not the user’s')
  if (contents.at(-1)?.role !== 'user') problems.push('the last is not the user’s')
  return problems
}

function namesIn(parts: readonly Fields[], kind: 'functionCall' | 'functionResponse'): string[] {
  return parts.flatMap((part) => {
    const inner = part[kind]
    return typeof inner === 'object' && inner && 'name' in inner ? [String(inner.name)] : []
  })
}
