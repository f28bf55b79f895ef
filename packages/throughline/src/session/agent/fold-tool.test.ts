import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../compaction/policy.ts'
import { foldReply } from './fold-tool.ts'
import { illegalities } from '../../testing/legal.ts'
import { memoryStore } from '../../stores/memory.ts'
import { messageText } from '../../log/message.ts'
import { openSession, type Session } from '../session.ts'
import { assistant, call, human, result, tool } from '../../testing/generate/build.ts'
import { recall } from '../recall/recall.ts'
import { runs } from '../../testing/generate/runs.ts'
import type { EntryDraft } from '../../log/entry.ts'

const policy = { ...defaultPolicy, foldTool: 'fold', recallTool: 'recall' }
const learned =
  'The port is read in src/server.ts:41 from PORT and is 8123 by default. src/made-up.ts is not needed.'

function open(store = memoryStore()): Promise<Session> {
  return openSession({ store, id: 'a', window: { context: 200_000 }, policy, now: () => 0 })
}

let made = 0

/** A call of the tool as a loop makes it: the answer first, and then the result. */
async function mark(session: Session, input: object, name = 'fold'): Promise<string> {
  const id = `mark-${made++}`
  await session.append(assistant([call(id, name, input)]))
  const reply = foldReply(session, input)
  const text = 'text' in reply ? reply.text : reply.error
  await session.append(tool(result(id, name, text)))
  return text
}

function step(name: string, input: object, output: Parameters<typeof result>[2]): EntryDraft[] {
  const id = `step-${made++}`
  return [assistant([call(id, name, input)]), tool(result(id, name, output))]
}

const search = (words = 400): EntryDraft[] => [
  ...step(
    'read',
    { file_path: '/w/src/server.ts' },
    `port = 8123\n${'line of code\n'.repeat(words)}`,
  ),
  ...step(
    'edit',
    { file_path: '/w/src/port.ts', old_string: 'a', new_string: 'b' },
    'The file was edited.',
  ),
  ...step(
    'bash',
    { command: 'npm test' },
    { type: 'error-text', value: 'Error: port.test.ts failed with ECONNREFUSED' },
  ),
]

async function begun(store = memoryStore()): Promise<Session> {
  const session = await open(store)
  await session.append(human('Find where the port is set. Never touch the lock file.'))
  await session.append(...step('bash', { command: 'ls' }, 'src'))
  return session
}

const texts = (session: Session): string => session.messages().map(messageText).join('\n')

