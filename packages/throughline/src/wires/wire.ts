import { markWritten } from '../compaction/render/continuation-mark.ts'
import { strictReading, type Reading, strictWriting, type Writing } from './reading.ts'
import type { AssistantPart, Message } from '../log/message.ts'

/** Messages of an API that belong together, and what they mean to us. */
export interface Pair<Native> {
  natives: readonly Native[]
  messages: readonly Message[]
}

/** Reads the messages of one conversation, one by one. */
export interface WireReader<Native> {
  /** What is whole by now, in order: what follows may belong to it. */
  read: (native: Native) => Pair<Native>[]
  /** What was held back. */
  end: () => Pair<Native>[]
}

/**
 * How the messages of an API become ours and back again, with nothing lost on the way: one reader
 * and one writer for everyone. A reading or a writing decides what happens to everything that has
 * no counterpart.
 */
export interface Wire<Native> {
  /**
   * `before` holds the messages before these natives, as read: the calls for their results.
   * @throws MessageConversionError if the reading is strict, which it is by default.
   */
  read: (
    natives: readonly Native[],
    before?: readonly Pair<Native>[],
    reading?: Reading,
  ) => Pair<Native>[]
  /** The same, for natives that come one by one. */
  reader: (reading: Reading, before?: readonly Pair<Native>[]) => WireReader<Native>
  /**
   * The fields that `read` looks at, if a native is more than plain data; the same list each time.
   */
  fieldsRead?: (native: Native) => readonly string[]
  /** @throws MessageConversionError if the writing is strict, which it is by default. */
  write: (messages: readonly Message[], writing?: Writing) => Pair<Native>[]
}

export interface WireParts<Native> {
  reader: (reading: Reading, before: readonly Pair<Native>[]) => WireReader<Native>
  write: (messages: readonly Message[], writing: Writing) => Pair<Native>[]
  fieldsRead?: (native: Native) => readonly string[]
}

export function wireOf<Native>({ reader, write, fieldsRead }: WireParts<Native>): Wire<Native> {
  return {
    read(natives, before = [], reading = strictReading) {
      const { read, end } = reader(reading, before)
      return [...natives.flatMap((native) => read(native)), ...end()]
    },
    reader: (reading, before = []) => reader(reading, before),
    ...(fieldsRead && { fieldsRead }),
    write: (messages, writing = strictWriting) => write(messages, writing),
  }
}

/** A reader of messages that are complete on their own; places are named from `root`. */
export function oneByOne<Native>(
  root: string,
  before: readonly Pair<Native>[],
  read: (native: Native, place: string) => readonly Message[],
): WireReader<Native> {
  let index = countNatives(before)
  return {
    read: (native) => [{ natives: [native], messages: read(native, `${root}[${index++}]`) }],
    end: () => [],
  }
}

/** What an item says: a part of an answer, or a message of its own. */
type ItemSaid = { parts: readonly AssistantPart[] } | { message: Message | undefined }

/**
 * A reader of items: those of the model that follow each other are one answer. `undefined` leaves
 * an item out.
 */
export function itemByItem<Native>(
  before: readonly Pair<Native>[],
  read: (native: Native, place: string) => ItemSaid | undefined,
): WireReader<Native> {
  let index = countNatives(before)
  let natives: Native[] = []
  let content: AssistantPart[] = []
  const end = (): Pair<Native>[] => {
    const answer = { natives, messages: [{ role: 'assistant' as const, content }] }
    natives = []
    content = []
    return answer.natives.length === 0 ? [] : [answer]
  }
  return {
    read(native) {
      const said = read(native, `input[${index++}]`)
      if (!said) return []
      if ('message' in said) {
        return [...end(), { natives: [native], messages: said.message ? [said.message] : [] }]
      }
      natives.push(native)
      content.push(...said.parts)
      return []
    },
    end,
  }
}

/** All natives of some pairs, in order. */
export function nativesIn<Native>(pairs: readonly Pair<Native>[]): Native[] {
  return pairs.every(({ natives }) => natives.length === 1)
    ? pairs.map(({ natives }) => natives[0] as Native)
    : pairs.flatMap(({ natives }) => natives)
}

/** All natives of pairs that were just made; what a compaction added to continue the agent is marked. */
export function markedNativesIn<Native extends object>(pairs: readonly Pair<Native>[]): Native[] {
  for (const { natives, messages } of pairs) {
    const last = natives.at(-1)
    if (last) markWritten(last, messages)
  }
  return nativesIn(pairs)
}

/** How many natives some pairs have. */
function countNatives(pairs: readonly Pair<unknown>[]): number {
  return pairs.reduce((sum, { natives }) => sum + natives.length, 0)
}

/** All our messages of some pairs, in order. */
export function messagesIn<Native>(pairs: readonly Pair<Native>[]): Message[] {
  return pairs.every(({ messages }) => messages.length === 1)
    ? pairs.map(({ messages }) => messages[0] as Message)
    : pairs.flatMap(({ messages }) => messages)
}
