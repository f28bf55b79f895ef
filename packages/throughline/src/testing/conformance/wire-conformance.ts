import { draftsOf, type ConformanceCase } from './format-conformance.ts'
import { fieldsOf } from '../../json/fields.ts'
import { differenceOf } from './same-data.ts'
import { memoryStore } from '../../stores/memory.ts'
import { MessageConversionError } from '../../wires/errors.ts'
import { lenientReading, type Misfit, lenientWriting } from '../../wires/reading.ts'
import { messagesIn, nativesIn, type Pair, type Wire } from '../../wires/wire.ts'
import { openSession } from '../../session/session.ts'
import { partsOf, type Message } from '../../log/message.ts'
import { reconcile } from '../../session/reconcile/reconcile.ts'
import type { Metadata } from '../../log/entry.ts'
import type { Format } from '../../formats/format.ts'

/** A wire, and what it is tried with. */
export interface WireSample<Native> {
  wire: Wire<Native>
  /** Conversations of all that the types of its API can say. */
  conversations: readonly (readonly Native[])[]
  /** What is no message of the API. */
  strangers: readonly unknown[]
  /** Conversations of others, to be said over this wire. */
  foreign: readonly (readonly Message[])[]
  /** What reads files of such messages. */
  format?: Format
  /** How natives compare that say the same; by default all that JSON says of them. */
  plain?: (native: Native) => unknown
  /**
   * Whether what is read is written as it came. It is by default; an SDK that has older and newer
   * forms for the same is written in the newer.
   */
  writes?: 'as-it-came' | 'in-its-newest-form'
  /** What stands through every compaction in a host, and is an answer among others in a file. */
  isStanding?: (native: Native) => boolean
}

/** A case that may have to wait for a session. */
export interface WireCase extends Omit<ConformanceCase, 'run'> {
  run: () => void | Promise<void>
}

/**
 * What every wire must keep, whichever API it is: one reader and one writer, strict in a host and
 * lenient in a file.
 * @example
 * for (const { name, run } of wireConformance(sample)) test(name, run)
 */
export function wireConformance<Native>(sample: WireSample<Native>): WireCase[] {
  const { wire, conversations, strangers, foreign, format } = sample
  const plain = sample.plain ?? ((native: Native): unknown => native)
  return [
    {
      name: 'gives back what it read, also through JSON',
      run() {
        for (const natives of conversations) {
          const read = messagesIn(wire.read(natives))
          const written = nativesIn(wire.write(read))
          if (sample.writes === 'in-its-newest-form') {
            const again = nativesIn(wire.write(messagesIn(wire.read(written))))
            same(again.map(plain), written.map(plain), 'what was written is written otherwise')
            same(read, natives.map(plain), 'what was read')
            continue
          }
          same(written.map(plain), natives.map(plain), 'what was written')
          const stored = JSON.parse(JSON.stringify(read)) as Message[]
          same(nativesIn(wire.write(stored)).map(plain), natives.map(plain), 'what was stored')
        }
      },
    },
    {
      name: 'says of each native which messages it is, all of them once and in order',
      run() {
        for (const natives of conversations) {
          const pairs = wire.read(natives)
          holds(
            nativesIn(pairs).every((native, index) => native === natives[index]),
            'the natives of the pairs are others',
          )
          const messages = messagesIn(pairs)
          const written = wire.write(messages)
          same(messagesIn(written), messages, 'the messages of what was written')
        }
      },
    },
    {
      name: 'reads one by one as at once, and goes on from what stands before',
      run() {
        for (const natives of conversations) {
          const whole = messagesIn(wire.read(natives))
          const pairs: Pair<Native>[] = []
          const reader = wire.reader(lenientReading(() => undefined))
          for (const native of natives) pairs.push(...reader.read(native))
          const strict = wire.read(
            natives,
            [],
            lenientReading(() => undefined),
          )
          same(messagesIn([...pairs, ...reader.end()]), messagesIn(strict), 'one by one')
          const first = wire.read(natives).slice(0, -1)
          const rest = natives.slice(nativesIn(first).length)
          same(messagesIn([...first, ...wire.read(rest, first)]), whole, 'what goes on')
        }
      },
    },
    {
      name: 'reads leniently as strictly, wherever there is nothing to tell',
      run() {
        let agreed = 0
        for (const natives of conversations) {
          const told: Misfit[] = []
          const lenient = wire.read(
            natives,
            [],
            lenientReading((misfit) => told.push(misfit)),
          )
          if (told.length > 0) continue
          agreed += 1
          same(messagesIn(lenient), messagesIn(wire.read(natives)), 'a lenient reading')
        }
        holds(
          agreed * 2 > conversations.length,
          `only ${agreed} conversations have nothing to tell`,
        )
      },
    },
    {
      name: 'reads strangers leniently without throwing, and tells where they stand',
      run() {
        for (const stranger of strangers) {
          const told: Misfit[] = []
          const reading = lenientReading((misfit) => told.push(misfit))
          const [first = []] = conversations
          const natives = [...first, stranger as Native]
          const messages = messagesIn(wire.read(natives, [], reading))
          const before = messagesIn(
            wire.read(
              first,
              [],
              lenientReading(() => undefined),
            ),
          )
          same(messages, before, `with ${show(stranger)} among them, the messages`)
          const index = String(first.length)
          holds(
            told.some(({ place, problem }) => place.includes(`[${index}]`) && problem !== ''),
            `nothing is told of ${show(stranger)}`,
          )
        }
      },
    },
    {
      name: 'reads strangers strictly by refusing them, or gives them back as they were',
      run() {
        for (const stranger of strangers) {
          const natives = [stranger as Native]
          const read = refused(() => messagesIn(wire.read(natives)))
          if (read) same(nativesIn(wire.write(read)), natives, 'a stranger')
        }
      },
    },
    {
      name: 'writes what others said: strictly or with a refusal, leniently always',
      run() {
        for (const messages of foreign) {
          refused(() => wire.write(messages))
          const written = wire.write(messages, lenientWriting)
          const read = wire.read(
            nativesIn(written),
            [],
            lenientReading(() => undefined),
          )
          same(callsIn(messagesIn(read)), callsIn(messages), 'the calls')
        }
      },
    },
    {
      name: 'leaves no reasoning behind where the engine leaves it out',
      run() {
        for (const natives of conversations) {
          const bare = messagesIn(wire.read(natives)).map(withoutReasoning)
          const written = nativesIn(wire.write(bare, lenientWriting))
          const read = messagesIn(
            wire.read(
              written,
              [],
              lenientReading(() => undefined),
            ),
          )
          same(read.map(withoutReasoning), read, 'without reasoning, what is read again')
        }
      },
    },
    ...(format ? [sameLog(sample, format)] : []),
  ]
}

