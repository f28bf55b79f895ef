import { callProblems } from './offered-tools.ts'
import { escaped } from './escaped.ts'
import { tailProblems } from './check-tail.ts'
import type { SaidPart, ServedRequest } from 'throughline/testing/provider'
import type { Compacted } from './compacted.ts'
import type { Tools } from './sessions.ts'

/** What a client must send, and how it is answered. */
export interface Expected extends Compacted {
  tools: Tools
  prompt: string
  /** The id of the call that the model makes, and a word that its result then contains. */
  call: { id: string; gives: string }
}

/** What is wrong with the requests of a client that resumed a written session. */
export function resumeProblems(requests: readonly ServedRequest[], expected: Expected): string[] {
  const about = requests.filter(({ said }) => summaryCount(said, expected) > 0)
  const [first, second, ...more] = about
  if (!first) return [`none of ${requests.length} requests holds the summary`]
  const problems = [
    ...contextProblems(first, expected).map((problem) => `first request: ${problem}`),
    ...(second
      ? goneOnProblems(second.said, expected)
      : ['it did not continue after its tool ran']),
  ]
  // A compaction by the client itself would also contain the session.
  if (more.length > 0) problems.push(`${about.length} requests hold the session, and not 2`)
  return problems
}

function contextProblems(request: ServedRequest, expected: Expected): string[] {
  const { said } = request
  const { problems, end } = tailProblems(said, expected.written)
  const found = [...problems, ...pairProblems(said)]
  if (expected.tools === 'handed over') found.push(...callProblems(request))
  const count = summaryCount(said, expected)
  if (count !== 1) found.push(`the summary is there ${count} times`)
  for (const piece of expected.gone) {
    if (said.some((part) => holds(part, piece))) found.push(`of the head it holds: ${piece}`)
  }
  const prompts = said.flatMap((part, index) => (holds(part, expected.prompt) ? [index] : []))
  const [prompt] = prompts
  if (prompt === undefined || prompts.length > 1)
    found.push(`the prompt is there ${prompts.length} times`)
  else if (prompt < end) found.push('the prompt stands before the end of the tail')
  return found
}

function goneOnProblems(said: readonly SaidPart[], expected: Expected): string[] {
  const { id, gives } = expected.call
  const { problems } = tailProblems(said, expected.written)
  const found = [...problems, ...pairProblems(said)]
  const count = summaryCount(said, expected)
  if (count !== 1) found.push(`the summary is there ${count} times`)
  const ran = said.some((part) => part.type === 'result' && part.id === id && holds(part, gives))
  if (!ran) found.push('the result of its tool is not there')
  return found.map((problem) => `second request: ${problem}`)
}

function summaryCount(said: readonly SaidPart[], { written }: Compacted): number {
  const summary = written.summary?.trim() ?? ''
  return said.reduce((sum, part) => {
    return sum + (part.type === 'text' ? part.text.split(summary).length - 1 : 0)
  }, 0)
}

/** Every call is followed by its one result, and every result has its call. */
function pairProblems(said: readonly SaidPart[]): string[] {
  const open = new Set<string>()
  const problems: string[] = []
  for (const part of said) {
    if (part.type === 'call') open.add(part.id)
    if (part.type === 'result' && !open.delete(part.id)) {
      problems.push(`the result ${part.id} has no call`)
    }
  }
  for (const id of open) problems.push(`the call ${id} has no result`)
  return problems
}

function holds(part: SaidPart, text: string): boolean {
  switch (part.type) {
    case 'call':
      return JSON.stringify(part.input).includes(escaped(text))
    case 'other':
      return false
    default:
      return part.text.includes(text) || part.text.includes(escaped(text))
  }
}
