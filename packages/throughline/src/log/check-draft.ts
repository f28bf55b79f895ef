import { checkMessage } from './check-message.ts'
import { fieldsOf, type Fields } from '../json/fields.ts'
import { InvalidEntryError } from './invalid-entry-error.ts'
import type { EntryDraft } from './entry.ts'

/** What every view reads of the other kinds: without it, the session could never be opened again. */
const needed: Readonly<Record<string, readonly [field: string, type: string]>> = {
  prune: ['replacements', 'object'],
  checkpoint: ['tail', 'object'],
  pin: ['text', 'string'],
  unpin: ['pin', 'number'],
  rewind: ['to', 'number'],
  observation: ['observation', 'object'],
}

const kinds: ReadonlySet<unknown> = new Set(['message', ...Object.keys(needed)])
const origins: ReadonlySet<unknown> = new Set(['human', 'harness', 'model', 'tool', 'synthetic'])

/**
 * Checks what decides how a log is read: the kind, the time, who speaks, and the usage, on which the
 * gate depends.
 * @throws InvalidEntryError
 */
export function checkDraft(draft: EntryDraft): void {
  const fields = fieldsOf(draft)
  if (!fields) throw new InvalidEntryError({ field: 'entry', value: draft, expected: 'an object' })
  const { kind, at, message, origin, usage } = fields
  oneOf(kinds, kind, 'kind')
  checkTime(at)
  if (kind !== 'message') return checkOther(fields)
  checkMessage(message, 'message')
  oneOf(origins, origin, 'origin')
  checkUsage(usage)
}

function checkOther(fields: Fields): void {
  const [field = '', type] = needed[String(fields['kind'])] ?? []
  const value = fields[field]
  if (value !== null && typeof value === type) return
  throw new InvalidEntryError({ field, value, expected: `of the type ${type}` })
}

/**
 * Returns a time, if it is one.
 * @throws InvalidEntryError
 */
export function checkTime(at: unknown): number {
  if (typeof at === 'number' && Number.isFinite(at)) return at
  const expected = 'milliseconds since 1970, such as Date.now()'
  throw new InvalidEntryError({ field: 'at', value: at, expected })
}

const counted = ['inputTokens', 'outputTokens']
const optionallyCounted = ['cacheReadTokens', 'cacheWriteTokens', 'clearedTokens']

/** @throws InvalidEntryError for usage that isn't in tokens. */
export function checkUsage(usage: unknown): void {
  if (usage === undefined) return
  const fields = fieldsOf(usage)
  const expected = 'a number of tokens, 0 or more'
  if (!fields) throw new InvalidEntryError({ field: 'usage', value: usage, expected: 'an object' })
  for (const key of [...counted, ...optionallyCounted]) {
    const value = fields[key]
    if (value === undefined && optionallyCounted.includes(key)) continue
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) continue
    throw new InvalidEntryError({ field: `usage.${key}`, value, expected })
  }
}

function oneOf(known: ReadonlySet<unknown>, value: unknown, field: string): void {
  if (known.has(value)) return
  throw new InvalidEntryError({ field, value, expected: [...known].join(', ') })
}
