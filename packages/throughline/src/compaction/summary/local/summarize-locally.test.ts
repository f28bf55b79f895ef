import { expect, test } from 'vitest'
import { factsOf } from '../../../facts/facts-of.ts'
import { parseSections } from '../../../facts/sections.ts'
import { assistant, human, logFrom, step } from '../../../testing/generate/build.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { CommandFact, FileFact, NameFact } from '../../../facts/facts.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const headings = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']

function file(path: string, fields: Partial<FileFact> = {}): FileFact {
  return { path, state: 'read', reads: 1, edits: 0, seqs: [5], ...fields }
}

function name(text: string, fields: Partial<NameFact> = {}): NameFact {
  return {
    name: text,
    kind: 'identifier',
    owner: '',
    calls: 1,
    mentions: 1,
    lastSeq: 5,
    weight: 1,
    ...fields,
  }
}

function indexWith(fields: Partial<Facts>): Facts {
  const none = { files: new Map(), commands: new Map(), names: new Map() }
  const lists = { errors: [], rules: [], requests: [], statements: [], todos: [] }
  const repository = { commits: [], changed: new Set<string>() }
  return {
    seq: 100,
    root: '/code/app',
    directories: ['/code/app'],
    ...none,
    ...lists,
    repository,
    ...fields,
  }
}

const byPath = (files: readonly FileFact[]) => new Map(files.map((fact) => [fact.path, fact]))
const byName = (names: readonly NameFact[]) => new Map(names.map((fact) => [fact.name, fact]))

const session = indexWith({
  requests: [
    { text: 'Please fix the header parser, it drops the last byte.', seq: 1 },
    { text: 'Good. Now add a test for CRLF.', seq: 90 },
  ],
  rules: [
    { text: 'Never push to main.', seq: 1 },
    { text: 'Use tabs.', seq: 2, retractedBy: 40 },
  ],
  files: byPath([
    file('src/parser.ts', {
      state: 'edited',
      edits: 3,
      seqs: [5, 60],
    }),
    file('src/new.ts', { state: 'created', seqs: [61] }),
    file('src/old.ts', { state: 'deleted', seqs: [62] }),
    file('src/only-read.ts'),
  ]),
  commands: new Map<string, CommandFact>([
    [
      'npm test',
      {
        command: 'npm test',
        purpose: 'check',
        runs: 4,
        outcome: 'failed',
        exitCode: 1,
        detail: '2 failed',
        seqs: [70],
      },
    ],
    ['ls src', { command: 'ls src', purpose: 'look', runs: 9, outcome: 'ok', seqs: [80] }],
  ]),
  errors: [
    { text: 'TypeError: x is undefined', owner: 'src/parser.ts', seq: 71 },
    { text: 'ENOENT', owner: '', seq: 20, resolvedBy: 30 },
  ],
  statements: [
    { text: 'The last byte is dropped because `slice` is off by one.', seq: 50, source: 'remark' },
  ],
  todos: [
    { text: 'Test CRLF', status: 'active', seq: 91 },
    { text: 'Fix the parser', status: 'done', seq: 91 },
  ],
  names: byName([
    name('parseHeader', { owner: 'src/parser.ts' }),
    name('readSection', { owner: 'src/parser.ts' }),
    name('looseName'),
  ]),
})

const bodyOf = (summary: string, heading: string): string =>
  parseSections(summary).sections.find((section) => section.heading === heading)?.body ?? ''

