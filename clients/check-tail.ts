import { isDeepStrictEqual } from 'node:util'
import { escaped } from './escaped.ts'
import { outputText, partsOf, type Part } from 'throughline'
import type { SaidPart } from 'throughline/testing/provider'
import type { WrittenSession } from 'throughline/formats'

interface TailCheck {
  problems: string[]
  /** The position after the last part of the tail. */
  end: number
}

/** Whether a request contains a written tail word for word and in order. */
export function tailProblems(said: readonly SaidPart[], { messages }: WrittenSession): TailCheck {
  const problems: string[] = []
  // By call of the tail, as the client names it.
  const ids = new Map<string, string>()
  const calls = new Set<number>()
  let end = 0
  for (const { message } of messages) {
    let furthest = end
    for (const part of partsOf(message)) {
      if (part.type === 'image' || part.type === 'file') continue
      const index = said.findIndex(
        (one, place) => place >= end && !calls.has(place) && says(one, part, ids),
      )
      if (part.type === 'tool-call') calls.add(index)
      if (index < 0) problems.push(`the tail lacks, or has out of order: ${shown(part)}`)
      furthest = Math.max(furthest, index)
    }
    end = furthest
  }
  return { problems, end: end + 1 }
}

function says(said: SaidPart, part: Part, ids: Map<string, string>): boolean {
  switch (part.type) {
    case 'text':
      // Claude Code keeps the words of a refusal in a result.
      return 'text' in said && said.text.includes(part.text.trim())
    case 'tool-call': {
      const same =
        said.type === 'call' &&
        said.name === part.toolName &&
        isDeepStrictEqual(said.input, part.input)
      if (same) ids.set(part.toolCallId, said.id)
      return same
    }
    case 'tool-result': {
      const text = outputText(part.output).trim()
      const known = said.type === 'result' && said.id === ids.get(part.toolCallId)
      return known && (said.text.includes(text) || said.text.includes(escaped(text)))
    }
    default:
      return true
  }
}

function shown(part: Part): string {
  return JSON.stringify(part).slice(0, 200)
}