describe('a fold', () => {
  test('puts what was learned in the place of the steps, and leaves what stood before as it was', async () => {
    const session = await begun()
    expect(await mark(session, { open: 'where is the port set?' })).toContain('open')
    const before = JSON.stringify(session.messages())
    await session.append(...search())
    const size = session.measure().tokens
    expect(await mark(session, { close: learned })).toMatch(/^Requested/)
    const report = await session.fit()
    expect(report).toMatchObject({ action: 'summary', rung: 'fold', summarizer: 'agent' })
    expect(session.measure().tokens).toBeLessThan(size / 2)
    const after = session.messages()
    expect(JSON.stringify(after).startsWith(before.slice(0, -1))).toBe(true)
    expect(illegalities(after)).toEqual([])
    const said = texts(session)
    expect(said).toContain('where is the port set?')
    expect(said).toContain('src/server.ts:41')
    expect(said).not.toContain('line of code')
    expect(after.at(-1)).toMatchObject({ role: 'tool' })
  })

  test('is corrected by the record: changed files, open errors, and names that nobody saw', async () => {
    const session = await begun()
    await mark(session, { open: 'the port' })
    await session.append(...search())
    await mark(session, { close: learned })
    await session.fit()
    const folded = session.context().items.find(({ type }) => type === 'omission')
    const text = folded?.type === 'omission' ? folded.text : ''
    expect(text).toContain('port.ts` edited')
    expect(text).toContain('ECONNREFUSED')
    expect(text).toMatch(/src\/made-up\.ts \(not seen in this session\)/)
    expect(text).not.toContain('lock file')
  })

  test('keeps the words of the human, and is undone like any other, once', async () => {
    const session = await begun()
    await mark(session, { open: 'the port' })
    await session.append(...search())
    await session.append(human('Use IPv6 too.'), ...search())
    await mark(session, { close: learned })
    const before = JSON.stringify(session.messages())
    await session.fit()
    expect(texts(session)).toContain('Use IPv6 too.')
    expect(illegalities(session.messages())).toEqual([])
    await session.undo()
    expect(JSON.stringify(session.messages())).toBe(before)
    await session.fit()
    expect(JSON.stringify(session.messages())).toBe(before)
  })

  test('inside a fold keeps what the inner one learned', async () => {
    const session = await begun()
    await mark(session, { open: 'outer' })
    await session.append(...search())
    await mark(session, { open: 'inner' })
    await session.append(...search())
    await mark(session, { close: `Inner: the value is 4711 in src/port.ts. ${learned}` })
    await session.fit()
    await session.append(...search())
    await mark(session, { close: `Outer: all is in src/server.ts. ${learned}` })
    await session.fit()
    const said = texts(session)
    expect(said).toContain('4711')
    expect(said).toContain('Outer: all is in')
    expect(said).not.toContain('line of code')
    expect(said.match(/A closed sub-task/g)).toHaveLength(2)
    expect(illegalities(session.messages())).toEqual([])
  })

  test('gives the same bytes in a process that opens the session anew, and reads back by ref', async () => {
    const store = memoryStore()
    const session = await begun(store)
    await session.pin('The lock file is package-lock.json.')
    await mark(session, { open: 'the port' })
    await session.append(...search())
    await mark(session, { close: learned })
    await session.fit()
    await session.append(...step('bash', { command: 'ls' }, 'src'))
    const again = await open(store)
    expect(JSON.stringify(again.messages())).toBe(JSON.stringify(session.messages()))
    expect((await recall(store, 'a', { ref: '8.0' })).text).toContain('line of code')
  })

  test('stands on an earlier summary, and a later one tells what was learned', async () => {
    const session = await begun()
    for (let at = 0; at < 12; at++) await session.append(...search(300))
    await session.compact()
    await mark(session, { open: 'the port' })
    const before = JSON.stringify(session.messages())
    await session.append(...search())
    await mark(session, { close: learned })
    await session.fit()
    expect(JSON.stringify(session.messages()).startsWith(before.slice(0, -1))).toBe(true)
    await session.append(human('And now the rest.'))
    for (let at = 0; at < 40; at++) await session.append(...search(300))
    await session.compact()
    expect(texts(session)).toContain('8123')
    expect(texts(session)).toContain('src/server.ts:41')
    expect(illegalities(session.messages())).toEqual([])
  })

  test.each([
    ['before it is worth anything', 10, learned, 'has only'],
    ['with nothing learned', 400, 'none', 'says too little'],
    ['with more than it could save', 400, 'many words '.repeat(800), 'shorter'],
  ])('is refused %s', async (_, words, close, why) => {
    const session = await begun()
    await mark(session, { open: 'x' })
    await session.append(...step('bash', { command: 'ls' }, 'line of code\n'.repeat(words)))
    const before = session.context().items.length
    const answer = await mark(session, { close })
    expect(answer).toContain(why)
    expect(answer).toContain('still open')
    await session.fit()
    expect(session.context().items).toHaveLength(before + 2)
  })

  test('needs an open mark, and words that look like one are none', async () => {
    const session = await begun()
    await session.append(
      assistant([call('fake', 'fold', { open: 'x' })]),
      tool(result('fake', 'fold', 'no such tool')),
    )
    await session.append(...search())
    expect(await mark(session, { close: learned })).toContain('no open sub-task')
    expect(await mark(session, {})).toContain('either')
    const off = await openSession({ store: memoryStore(), id: 'b', window: { context: 9_000 } })
    expect(foldReply(off, { open: 'x' })).toHaveProperty('error')
  })

  test('leaves what is pinned and what a skill said', async () => {
    const session = await begun()
    await mark(session, { open: 'the port' })
    await session.append(...step('skill', { name: 'ports' }, 'Always use even ports.'), ...search())
    await session.pin('port = 8123', '9.0')
    await mark(session, { close: learned })
    await session.fit()
    expect(texts(session)).toContain('Always use even ports.')
    expect(texts(session)).toContain('line of code')
    expect(illegalities(session.messages())).toEqual([])
  })

  test('leaves a whole context, wherever the marks stand', async () => {
    let folded = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('open', 'work', 'close', 'sub-task', 'human', 'compact', 'undo'), {
          maxLength: 14,
        }),
        async (moves) => {
          const session = await begun()
          for (const move of moves) {
            if (move === 'open' || move === 'sub-task') await mark(session, { open: 'x' })
            if (move === 'work' || move === 'sub-task') await session.append(...search())
            if (move === 'close' || move === 'sub-task') await mark(session, { close: learned })
            if (move === 'human') await session.append(human('Go on.'))
            if (move === 'compact') await session.compact()
            if (move === 'undo') await session.undo().catch(() => {})
            const { rung } = await session.fit()
            if (rung === 'fold') folded += 1
            expect(illegalities(session.messages())).toEqual([])
          }
        },
      ),
      runs(60),
    )
    expect(folded).toBeGreaterThan(3)
  })
})
