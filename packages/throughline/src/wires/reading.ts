import { boundedValue, fieldsOf, isShallow, listOf, type Fields } from '../json/fields.ts'
import { MessageConversionError } from './errors.ts'

/** Something that an API can't represent. */
interface Unsayable {
  /** A path like `messages[3].content[1]`. */
  place: string
  problem: string
  /** About the same in words; missing if it would mean nothing to anyone else. */
  words?: string | undefined
}

/**
 * How a writer treats content that its API can't represent. {@link strictWriting} rejects it, and
 * {@link lenientWriting} describes it in words.
 */
export interface Writing {
  /** The words that are written in its place; `undefined` if nothing is. */
  instead: (unsayable: Unsayable) => string | undefined
}

/** Rejects what the API can't represent, with a MessageConversionError. */
export const strictWriting: Writing = {
  instead(unsayable) {
    throw new MessageConversionError(unsayable)
  },
}

/** Never throws: words replace what the API can't represent, and the session continues. */
export const lenientWriting: Writing = { instead: ({ words }) => words }

/** Something that is not a message, or a part of one, in its API. */
export interface Misfit {
  /** A path like `messages[3].content[1]`. */
  place: string
  problem: string
  /** The reason in one word, which a reader of files counts. */
  reason: 'unknown-record' | 'unknown-part' | 'empty' | 'result-without-call' | 'call-without-id'
  /** What is left out, if it is less than the whole message. */
  left?: unknown
}

/**
 * How a reader treats content that its API does not have. {@link strictReading} rejects it, because
 * a host would lose it. {@link lenientReading} reports it and continues, because a file can't be
 * changed.
 */
export interface Reading {
  /** The fields of a value, as far as a store can keep them; `undefined` where it has none. */
  fields: (value: unknown, place: string) => Fields | undefined
  /** A value that is kept as it is, as far as later code can handle it. */
  value: (value: unknown) => unknown
  /** Called with everything that is left out. */
  misfit: (misfit: Misfit) => void
  /** Whether content without any mark of its API is kept whole, because a host wants it back. */
  keeps: (misfit: Misfit) => boolean
}

/** Refuses what could not be given back, with a MessageConversionError. */
export const strictReading: Reading = {
  fields(value, place) {
    const fields = fieldsOf(value)
    if (!fields) throw new MessageConversionError({ place, problem: 'an object is expected here' })
    const problem = problemIn(fields, deepest)
    if (problem) throw new MessageConversionError({ ...problem, place: place + problem.place })
    return fields
  },
  value: (value) => value,
  misfit(misfit) {
    throw new MessageConversionError(misfit)
  },
  keeps: () => true,
}

/**
 * Never throws: what has no place is reported and left out.
 * @example
 * const left: Misfit[] = []
 * anthropicWire.read(natives, [], lenientReading((misfit) => left.push(misfit)))
 */
export function lenientReading(tell: (misfit: Misfit) => void): Reading {
  return {
    fields(value, place) {
      const fields = fieldsOf(value)
      if (!fields) {
        tell({ place, problem: 'an object is expected here', reason: 'unknown-part', left: value })
      }
      return fields && (isShallow(fields, deepest) ? fields : (bounded(fields, deepest) as Fields))
    },
    value: boundedValue,
    misfit: tell,
    keeps(misfit) {
      tell(misfit)
      return false
    },
  }
}

/** The fields of each value of a list that has any. */
export function fieldsIn(list: unknown, place: string, reading: Reading): Fields[] {
  const fields = listOf(list).map((value, index) => reading.fields(value, `${place}[${index}]`))
  return fields.filter((each) => each !== undefined)
}

const deepest = 200

/** What is nested deeper, code further on would run out of stack with. */
function bounded(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return `[left out: nested deeper than ${deepest} levels]`
  if (Array.isArray(value)) return value.map((item) => bounded(item, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, bounded(field, levels - 1)]),
  )
}

/** What JSON cannot say would be lost in a store; its place is within the value. */
function problemIn(value: unknown, levels: number): { place: string; problem: string } | undefined {
  const problem = problemOf(value, levels)
  if (problem !== undefined) return { place: '', problem }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner = index in value ? problemIn(value[index], levels - 1) : undefined
      if (inner) return { ...inner, place: `[${index}]${inner.place}` }
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    const field: unknown = Reflect.get(value, key)
    const inner = field === undefined ? undefined : problemIn(field, levels - 1)
    if (inner) return { ...inner, place: `.${key}${inner.place}` }
  }
  return undefined
}

function problemOf(value: unknown, levels: number): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is not a number that JSON can represent`
    case 'object':
      if (value === null) return undefined
      if (levels === 0) return `nested deeper than ${deepest} levels`
      return Array.isArray(value) || isPlain(value)
        ? undefined
        : 'JSON cannot represent a class instance: pass its plain data'
    default:
      return `JSON cannot represent a value of type ${typeof value}`
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
