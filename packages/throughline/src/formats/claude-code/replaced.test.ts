import { expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { messageText } from '../../log/message.ts'
import { fingerprintOf, memoryLedger } from '../../ledger/ledger.ts'
import { readSession } from '../reading/read-session.ts'

const said = (at: number, uuid: string, type: 'user' | 'assistant', content: unknown) => ({
  type,
  uuid,
  parentUuid: null as string | null,
  timestamp: new Date(Date.UTC(2026, 10, 22, 16, 0, at)).toISOString(),
  sessionId: 's',
  cwd: '/w',
  message: { role: type, content, ...(type === 'assistant' && { id: `m${uuid.slice(0, 2)}` }) },
})

const call = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }]
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }]

/** As Claude Code 2.1.330 writes a compaction that a hooks module has answered. */
const records = [
  said(1, 'u1', 'user', 'Fix it. Never touch prod.ts.'),
  said(2, 'a1', 'assistant', call('c1')),
  said(3, 'r1', 'user', result('c1')),
  said(4, 'a2', 'assistant', call('c2')),
  said(5, 'r2', 'user', result('c2')),
  {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'b1',
    timestamp: new Date(Date.UTC(2026, 10, 22, 16, 0, 6)).toISOString(),
    compactMetadata: { trigger: 'auto', preTokens: 9 },
  },
  said(
    9,
    's1',
    'user',
    '<prior-conversation-summary>\n## Goal\nFix it. [1]\n</prior-conversation-summary>',
  ),
  said(1, 'u1b', 'user', 'Fix it. Never touch prod.ts.'),
  said(9, 'o1', 'user', '[1 step is left out here, entries 2–3; the summary covers it.]'),
  said(4, 'a2b', 'assistant', call('c2')),
  said(5, 'r2b', 'user', result('c2')),
  said(10, 'a3', 'assistant', [{ type: 'text', text: 'Go on.' }]),
  said(20, 'u2', 'user', 'Fix it. Never touch prod.ts.'),
].map((record, index, all) => ({ ...record, parentUuid: all[index - 1]?.uuid ?? null }))

it('a compaction that our module made is one: the copies behind it say nothing new', async () => {
  const text = records.map((record) => JSON.stringify(record)).join('\n')
  const { log } = await readSession([new TextEncoder().encode(text)])
  const checkpoint = log.find((entry) => entry.kind === 'checkpoint')
  expect(checkpoint).toMatchObject({
    base: 5,
    summary: '## Goal\nFix it. [1]',
    summarizer: 'throughline',
    tail: [1, 4, 5].map((seq) => ({ type: 'entry', seq })),
    metadata: { rung: 'model', preTokens: 9 },
  })
  const humans = log.filter((entry) => entry.kind === 'message' && entry.origin === 'human')
  expect(humans.map(({ seq }) => seq)).toEqual([1, 8])
  const shown = contextOf(log).items.map((item) =>
    item.type === 'message' ? messageText(item.message) || item.message.role : item.type,
  )
  expect(shown).toEqual([
    'summary',
    'Fix it. Never touch prod.ts.',
    'assistant',
    'of c2',
    'Go on.',
    'Fix it. Never touch prod.ts.',
  ])
})

it('knows a copy by the ledger, though its text is clipped and its time another', async () => {
  const summary = '## Goal\nFix it. [1]'
  const clipped = 'Fix it. […]'
  const changed = records.map((record) =>
    record.uuid === 'u1b'
      ? { ...said(11, 'u1b', 'user', clipped), parentUuid: record.parentUuid }
      : record,
  )
  const text = changed.map((record) => JSON.stringify(record)).join('\n')
  const ledger = memoryLedger()
  const message = { print: fingerprintOf(clipped), origin: 'human' as const, record: 'u1' }
  ledger.add(summary, { at: 0, by: 'local', generation: 1, messages: [message] })
  const { log } = await readSession([text], { ledger })
  const humans = log.filter((entry) => entry.kind === 'message' && entry.origin === 'human')
  expect(humans.map(({ seq }) => seq)).toEqual([1, 8])
  const checkpoint = log.find((entry) => entry.kind === 'checkpoint')
  expect(checkpoint?.tail).toContainEqual({ type: 'entry', seq: 1 })
})
