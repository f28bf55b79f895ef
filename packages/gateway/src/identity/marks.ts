import { createHash } from 'node:crypto'
import type { Mark } from '../store/gateway-store.ts'

/** The short hash of a text: long enough that no two texts of a caller ever share one. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('base64url').slice(0, 32)
}

/**
 * The mark of all of a conversation up to here, begun with what it runs under: who says otherwise at
 * any earlier place has another one.
 */
export function markAfter(before: Mark, said: string | undefined): Mark {
  return said === undefined ? before : (hashOf('head', before, said) as Mark)
}

/** Where a conversation begins: the client’s name for it, the API, and the instructions. */
export function firstMark(begins: {
  wire: string
  clientId: string | undefined
  instructions: string
}): Mark {
  const { wire, clientId, instructions } = begins
  return hashOf('begin', wire, clientId === undefined ? '' : `id ${clientId}`, instructions) as Mark
}

/**
 * The mark of the calls of one answer and what they gave; `undefined` if others could have the same ids. It holds where
 * a client has changed what stands before, or its instructions.
 */
export function callsMark(
  { wire, clientId }: { wire: string; clientId: string | undefined },
  calls: readonly string[],
  given: string,
): Mark | undefined {
  if (calls.length === 0 || !calls.every(isRandom)) return undefined
  return hashOf(
    'calls',
    wire,
    clientId === undefined ? '' : `id ${clientId}`,
    given,
    ...calls,
  ) as Mark
}

const fewestCharacters = 16
const fewestDifferent = 10

/** Whether an id was drawn by lot: `call_7` and `functions.read:0` are not. */
function isRandom(id: string): boolean {
  const [longest = ''] = id.split(/[^A-Za-z0-9]+/).sort((a, b) => b.length - a.length)
  if (longest.length < fewestCharacters || !/\d/.test(longest) || !/[A-Za-z]/.test(longest))
    return false
  return new Set(longest).size >= fewestDifferent
}
