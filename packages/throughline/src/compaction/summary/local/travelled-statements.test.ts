import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { mapOwnRefs } from '../../render/own-refs.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  tool,
} from '../../../testing/generate/build.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { EntryDraft } from '../../../log/entry.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

const step = (id: string, name: string, input: object, output: string, says: string) => [
  assistant([{ type: 'text', text: says }, call(id, name, input)]),
  tool(result(id, name, output)),
]

const session: EntryDraft[] = [
  human('Find out why the header parser drops the last byte.\n- look at CRLF\n- look at tabs'),
  ...step(
    '1',
    'ExitPlanMode',
    { plan: '# Plan\n1. Keep the last byte of each header.\n2. Run all of the tests.' },
    'User has approved your plan.',
    'This is how I would go about it.',
  ),
  ...step(
    '2',
    'Edit',
    { file_path: '/code/app/parser.ts', old_string: 'a', new_string: 'b' },
    'The file has been updated successfully.',
    'The last byte is dropped because `slice` is off by one, so I count from zero now.',
  ),
  ...step(
    '3',
    'Bash',
    { command: 'git commit -am "Keep the last byte of a header"' },
    '[fix abc1234] Keep the last byte of a header',
    'Committing this.',
  ),
  assistant('Two things stay open:\n\n- CRLF at the very end:\n  it needs a fixture.\n- tabs'),
  human('Good. Go on with CRLF.'),
  assistant('The fixture is `crlf.txt`.'),
  human('And tabs?'),
]

function checkpointOf(summary: string): EntryDraft {
  const checkpoint = { kind: 'checkpoint', at: 0, base: 0, summary, summarizer: 'local' } as const
  const metadata = { travelled: true }
  return { ...checkpoint, tail: [], continuation: null, metadata } as unknown as EntryDraft
}

/** What the next session reads of a summary that came to it in a file. */
function carried(summary: string): ReturnType<typeof factsOf> {
  return factsOf(logFrom([checkpointOf(summary)]))
}

test('20 rounds through files say what one did', () => {
  const told = (facts: ReturnType<typeof factsOf>): string =>
    summarizeLocally({ facts, budget: 1_500, count })
  const first = told(factsOf(logFrom(session)))
  let text = first
  for (let round = 0; round < 20; round++) text = told(carried(text))
  const bare = (summary: string): string =>
    mapOwnRefs(summary, () => undefined).replaceAll(/ \[\d+\]/g, '')
  expect(bare(text)).toBe(bare(first))
  for (const kept of [
    'slice` is off by one',
    '2. Run all of the tests.',
    '  - look at tabs',
    'Go on with CRLF',
    'abc1234 Keep the last byte of a header',
    'CRLF at the very end',
  ])
    expect(text).toContain(kept)
})

test('what was done is read back as that, not as files, after all refs are gone', () => {
  const first = summarizeLocally({ facts: factsOf(logFrom(session)), budget: 1_500, count })
  const { statements, files } = carried(mapOwnRefs(first, () => undefined))
  expect(first).toContain('What was done, and why:\n- [')
  expect(statements.filter(({ worked }) => worked).map(({ text }) => text)).toContainEqual(
    expect.stringContaining('`slice` is off by one'),
  )
  expect([...files.keys()]).toEqual(['/code/app/parser.ts'])
})

test('long code is carried in whole blocks', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `step${at}(value${at})`)
  const code = `The whole of it:\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\``
  const log = logFrom([human('Show me.'), assistant(code), human('Thanks.')])
  const first = summarizeLocally({ facts: factsOf(log), budget: 2_000, count })
  const second = summarizeLocally({ facts: carried(first), budget: 2_000, count })
  for (const text of [first, second]) {
    expect(text.match(/```/g)).toHaveLength(2)
    for (const line of lines) expect(text).toContain(line)
  }
  const clipped = summarizeLocally({ facts: factsOf(log), budget: 420, count })
  expect((clipped.match(/```/g) ?? []).length % 2).toBe(0)
})

test('the steps that came along with a summary are not counted again', () => {
  const edit = step('9', 'Edit', { file_path: 'parser.ts', old_string: 'a' }, 'ok', 'Again.')
  const write = step('8', 'Write', { file_path: 'new.ts', content: 'x' }, 'ok', 'New.')
  const commit = step(
    '7',
    'Bash',
    { command: 'git commit -am "Again"' },
    '[fix def5678] Again',
    'Committing.',
  )
  const tail = [...write, ...edit, ...commit]
  const whole = factsOf(logFrom([...session, ...edit, ...tail]))
  const summary = summarizeLocally({ facts: whole, budget: 3_000, count })
  const facts = factsOf(logFrom([checkpointOf(summary), ...tail]))
  expect(whole.files.get('parser.ts')?.edits).toBe(2)
  expect(facts.files.get('parser.ts')?.edits).toBe(2)
  expect(facts.files.get('new.ts')).toMatchObject({ state: 'created', edits: 0 })
  expect(facts.repository.commits.map(({ sha }) => sha)).toEqual(['abc1234', 'def5678'])
})

test('what a marker quotes is said by the summary when the marker goes', () => {
  const quote =
    '[2 steps are left out here; the summary covers them.]\n[The assistant had just said:]\n'
  const marker = harness(`${quote}The lock is taken twice because two writers share it.`)
  const told = factsOf(logFrom([checkpointOf('## Goal\nx'), marker, human('Fix it.')])).statements
  expect(told.map(({ text }) => text)).toEqual([
    'The lock is taken twice because two writers share it.',
  ])
  // Without a summary before it, anybody may have written that.
  expect(factsOf(logFrom([marker, human('Fix it.')])).statements).toEqual([])
})

test('of a quote that was clipped, no torn sentence is told', () => {
  const quote = `[The assistant had just said:]
The lock is taken twice because two writers share it. The second of them wai
[… left out here; the whole is ref 12 …]
rn releases it too early. So the file is written by one of them alone.`
  const told = factsOf(
    logFrom([checkpointOf('## Goal\nx'), harness(quote), human('Fix it.')]),
  ).statements
  expect(told.map(({ text }) => text)).toEqual([
    'The lock is taken twice because two writers share it.\n…\nSo the file is written by one of them alone.',
  ])
})

test('a document whose path has spaces is carried', () => {
  const read = step(
    '1',
    'Read',
    { file_path: '/a/Run Docs/01.md' },
    'Here is what is left to do.\n- [ ] Write the parser of all headers.\n- [ ] Write its tests.',
    'I read it.',
  )
  const facts = factsOf(logFrom([human('Go.'), ...read, human('And on.')]))
  const first = summarizeLocally({ facts, budget: 1_500, count })
  expect(first).toContain('Run Docs/01.md says:')
  expect(summarizeLocally({ facts: carried(first), budget: 1_500, count })).toContain(
    '- [ ] Write its tests.',
  )
})
