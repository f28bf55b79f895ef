import fc from 'fast-check'
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import { abortedResult } from '../../log/open-calls.ts'
import { anthropicWire } from '../../wires/anthropic/wire.ts'
import { openaiChatWire } from '../../wires/openai-chat/wire.ts'
import { hostedMessages } from './hosted-messages.ts'
import { isSaidBy } from '../../match/same.ts'
import { langchainWire } from '../../wires/langchain/wire.ts'
import { memoryStore } from '../../stores/memory.ts'
import { messagesIn, nativesIn, type Wire } from '../../wires/wire.ts'
import { openSession } from '../../session/session.ts'
import { remembering } from '../../wires/remembering/remembering.ts'
import { openaiResponsesWire } from '../../wires/openai-responses/write.ts'
import { runs } from '../../testing/generate/runs.ts'

/** A host over an API, and what it appends. */
interface Host<Native extends object> {
  wire: Wire<Native>
  ask: (text: string) => Native[]
  step: (id: string, path: string, output: string) => Native[]
}

type Any = Record<string, unknown>

const anthropic: Host<Any> = {
  wire: anthropicWire as unknown as Wire<Any>,
  ask: (content) => [{ role: 'user', content }],
  step: (id, path, content) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id, name: 'read', input: { path, deep: [{ path }] } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ],
}

const chat: Host<Any> = {
  wire: openaiChatWire as unknown as Wire<Any>,
  ask: (content) => [{ role: 'user', content }],
  step: (id, path, content) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `"${path}"` } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ],
}

const responses: Host<Any> = {
  wire: openaiResponsesWire as unknown as Wire<Any>,
  ask: (content) => [{ type: 'message', role: 'user', content }],
  step: (id, path, output) => [
    {
      type: 'message',
      role: 'assistant',
      id: `m_${id}`,
      status: 'completed',
      content: [{ type: 'output_text', text: `I look at ${path}.`, annotations: [] }],
    },
    { type: 'function_call', id: `f_${id}`, call_id: id, name: 'read', arguments: `"${path}"` },
    { type: 'function_call_output', call_id: id, output },
  ],
}

const langchain: Host<BaseMessage> = {
  wire: langchainWire,
  ask: (text) => [new HumanMessage(text)],
  step: (id, path, content) => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: { deep: [{ path }] } }] }),
    new ToolMessage({ tool_call_id: id, content }),
  ],
}

const hosts: [string, Host<never>][] = [
  ['the Messages API', anthropic as unknown as Host<never>],
  ['Chat Completions', chat as unknown as Host<never>],
  ['the Responses API', responses as unknown as Host<never>],
  ['LangChain', langchain as unknown as Host<never>],
]

/** Says another word wherever this one is said, in place and however deep. */
function sayInPlace(value: object, word: string, other: string): void {
  for (const [key, field] of Object.entries(value)) {
    if (typeof field === 'string') Reflect.set(value, key, field.replaceAll(word, other))
    else if (typeof field === 'object' && field !== null) sayInPlace(field, word, other)
  }
}

function copyOf<Value extends object>(value: Value): Value {
  const prototype: object = Object.getPrototypeOf(value)
  return Object.assign(Object.create(prototype), structuredClone({ ...value })) as Value
}

interface Move {
  does: 'ask' | 'step' | 'copy' | 'edit a copy' | 'edit in place' | 'remove behind'
  share: number
}

/** What a call was given is edited, deep in it, and nothing else. */
const editsInput: Move[] = [
  { does: 'step', share: 0 },
  { does: 'edit in place', share: 0.4 },
  { does: 'step', share: 0 },
]

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ does: 'ask', share: 0 } as const) },
  { weight: 6, arbitrary: fc.constant({ does: 'step', share: 0 } as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('copy', 'edit a copy', 'edit in place', 'remove behind'),
      share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    }),
  },
)

test.each(hosts)(
  'a host of %s is known by what its messages say now: copies and edits, in place too, are noticed',
  async (_, { wire, ask, step }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 20 }), async (moves) => {
        const hosted = hostedMessages(remembering(wire as unknown as Wire<object>))
        const window = { context: 1_000_000 }
        const session = await openSession({ store: memoryStore(), id: 'a', window, now: () => 0 })
        let natives: object[] = ask('Look at word0.')
        for (const [index, { does, share }] of moves.entries()) {
          const at = Math.floor(share * natives.length)
          const native = natives[at] as object
          if (does === 'ask') natives = [...natives, ...ask(`And word${index}?`)]
          if (does === 'step') {
            const word = `word${index}`
            natives = [...natives, ...step(`call${index}`, `src/${word}.ts`, `${word} is there`)]
          }
          if (does === 'copy' || does === 'edit a copy') natives = natives.with(at, copyOf(native))
          if (does === 'remove behind') natives = natives.slice(0, at + 1)
          if (does.startsWith('edit'))
            sayInPlace(natives[at] as object, 'word', `edited${index}-word`)

          await hosted.take(session, natives)
          const now = messagesIn(wire.read(natives.map(copyOf) as never[]))
          const known = (await session.history()).map(({ message }) => message)
          expect(isSaidBy(known, now)).toBe(true)
          const rendered = nativesIn(hosted.rendered(session))
          const said = rendered.filter((one) => natives.includes(one))
          expect(said.length).toBe(natives.length)
          expect(said.every((one, place) => one === natives[place])).toBe(true)
          // Where the host removed a result and went on, its call was aborted.
          const added = rendered.filter((one) => !natives.includes(one))
          for (const one of added) expect(JSON.stringify(one)).toContain(abortedResult)
        }
      }),
      { ...runs(30), examples: [[editsInput]] },
    )
  },
)
