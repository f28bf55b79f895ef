import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { compactMessages } from '../session/once/compact-messages.ts'
import { InvalidEntryError } from '../log/invalid-entry-error.ts'
import { memoryStore } from '../stores/memory.ts'
import { openConversation } from '../integrations/conversation/open-conversation.ts'
import { ThroughlineError } from '../log/throughline-error.ts'
import type { Message } from '../log/message.ts'

const window = { context: 8_000 }
const output = { type: 'content', value: [{ type: 'text', text: 'x '.repeat(40_000) }] }
const call = { toolCallId: 'c1', toolName: 'read' }

const history = (): unknown[] => [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I do.' },
      { type: 'tool-call', ...call, input: { path: '/a' } },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
  { role: 'assistant', content: 'It is read.' },
  { role: 'user', content: 'Go on.' },
]

const doors: [string, (messages: Message[]) => Promise<unknown>][] = [
  ['compactMessages', (messages) => compactMessages(messages, { window, trigger: 'manual' })],
  [
    'a conversation',
    async (messages) => {
      const conversation = await openConversation({ store: memoryStore(), id: 'a', window })
      await conversation.fit(messages)
      return conversation.session.compact()
    },
  ],
]

const at = (index: number, value: unknown): unknown[] => history().with(index, value)

const malformed: [what: string, messages: unknown, field: string][] = [
  ['no list', null, 'messages'],
  ['a text', 'hello', 'messages'],
  ['nothing in its place', at(4, null), 'messages[4]'],
  ['a list in its place', at(4, []), 'messages[4]'],
  ['no role', at(4, { content: 'x' }), 'messages[4].role'],
  ['another role', at(4, { role: 'bot', content: 'x' }), 'messages[4].role'],
  ['no content', at(4, { role: 'assistant', content: null }), 'messages[4].content'],
  ['a number', at(5, { role: 'user', content: 7 }), 'messages[5].content'],
  ['a part that is no object', at(5, { role: 'user', content: ['x'] }), 'messages[5].content[0]'],
  ['no type', at(5, { role: 'user', content: [{ text: 'x' }] }), 'messages[5].content[0].type'],
  ['no text', at(5, { role: 'user', content: [{ type: 'text' }] }), 'messages[5].content[0].text'],
  [
    'an id that is a number',
    at(2, {
      role: 'assistant',
      content: [{ type: 'tool-call', ...call, toolCallId: 1, input: {} }],
    }),
    'messages[2].content[0].toolCallId',
  ],
  [
    'a result without an output',
    at(3, { role: 'tool', content: [{ type: 'tool-result', ...call }] }),
    'messages[3].content[0].output',
  ],
]

const cases = doors.flatMap(([door, give]) =>
  malformed.map(([what, messages, field]) => ({ door, give, what, messages, field })),
)

it.each(cases)('$door names the place of what is no message: $what', async (each) => {
  const error = await each.give(each.messages as Message[]).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(InvalidEntryError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ field: each.field })
  expect((error as Error).message).toMatch(/must be (?:a|one of|the) /)
})

/** Every place in a value, as the names that lead to it. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  const inner = Object.entries(value).flatMap(([name, each]) => placesIn(each, [...path, name]))
  return path.length === 0 ? inner : [[...path], ...inner]
}

function changed(path: readonly string[], change: unknown): unknown {
  const all: unknown = structuredClone(history())
  let one = all as Record<string, unknown>
  for (const name of path.slice(0, -1)) one = one[name] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  if (change === undefined) Reflect.deleteProperty(one, last)
  else one[last] = change
  return all
}

const oddities = fc.constantFrom(undefined, null, 0, true, '', 'odd', [], {}, [null], [{}], {
  type: 1,
})

test.each(doors)('%s throws no error but ours, whatever one place holds', async (_, give) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...placesIn(history())), oddities, async (path, odd) => {
      try {
        await give(changed(path, odd) as Message[])
      } catch (error) {
        if (!ThroughlineError.isInstance(error)) throw error
      }
    }),
    { numRuns: 300 },
  )
})
