import type { Message } from '../../../packages/throughline/src/log/message.ts'
import type { PromptPiece } from '../../../packages/throughline/src/tokens/session-cost.ts'
import type { RequestFrame } from '../../../packages/throughline/src/compaction/measure/measure.ts'
import {
  toModelShare,
  type EstimatedTokens,
} from '../../../packages/throughline/src/tokens/units.ts'
import type { Counter } from '../../../packages/throughline/src/tokens/counter.ts'

interface Prompt extends Pick<RequestFrame, 'system' | 'tools'> {
  messages: readonly Message[]
}

/**
 * Splits requests into the pieces that a prompt cache holds: tools, system prompt, each message.
 */
export type PiecesOf = (prompt: Prompt) => PromptPiece[]

/**
 * Use one for all requests of a session, so that each message is processed once. Messages that say
 * the same are the same piece, even if they are different objects.
 * @example
 * const piecesOf = promptPieces(counter)
 * costMeter(prices).add({ at, prompt: piecesOf({ system, messages }), output: 200 })
 */
export function promptPieces(counter: Counter): PiecesOf {
  const known = new WeakMap<object, PromptPiece>()
  const keys = new Map<string, string>()

  function piece(source: object, count: (text: string) => EstimatedTokens): PromptPiece {
    let found = known.get(source)
    if (!found) {
      const text = JSON.stringify(source)
      const key = keys.get(text) ?? String(keys.size)
      keys.set(text, key)
      known.set(source, (found = { key, tokens: toModelShare(count(text), counter.ratio) }))
    }
    return found
  }

  return ({ system, tools, messages }) => [
    ...(typeof tools === 'object' && tools !== null ? [piece(tools, counter.text)] : []),
    ...(system
      ? [{ key: `system ${system}`, tokens: toModelShare(counter.text(system), counter.ratio) }]
      : []),
    ...messages.map((message) => piece(message, () => counter.message(message))),
  ]
}