/** A file and a host that hold the same messages make the same of them. */
function sameLog<Native>(sample: WireSample<Native>, format: Format): WireCase {
  const { wire } = sample
  const conversations = sample.conversations.map((natives) =>
    natives.filter((native) => !sample.isStanding?.(native)),
  )
  return {
    name: 'means the same in a file and in a session of a host',
    async run() {
      let compared = 0
      for (const natives of conversations) {
        const told: Misfit[] = []
        const reading = lenientReading((misfit) => told.push(misfit))
        const messages = messagesIn(wire.read(natives, [], reading))
        if (told.length > 0) continue
        const start = messages.findIndex(({ role }) => role !== 'system')
        const said = start === -1 ? [] : messages.slice(start)
        const session = await openSession({
          store: memoryStore(),
          id: 'a',
          window: { context: 1_000_000 },
          now: () => 0,
        })
        await reconcile(session, said)
        const log = (await session.log()).flatMap((entry) =>
          entry.kind === 'message' ? [entry.message] : [],
        )
        // What a developer says in between is the harness's word in a file.
        const file = draftsOf(format, natives).flatMap((draft) =>
          draft.kind === 'message' && !roleIn(draft.metadata) ? [draft.message] : [],
        )
        same(substance(file), substance(log), 'the log of the file')
        compared += 1
      }
      holds(compared * 2 > conversations.length, `only ${compared} conversations were compared`)
    },
  }
}

function roleIn(metadata: Metadata | undefined): boolean {
  return fieldsOf(metadata?.['source'])?.['role'] !== undefined
}

/** What is said, part by part: how parts are put together is the log's own affair. */
function substance(messages: readonly Message[]): unknown[] {
  return messages.flatMap((message): unknown[] => {
    if (message.role === 'system') return []
    const parts = partsOf(message).filter((part) => part.type !== 'text' || part.text.trim() !== '')
    const says = parts.some(({ type }) => type !== 'reasoning')
    return message.role === 'assistant' && !says ? [] : parts.map((part) => [message.role, part])
  })
}

function withoutReasoning(message: Message): Message {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  return { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
}

function callsIn(messages: readonly Message[]): unknown[] {
  return messages.flatMap((message) =>
    partsOf(message).flatMap((part) =>
      part.type === 'tool-call' && !part.providerExecuted ? [[part.toolName]] : [],
    ),
  )
}

/** What comes of it; `undefined` if it was refused as it should be. */
function refused<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    holds(MessageConversionError.isInstance(error), `it throws ${String(error)}`)
    return undefined
  }
}

function same(actual: unknown, expected: unknown, what: string): void {
  const difference = differenceOf(actual, expected)
  holds(difference === undefined, `${what}: ${difference} in ${show(actual)} for ${show(expected)}`)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 4000)
}

function holds(isSo: boolean, problem: string): void {
  if (!isSo) throw new Error(problem)
}
