import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { mapOwnRefs } from '../../render/own-refs.ts'
import { assistant, call, human, logFrom, result, tool } from '../../../testing/generate/build.ts'
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

/** What the next session reads of a summary that came to it in a file. */
function carried(summary: string): ReturnType<typeof factsOf> {
  const checkpoint = { kind: 'checkpoint', at: 0, base: 0, summary, summarizer: 'local' } as const
  const metadata = { travelled: true }
  return factsOf(
    logFrom([{ ...checkpoint, tail: [], continuation: null, metadata } as unknown as EntryDraft]),
  )
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