test('the five sections stand in order, under exactly these headings', () => {
  for (const index of [session, indexWith({})]) {
    const summary = summarizeLocally({ facts: index, budget: 2_000, count })
    expect(summary.match(/^## .*$/gm)).toEqual(headings.map((heading) => `## ${heading}`))
  }
})

test('each section says what a reader needs to go on', () => {
  const summary = summarizeLocally({ facts: session, budget: 6_000, count })
  expect(bodyOf(summary, 'Goal')).toBe(
    [
      'The latest request [90]:',
      '> Good. Now add a test for CRLF.',
      "Still open, as the assistant's list last said [91]:",
      '- in progress: Test CRLF [91]',
      'Where the work stands:',
      '- `npm test` ×4 → failed (exit 1): 2 failed [70]',
      'What the human said before, oldest first:',
      '- [1] Please fix the header parser, it drops the last byte.',
    ].join('\n'),
  )
  expect(bodyOf(summary, 'Instructions')).toBe(
    '- Never push to main. [1]\n- Taken back [40]: Use tabs. [2]',
  )
  expect(bodyOf(summary, 'Discoveries')).toBe(
    [
      '- [50] The last byte is dropped because `slice` is off by one.',
      'Errors not known to be solved:',
      '- src/parser.ts: TypeError: x is undefined [71]',
    ].join('\n'),
  )
  expect(bodyOf(summary, 'Accomplished')).toBe(
    [
      'Files changed:',
      '- edited ×3 src/parser.ts [60]',
      '- created src/new.ts [61]',
      '- deleted src/old.ts [62]',
    ].join('\n'),
  )
  expect(bodyOf(summary, 'Relevant files')).toBe(
    [
      'Paths are relative to /code/app.',
      '- src/parser.ts (edited ×3, read) [60]: parseHeader readSection',
      '- src/new.ts (created, read) [61]',
      '- src/only-read.ts (read) [5]',
      'Other names that were used: looseName',
    ].join('\n'),
  )
})

test('a template with sections of its own keeps the core ones first, and fills its own', () => {
  const own = ['Test results', 'Gradle config'].map((heading) => ({ heading, guide: '' }))
  const template = { sections: own }
  const summary = summarizeLocally({ facts: session, budget: 6_000, count, template })
  const all = [...headings, 'Test results', 'Gradle config']
  expect(summary.match(/^## .*$/gm)).toEqual(all.map((heading) => `## ${heading}`))
  expect(bodyOf(summary, 'Test results')).toBe('- `npm test` ×4 → failed (exit 1): 2 failed [70]')
  expect(bodyOf(summary, 'Gradle config')).toBe('(nothing recorded)')
})

test('names that stand in the text or in the tail are not said again', () => {
  const beside = ['see /code/app/looseName and readSection.']
  const summary = summarizeLocally({ facts: session, budget: 2_000, count, beside })
  expect(summary).toContain('parseHeader')
  expect(summary).not.toMatch(/looseName|readSection/)
})

test('a request that stands in full in the tail is only named', () => {
  const text = `Do this: ${'and that, '.repeat(200)}the end.`
  const index = indexWith({ requests: [{ text, seq: 9 }] })
  const alone = summarizeLocally({ facts: index, budget: 8_000, count })
  const beside = summarizeLocally({
    facts: index,
    budget: 8_000,
    count,
    beside: [`x\n${text}\n`],
  })
  expect(alone).toContain(text)
  expect(beside).toContain('[9], its beginning (the whole is below):')
  expect(count(beside)).toBeLessThan(150)
})

test('when space is short, names go first and the rules, the request and the changes last', () => {
  const names = byName(Array.from({ length: 200 }, (_, index) => name(`looseName${index}`)))
  const index = { ...session, names }
  const roomy = summarizeLocally({ facts: index, budget: 4_000, count })
  const tight = summarizeLocally({ facts: index, budget: 200, count })
  expect(roomy).toContain('looseName199')
  expect(tight).not.toContain('looseName199')
  for (const kept of [
    'Never push to main.',
    'Now add a test for CRLF.',
    'src/parser.ts',
    'created: src/new.ts',
    'deleted: src/old.ts',
  ]) {
    expect(tight).toContain(kept)
  }
})

test('a rule that was taken back goes before one that stands', () => {
  const rules = Array.from({ length: 20 }, (_, rule) => ({
    text: `Never do thing ${rule}.`,
    seq: 1,
  }))
  const retracted = rules.map(({ text }) => ({ text: `Formerly: ${text}`, seq: 2, retractedBy: 3 }))
  const index = indexWith({ rules: [...rules, ...retracted] })
  const summary = summarizeLocally({ facts: index, budget: 220, count })
  for (const { text } of rules) expect(summary).toContain(`- ${text} [1]`)
  expect(summary).not.toContain('Formerly: Never do thing 0.')
})

test('a name that is used in calls goes before one that only stood somewhere', () => {
  const names = byName([
    ...Array.from({ length: 300 }, (_, index) =>
      name(`mentioned${index}`, { calls: 0, kind: 'identifier' }),
    ),
    name('wanted.Name', { calls: 2 }),
  ])
  const summary = summarizeLocally({ facts: indexWith({ names }), budget: 100, count })
  expect(summary).toContain('wanted.Name')
  expect(summary).not.toContain('mentioned299')
})

test('a newer name goes before an older one, and the focus before both', () => {
  const names = byName([
    ...Array.from({ length: 300 }, (_, index) => name(`earlier${index}`, { lastSeq: 1 })),
    ...Array.from({ length: 100 }, (_, index) => name(`latter${index}`, { lastSeq: 99 })),
  ])
  const index = indexWith({ names })
  const summary = summarizeLocally({ facts: index, budget: 200, count })
  expect(summary).toMatch(/latter\d/)
  expect(summary).not.toMatch(/earlier\d/)
  expect(
    summarizeLocally({ facts: index, budget: 200, count, focus: 'everything about earlier29' }),
  ).toContain('earlier299')
})

test('a file that was renamed is told once, with where it was', () => {
  const files = byPath([
    file('lib/a.ts', { state: 'renamed', to: 'lib/b.ts' }),
    file('lib/b.ts', { state: 'renamed', from: 'lib/a.ts', edits: 2 }),
  ])
  const summary = summarizeLocally({ facts: indexWith({ files }), budget: 2_000, count })
  expect(bodyOf(summary, 'Accomplished')).toBe(
    'Files changed:\n- renamed lib/a.ts → lib/b.ts, edited ×2 [5]',
  )
})

test('a long request that stands clipped beside the summary is not told again', () => {
  const words = `Please read this:\n${'one more line of a long paste\n'.repeat(200)}and then fix the parser.`
  const facts = factsOf(logFrom([human(words), assistant('I have read it.')]))
  const clipped = `${words.slice(0, 400)}\n[… left out here; the whole is ref 1.0 …]\n${words.slice(-400)}`
  const told = (beside: string[]): string =>
    summarizeLocally({ facts, budget: 4_000, count, beside })
  expect(told([clipped])).toContain('The request of the human [1], clipped below:')
  expect(told([clipped]).length).toBeLessThan(told([]).length - 1_000)
  expect(told([clipped])).toContain('fix the parser.')
})

test('what is about to be looked at is not where the work stands, what was offered last is', () => {
  const stands = (...drafts: Parameters<typeof logFrom>[0]): string =>
    summarizeLocally({ facts: factsOf(logFrom([human('Fix it.'), ...drafts])), budget: 800, count })
  const calls = [step('1', 'Bash', { command: 'npm test' }, 'ok')]
  const pending = [{ type: 'tool-call', toolCallId: '2', toolName: 'Read', input: {} }] as const
  expect(stands(assistant("I'll rewrite the lock of the index."), ...calls)).toContain(
    "- Next, as the assistant said [2]: I'll rewrite the lock of the index.",
  )
  expect(stands(assistant('Let me check if there is a lock.'), ...calls)).not.toContain('- Next')
  const doing = 'I’m moving the lock of the index into the writer now.'
  expect(stands(assistant([{ type: 'text', text: doing }, ...pending]))).toContain(
    `- Next, as the assistant said [2]: ${doing}`,
  )
  const answer = 'The lock is taken twice.\n\nWant me to move it into the writer?'
  expect(stands(assistant(answer))).toContain(
    '- Asked or offered last [2]: Want me to move it into the writer?',
  )
  expect(stands(assistant(answer), human('Why?'))).not.toContain('- Asked')
})
