import { expect, test } from 'vitest'
import { assistant, call, human, result, tool } from '../testing/generate/build.ts'
import { illegalities } from '../testing/legal.ts'
import { memoryStore } from '../stores/memory.ts'
import { messageText } from '../log/message.ts'
import { openSession } from './session.ts'
import { recallReply } from './recall/reply.ts'
import type { EntryDraft } from '../log/entry.ts'

const learned = 'The port is read in src/server.ts:41 from PORT and is 8123 by default.'

/** As 0.2 wrote it where an agent had folded a sub-task: a checkpoint in the middle, without summary. */
const folded = {
  kind: 'checkpoint',
  at: 0,
  base: 7,
  summary: '',
  summarizer: 'agent',
  tail: [
    { type: 'entry', seq: 1 },
    { type: 'entry', seq: 2 },
    { type: 'entry', seq: 3 },
    { type: 'omission', from: 4, to: 5, text: `[A closed sub-task: “the port”]\n${learned}` },
    { type: 'entry', seq: 6, kept: 'whole' },
    { type: 'entry', seq: 7 },
  ],
  continuation: null,
  fold: { from: 4, to: 5, pinned: 0 },
  metadata: { trigger: 'manual', rung: 'fold', tokensBefore: 1653 },
} as EntryDraft

const marked = (id: string, input: object, answer: string): EntryDraft[] => [
  assistant([call(id, 'fold', input)]),
  tool(result(id, 'fold', answer)),
]

test('a session in which an agent folded opens: what was learned is in its place, the steps are found by ref', async () => {
  const store = memoryStore()
  await store.append('a', [
    human('Find where the port is set.'),
    ...marked('m1', { open: 'the port' }, 'The sub-task is open.'),
    assistant([call('r1', 'read', { file_path: '/w/src/server.ts' })]),
    tool(result('r1', 'read', 'port = 8123\nline of code')),
    ...marked('m2', { close: learned }, 'Requested: after this step'),
    folded,
  ])
  const session = await openSession({ store, id: 'a', window: { context: 200_000 } })
  const messages = session.messages()
  expect(illegalities(messages)).toEqual([])
  const types = session.context().items.map(({ type }) => type)
  expect(types.join(' ')).toBe('message message message omission message message')
  const said = messages.map(messageText).join('\n')
  expect(said).toContain(learned)
  expect(said).not.toContain('line of code')
  expect(JSON.stringify(await recallReply(store, 'a', { ref: '5' }))).toContain('line of code')

  await session.undo()
  expect(JSON.stringify(session.messages())).toContain('line of code')
})
