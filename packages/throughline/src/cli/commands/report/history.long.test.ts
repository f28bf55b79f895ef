import { inItsLog } from '../../testing/in-its-log.ts'
import { describe, expect, it } from 'vitest'
import { human, assistant } from '../../../testing/generate/build.ts'
import { columnsOf } from '../../terminal/columns.ts'
import { testStoreWithSession } from '../../testing/new-store.ts'
import { seqRanges } from '../../store/seqs.ts'

describe('show', () => {
  it('shows what the user saw, whatever was compacted, with refs', async () => {
    const { done } = await testStoreWithSession()
    const before = await done('report', '--history', 'made')
    expect(before).toMatch(/^=== user \[1\]\nPlease make feature 1 work\./)
    expect(before).toContain(
      '\n=== assistant calls Read [2.1]\nfile_path: /code/app/src/part0/file0.ts\n',
    )
    expect(before).toContain('\n=== Read answers [3.0]\n')
    expect(before.trimEnd().endsWith('Feature 12 works now.')).toBe(true)
    await done('compact', 'made')
    expect(await done('report', '--history', 'made')).toBe(before)
  })

  it('shows what the model sees', async () => {
    const { done, run, json, directory } = await testStoreWithSession()
    const { out } = await run(['compact', '--if-needed', 'made', '--window', '32k'])
    expect(await done('report', '--history', 'made', '--context')).toBe(inItsLog(out))
    const { messages, system } = await json('report', '--history', 'made', '--context')
    expect(messages[0].content).toContain('<prior-conversation-summary>')
    expect(system).toBeNull()
    expect(await done('report', '--history', `${directory}/session.jsonl`, '--context')).toContain(
      '=== user\n',
    )
  })

  it('shows every entry on a line, and what was taken back', async () => {
    const { done, run, file } = await testStoreWithSession()
    await done('pin', 'made', 'On Friday.')
    await done('compact', 'made', '--window', '32k')
    await done('undo', 'made')
    await done('pin', '--remove', 'made', '170')
    const lines = (await done('report', '--history', 'made', '--log')).trimEnd().split('\n')
    expect(lines).toHaveLength(173)
    expect(lines[0]).toMatch(/^ {2}1 {2}user +Please make feature 1 work\./)
    expect(lines[1]).toContain('assistant   Looking at step 0.0. · calls Read(file_path: /code/app')
    expect(lines[2]).toMatch(/^ {2}3 {2}tool +Read answers: 1→/)
    expect(lines.slice(168)).toEqual([
      expect.stringMatching(/^169 {2}note +import: id: made/),
      '170  pin         On Friday.',
      expect.stringMatching(
        /^171 {2}checkpoint {2}\(undone\) summarized by local in [\d,]+ characters; kept [\d–, ]+/,
      ),
      '172  rewind      undoes entry 171',
      '173  unpin       pin 170 is removed',
    ])
    const env = { THROUGHLINE_STORE: file, NO_COLOR: '1' }
    const narrow = await run(['report', '--history', 'made', '--log'], { terminal: 70, env })
    for (const line of narrow.out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(70)
  })

  it('shows a message, a part of one, or any other entry whole', async () => {
    const { done } = await testStoreWithSession()
    await done('pin', 'made', 'On Friday.')
    await done('compact', 'made', '--window', '32k')
    expect(await done('report', '--history', 'made', '2')).toBe(
      '=== assistant [2.0]\nLooking at step 0.0.\n\n=== assistant calls Read [2.1]\nfile_path: /code/app/src/part0/file0.ts\n',
    )
    expect(await done('report', '--history', 'made', '2.1')).toBe(
      '=== assistant calls Read\nfile_path: /code/app/src/part0/file0.ts\n',
    )
    expect(await done('report', '--history', 'made', '170')).toBe('=== note\nOn Friday.\n')
    expect(await done('report', '--history', 'made', '171')).toMatch(
      /^=== note\nsummarized by local[^\n]+\n\n=== summary\n## Goal\n/,
    )
  })

  it('says exactly what is stored as JSON', async () => {
    const { inside, json, read } = await testStoreWithSession()
    const image = { type: 'image', image: new Uint8Array([1, 2]) } as const
    await inside((store) => store.append('odd', [human([image]), assistant('\u001b[2J\u202e')]))
    const stored = await read('made')
    expect((await json('report', '--history', 'made', '--log')).entries).toEqual(stored)
    expect((await json('report', '--history', 'made')).entries).toEqual(stored.slice(0, -1))
    expect((await json('report', '--history', 'made', '2')).entry).toEqual(stored[1])
    expect((await json('report', '--history', 'made', '2.0')).part).toEqual({
      type: 'text',
      text: 'Looking at step 0.0.',
    })
    expect((await json('report', '--history', 'odd', '1.0')).part.image).toBeDefined()
    expect((await json('report', '--history', 'odd', '1')).entry.message.content[0].image).toEqual({
      $throughline: ['bytes', 'AQI='],
    })
    expect((await json('report', '--history', 'odd', '2')).entry.message.content).toBe(
      '\u001b[2J\u202e',
    )
  })

  it.each([
    [1, ['report', '--history', 'made', '999'], 'no ref "999"'],
    [1, ['report', '--history', 'made', '2.9'], 'no ref "2.9"'],
    [1, ['report', '--history', 'session.jsonl', '999'], 'seqs run from 1 to 168'],
    [2, ['report', '--history', 'made', 'abc'], 'such as 12 or 12.0, not "abc"'],
    [2, ['report', '--history', 'made', '-1'], 'unknown option'],
    [2, ['report', '--history', 'made', '2', '--log'], 'use only one'],
    [2, ['report', '--history', 'made', '--log', '--context'], 'use only one'],
    [2, ['report', '--history', 'made', '2', 'made'], 'such as 12 or 12.0, not "made"'],
    [2, ['report', '--fill', 'made', '2'], 'is too many'],
    [2, ['report', '--history', 'made', '2.x'], 'not "2.x"'],
  ])('ends with %d and one line at %j', async (code, argv, message) => {
    const { fails } = await testStoreWithSession()
    expect(await fails(code, argv)).toContain(message)
  })

  it('is quiet when its reader goes away in the middle', async () => {
    const { run } = await testStoreWithSession({ turns: 40, steps: 12 })
    for (const view of [[], ['--log'], ['--json']]) {
      const { code, err } = await run(['report', '--history', 'made', ...view], {
        closedAfter: 1,
        env: { THROUGHLINE_STORE: 'sessions.db' },
      })
      expect([code, err.includes('at ')]).toEqual([code === 1 ? 1 : 0, false])
    }
  })
})

it('seqs in a row stand together', () => {
  expect(seqRanges([3, 1, 2, 7])).toBe('1–3, 7')
  expect(seqRanges([])).toBe('')
  expect(seqRanges(Array.from({ length: 20 }, (_, index) => index * 2))).toMatch(/^0, 2,.*, 14, …$/)
})
