import { describe, expect, it } from 'vitest'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { missingErrors, repairSummary } from './repair.ts'
import { formatSections, parseSections, sectionBody } from '../../facts/sections.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { defaultTemplate } from './template.ts'
import type { EntryDraft, Metadata } from '../../log/entry.ts'

const log = logFrom([
  human('Please fix src/parser.ts. Never push to the remote.'),
  step(
    'a',
    'Edit',
    { file_path: 'src/parser.ts', old_string: 'a', new_string: 'b' },
    'The file src/parser.ts has been updated.',
  ),
  step('b', 'Read', { file_path: 'src/lexer.ts' }, 'export function nextToken() {}'),
  human('Now write the test.'),
])

const empty = coreHeadings.map((heading) => `## ${heading}\n(none)`).join('\n\n')

const repair = (text: string, budget = 10_000): string | undefined =>
  repairSummary(text, {
    facts: factsOf(log, {}),
    template: defaultTemplate,
    budget,
    count: (words) => Math.ceil(words.length / 4),
    log,
  })

describe('a repaired summary', () => {
  it('holds what the model left out: request, rules, changed files', () => {
    const repaired = repair(empty) ?? ''
    const parsed = parseSections(repaired)
    expect(sectionBody(parsed, 'Goal')).toContain('Now write the test.')
    expect(sectionBody(parsed, 'Instructions')).toContain('Never push to the remote.')
    expect(sectionBody(parsed, 'Accomplished')).toMatch(/`src\/parser\.ts` edited \[\d+\]/)
    expect(repaired).not.toContain('(none)\n-')
  })

  it('names the directory of many files that the model left out once', () => {
    const written = ['emit', 'link', 'fold'].flatMap((name, at) =>
      step(
        `w${at}`,
        'Write',
        { file_path: `src/compiler/backend/${name}.ts`, content: name },
        'ok',
      ),
    )
    const deep = logFrom([human('Go on.'), ...written])
    const given = { facts: factsOf(deep, {}), log: deep, template: defaultTemplate }
    const count = (words: string): number => Math.ceil(words.length / 4)
    const repaired = repairSummary(empty, { ...given, budget: 2_000, count }) ?? ''
    expect(repaired.match(/src\/compiler\/backend/g)).toHaveLength(1)
    expect(repaired).toMatch(/in `src\/compiler\/backend\/`: `emit.ts` \[\d\], `link.ts` \[\d\], /)
    const again = repairSummary(repaired, { ...given, budget: 2_000, count, vouched: repaired })
    expect(again).toBe(repaired)
  })

  it('says nothing twice that the model said already', () => {
    const good = empty.replace(
      '## Accomplished\n(none)',
      '## Accomplished\n- edited `src/parser.ts`',
    )
    expect(repair(good)?.match(/src\/parser\.ts/g)).toHaveLength(1)
    const beside = empty.replace(
      '## Relevant files\n(none)',
      '## Relevant files\n- `src/parser.ts`',
    )
    expect(repair(beside)).toMatch(/`src\/parser\.ts` edited/)
  })

  it('says nothing of a file that is named from a directory that the model states', () => {
    const relative = empty.replace(
      '## Accomplished\n(none)',
      '## Accomplished\nIn `src/`:\n- `parser.ts`: takes empty input',
    )
    expect(repair(relative)).not.toContain('src/parser.ts')
    const elsewhere = relative.replace('In `src/`', 'In `lib/`')
    expect(repair(elsewhere)).toContain('`src/parser.ts` edited')
  })

  it('marks what the session never held, once, and leaves what it did hold', () => {
    const repaired =
      repair(`${empty}\nsee src/lexer.ts nextToken src/ghost.ts and src/ghost.ts`) ?? ''
    expect(repaired.match(/not seen in this session/g)).toHaveLength(1)
    expect(repaired).toContain('src/ghost.ts (not seen in this session) and src/ghost.ts')
  })

  it('does not mark what the session held so long ago that its facts have forgotten it', () => {
    const reads = Array.from({ length: 2_000 }, (_, at) =>
      step(`read${at}`, 'Read', { file_path: `src/part${at}/file.ts` }, 'ok'),
    )
    const facts = factsOf(logFrom([human('Please read all.'), ...reads]))
    const early = Array.from({ length: 2_000 }, (_, at) => `src/part${at}/file.ts`).find(
      (path) => !facts.files.has(path),
    )
    facts.names.delete(early ?? '')
    const repaired = repairSummary(`## Discoveries\n${early} and src/part2000/file.ts are odd.`, {
      facts,
      template: defaultTemplate,
      budget: 10_000,
      count: (words) => Math.ceil(words.length / 4),
      log: logFrom([human('Go on.')]),
    })
    expect(repaired).toContain(`${early} and src/part2000/file.ts (not seen in this session) are`)
  })

  it('marks a name behind the quotes that it stands in', () => {
    expect(repair(`${empty}\nsee \`src/ghost.ts\` and src/spook.ts.`)).toContain(
      'see `src/ghost.ts` (not seen in this session) and src/spook.ts (not seen in this session).',
    )
  })

  it('believes in a name that a pin, a call or another client’s summary holds, and in none that only ours does', () => {
    const checkpoint = (summary: string, metadata: Metadata): EntryDraft => ({
      kind: 'checkpoint',
      at: 0,
      base: 0,
      summary,
      summarizer: 'model',
      tail: [],
      continuation: null,
      metadata,
    })
    const held = logFrom([
      checkpoint('We planned src/ours.ts.', { rung: 'model' }),
      checkpoint('They planned src/theirs.ts.', {}),
      { kind: 'pin', at: 0, text: 'Keep src/pinned.ts.' },
      step('a', 'Own', { deep: [{ value: 'src/called.ts' }] }, 'ok'),
      human('Go on.'),
    ])
    const names = ['ours', 'theirs', 'pinned', 'called', 'ghost'].map((name) => `src/${name}.ts`)
    const repaired = repairSummary(`## Discoveries\n${names.join(' then ')} matter.`, {
      facts: factsOf(logFrom([human('Go on.')])),
      template: defaultTemplate,
      budget: 10_000,
      count: (words) => Math.ceil(words.length / 4),
      log: held,
    })
    const marked = names.filter((name) => repaired?.includes(`${name} (not seen`))
    expect(marked).toEqual(['src/ours.ts', 'src/ghost.ts'])
  })

  it('lists the newest errors that nobody has solved and that it does not name', () => {
    const { errors, ...facts } = factsOf(log, {})
    const error = (at: number, resolvedBy?: number) =>
      ({ text: `TypeError number ${at}!`, owner: 'npm test', seq: at, resolvedBy }) as never
    const all = Array.from({ length: 12 }, (_, at) => error(at, at === 11 ? 12 : undefined))
    expect(errors).toEqual([])
    const missing = missingErrors('TypeError number 10! is known.', { ...facts, errors: all })
    expect(missing).toHaveLength(8)
    expect(missing[0]).toBe('- Not resolved (npm test): TypeError number 2! [2]')
    expect(missing.at(-1)).toContain('number 9!')
  })

  it('has the record tell the sections that an answer leaves out', () => {
    const repaired = repair('## Accomplished\n- edited `src/parser.ts`') ?? ''
    const parsed = parseSections(repaired)
    expect(sectionBody(parsed, 'Relevant files')).toContain('From the record:')
    expect(sectionBody(parsed, 'Relevant files')).toContain('src/lexer.ts')
    expect(sectionBody(parsed, 'Accomplished')).not.toContain('From the record:')
    // The goal begins with how the session began, and the latest request stands once.
    expect(repaired.match(/Now write the test\./g)).toHaveLength(1)
  })

  it('marks no words that a slash stands between, if the session held them', () => {
    const repaired = repair(`${empty}\nthe lexer/remote and the lexer/unheard-of`) ?? ''
    expect(repaired).not.toContain('lexer/remote (not seen')
    expect(repaired).toContain('lexer/unheard-of (not seen')
  })

  it('takes away seqs that a model cannot know, and leaves links', () => {
    const repaired = repair(`${empty}\n- did it [12] and [3, 4], see [1](#top)`) ?? ''
    expect(repaired).toContain('did it and, see [1](#top)')
  })

  it('puts the sections in the order of the template', () => {
    const shuffled = [...coreHeadings]
      .toReversed()
      .map((heading) => `## ${heading}\nx`)
      .join('\n')
    expect(repair(shuffled)?.match(/^## .*/gm)).toEqual(
      coreHeadings.map((heading) => `## ${heading}`),
    )
  })

  it('keeps something of each section, where each is many times too long', () => {
    const body = 'One word after the other. '.repeat(2_000)
    const long = coreHeadings.map((heading) => `## ${heading}\n${body}`).join('\n\n')
    const parsed = parseSections(repair(long, 5_000) ?? '')
    for (const heading of coreHeadings) {
      expect(sectionBody(parsed, heading), heading).toContain('One word after the other.')
    }
  })

  it('is none where it does not fit', () => {
    expect(repair(empty, 20)).toBeUndefined()
  })
})

describe('sections', () => {
  it('are found whatever their level, and not inside code', () => {
    const parsed = parseSections(
      'hello\n# Goal:\nx\n```\n## not one\n```\n**Discoveries**\ny\n### Other\nz',
    )
    expect(parsed.preamble).toBe('hello')
    expect(parsed.sections.map(({ heading }) => heading)).toEqual(['Goal', 'Discoveries', 'Other'])
    expect(sectionBody(parsed, 'GOAL')).toContain('## not one')
    expect(formatSections(parsed)).toContain('## Goal\nx')
  })
})
