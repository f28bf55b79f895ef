import { describe, test } from 'vitest'
import { chronological, type Chronological } from '../log/order.ts'
import { expectLinear } from '../testing/growth.ts'
import { factsOf } from './facts-of.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'

const said = (content: string): EntryDraft => {
  return { kind: 'message', at: 0, origin: 'human', message: { role: 'user', content } }
}

const step = (at: number, tool: string, input: unknown, output: string): EntryDraft[] => {
  const call = { toolCallId: `call${at}`, toolName: tool }
  return [
    {
      kind: 'message',
      at,
      origin: 'model',
      finish: 'tool-calls',
      message: { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    },
    {
      kind: 'message',
      at,
      origin: 'tool',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value: output } }],
      },
    },
  ]
}

const write = (at: number, path: string): EntryDraft[] =>
  step(at, 'Write', { file_path: path, content: 'x' }, 'File created successfully')
const bash = (at: number, command: string, output = ''): EntryDraft[] =>
  step(at, 'Bash', { command }, output)

/** What a session does again and again, each time with other words. */
const habits: Record<string, (at: number) => EntryDraft[]> = {
  'states a rule': (at) => [said(`Never touch the folder number${at}x in the repository.`)],
  'takes the newest rule back': (at) => [
    said(`Never touch the folder number${at}x.`),
    said(`You can touch the folder number${at}x now.`),
  ],
  'takes back what nobody said': (at) => [
    said(`Never touch the folder number${at}x.`),
    said(`You can touch the drawer letter${at}y now.`),
  ],
  'removes a directory': (at) => [
    ...write(2 * at, `/repo/directory${at}/a.ts`),
    ...bash(2 * at + 1, `rm -rf /repo/directory${at}`),
  ],
  'fills and removes the same directory': (at) => [
    ...write(2 * at, `/repo/dist/file${at}.ts`),
    ...bash(2 * at + 1, 'rm -rf /repo/dist'),
  ],
  'moves a directory': (at) => [
    ...write(2 * at, `/repo/directory${at}/a.ts`),
    ...bash(2 * at + 1, `mv /repo/directory${at} /repo/other${at}`),
  ],
  'fails in a file without its directory': (at) => [
    ...write(2 * at, `/repo/directory${at}/file${at}.ts`),
    ...bash(2 * at + 1, 'npm test', `file${at}.ts:3:1: error: no thing${at}\nExit code 1`),
  ],
}

function logOf(habit: (at: number) => EntryDraft[], times: number): Chronological {
  const drafts = Array.from({ length: times }, (_, at) => habit(at)).flat()
  return chronological(drafts.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
}

describe('the cost of the facts grows with the log, in a session that', () => {
  test.each(Object.entries(habits))('%s', async (_, habit) => {
    await expectLinear(
      (times) => {
        const log = logOf(habit, times)
        return () => factsOf(log)
      },
      { small: 500, large: 8_000 },
    )
  })
})
