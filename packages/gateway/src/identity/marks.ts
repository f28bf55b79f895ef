import { createHash, createHmac } from 'node:crypto'
import type { Mark } from '../store/gateway-store.ts'

/** The short hash of a text: long enough that no two texts of a caller ever share one. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('base64url').slice(0, 32)
}

/** What the marks of a conversation are made with. */
export interface MarkedBy {
  wire: string
  /** The client’s own name for the conversation. */
  clientId: string | undefined
  /**
   * Nobody who reads a store can guess with it what was said: the key is no mark’s. Marks of earlier
   * versions were made without one: they are looked for, and never written.
   */
  key: string | undefined
}

export function markKeyOf(secret: Uint8Array): string {
  return createHmac('sha256', secret).update('marks').digest('base64url')
}

/** The same hash for whoever has the key. */
export function keyedHash({ key }: Pick<MarkedBy, 'key'>, ...parts: readonly string[]): string {
  if (key === undefined) return hashOf(...parts)
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${part.length}:`).update(part)
  return hmac.digest('base64url').slice(0, 32)
}

/**
 * The mark of all of a conversation up to here, begun with what it runs under: who says otherwise at
 * any earlier place has another one.
 */
export function markAfter(by: MarkedBy, before: Mark, said: string | undefined): Mark {
  return said === undefined ? before : (keyedHash(by, 'head', before, said) as Mark)
}

/** Where a conversation begins: the client’s name for it, the API, and the instructions. */
export function firstMark(by: MarkedBy, instructions: string): Mark {
  return keyedHash(by, 'begin', by.wire, named(by), instructions) as Mark
}

/**
 * The mark of the calls of one answer and what they gave; `undefined` if others could have the same ids. It holds where
 * a client has changed what stands before, or its instructions.
 */
export function callsMark(by: MarkedBy, calls: readonly string[], given: string): Mark | undefined {
  if (calls.length === 0 || !calls.every(isRandom)) return undefined
  return keyedHash(by, 'calls', by.wire, named(by), given, ...calls) as Mark
}

const named = ({ clientId }: MarkedBy): string => (clientId === undefined ? '' : `id ${clientId}`)

const fewestCharacters = 16
const fewestDifferent = 10

/** Whether an id was drawn by lot: `call_7` and `functions.read:0` are not. */
function isRandom(id: string): boolean {
  const [longest = ''] = id.split(/[^A-Za-z0-9]+/).sort((a, b) => b.length - a.length)
  if (longest.length < fewestCharacters || !/\d/.test(longest) || !/[A-Za-z]/.test(longest))
    return false
  return new Set(longest).size >= fewestDifferent
}
