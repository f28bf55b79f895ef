import { expect, test } from 'vitest'
import { call, result } from '../../testing/generate/build.ts'
import { contextOf } from '../../log/context/context.ts'
import { logOf } from '../../session/once/log-of-messages.ts'
import { messageText, partsOf, type Message } from '../../log/message.ts'
import { project } from './project.ts'
import { chronological } from '../../log/order.ts'
import type { Entry, EntryOf } from '../../log/entry.ts'
import type { MessageItem } from '../../log/context/context-item.ts'

/** A host that keeps an answer and its results in one object. */
interface Turn {
  says: string
}

const log = logOf([
  { role: 'user', content: 'Read both.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm' },
      call('c1', 'read', { path: 'a' }),
      call('c2', 'read', { path: 'b' }),
    ],
  },
  { role: 'tool', content: [result('c1', 'read', 'a'), result('c2', 'read', 'b\n'.repeat(9_000))] },
  { role: 'assistant', content: 'Both are read.' },
  { role: 'user', content: 'Now write.' },
] satisfies Message[])

const ask: Turn = { says: 'ask' }
const step: Turn = { says: 'step' }
const bySeq = new Map([
  [1, ask],
  [2, step],
  [3, step],
])

function forms(holds?: number) {
  const replaced: { native: Turn; shown: readonly MessageItem[] }[] = []
  return {
    replaced,
    forms: {
      original: ({ seq }: MessageItem) => bySeq.get(seq),
      say: (message: Message): Turn => ({ says: messageText(message) }),
      replace: (native: Turn, shown: readonly MessageItem[]): Turn => {
        replaced.push({ native, shown })
        return { says: `${native.says} replaced` }
      },
      ...(holds !== undefined && { holds: (native: Turn) => (native === step ? holds : 1) }),
    },
  }
}

test('what was kept is the host’s own object, in its place and once', () => {
  const { forms: own } = forms(2)
  const shown = project(contextOf(log), own)
  expect(shown[0]).toBe(ask)
  expect(shown[1]).toBe(step)
  expect(shown.slice(2)).toEqual([{ says: 'Both are read.' }, { says: 'Now write.' }])
})

test('what was clipped is replaced, with what the model sees of it', () => {
  const replacement = { how: 'clipped', ref: '3.1', text: 'b…' } as const
  const replacements = [replacement]
  const prune: Entry = { kind: 'prune', at: 1, seq: 6, base: 5, replacements, metadata: {} }
  const { forms: own, replaced } = forms()
  const shown = project(contextOf(chronological([...log, prune])), own)
  expect(shown.map(({ says }) => says).slice(0, 2)).toEqual(['ask', 'step replaced'])
  const parts = replaced.flatMap((each) => each.shown.flatMap(({ message }) => partsOf(message)))
  expect(parts.at(-1)).toMatchObject({ toolCallId: 'c2', output: { value: 'b…' } })
  expect(parts.slice(1, 4)).toEqual([
    ...partsOf((log[1] as EntryOf<'message'>).message).slice(1),
    partsOf((log[2] as EntryOf<'message'>).message)[0],
  ])
})

test('an object of which the context shows less than it holds is replaced', () => {
  const { forms: own, replaced } = forms(3)
  project(contextOf(log), own)
  expect(replaced.map(({ native }) => native)).toEqual([step])
  expect(replaced[0]?.shown.map(({ seq }) => seq)).toEqual([2, 3])
})
