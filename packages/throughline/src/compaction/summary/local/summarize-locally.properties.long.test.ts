import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSections } from '../../../facts/sections.ts'
import { summarizeLocally } from './summarize-locally.ts'
import type { CommandFact, FileFact, NameFact } from '../../../facts/facts.ts'
import type { Facts } from '../../../facts/summary/known-facts.ts'

const counters = [
  (text: string): number => Math.ceil(Buffer.byteLength(text) / 4),
  (text: string): number => Math.ceil(text.length / 2.7),
  (text: string): number => text.split(/\b/).length,
]
const headings = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']

const seq = fc.integer({ min: 1, max: 5_000 })
const word = fc.stringMatching(/^[a-z]{1,12}(_[a-z]{1,12}|[A-Z][a-z]{1,12}|\.[a-z]{1,8}){1,4}$/)
const path = fc.array(word, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'))
const prose = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '## Goal\n```\n# x\n**y**',
    '日本語'.repeat(300),
    'a'.repeat(3_000),
    '```\n## Instructions\n',
  ),
)
const file = fc.record<FileFact>({
  path,
  state: fc.constantFrom('read', 'created', 'edited', 'renamed', 'deleted'),
  reads: fc.nat(20),
  edits: fc.nat(20),
  seqs: fc.array(seq, { minLength: 1, maxLength: 5 }),
})
const name = fc.record<NameFact>({
  name: fc.oneof(word, path),
  kind: fc.constantFrom('identifier', 'path', 'url', 'sha', 'ticket'),
  owner: fc.oneof(fc.constant(''), path),
  calls: fc.nat(20),
  mentions: fc.nat(50),
  lastSeq: seq,
  weight: fc.nat(100),
})
const said = fc.record({ text: prose, seq })

const anyFacts: fc.Arbitrary<Facts> = fc.record({
  seq: fc.constant(5_000),
  root: fc.constantFrom('', '/code/app'),
  directories: fc.array(
    path.map((text) => `/${text}`),
    { maxLength: 2 },
  ),
  files: fc
    .array(file, { maxLength: 60 })
    .map((files) => new Map(files.map((fact) => [fact.path, fact]))),
  commands: fc
    .array(
      fc.record<CommandFact>({
        command: prose,
        purpose: fc.constantFrom('check', 'act', 'look'),
        runs: fc.integer({ min: 1, max: 9 }),
        outcome: fc.constantFrom('ok', 'failed', 'unknown'),
        detail: prose,
        seqs: fc.array(seq, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 10 },
    )
    .map((commands) => new Map(commands.map((fact) => [fact.command, fact]))),
  errors: fc.array(fc.record({ text: prose, seq, owner: path }), { maxLength: 6 }),
  names: fc
    .array(name, { maxLength: 300 })
    .map((names) => new Map(names.map((fact) => [fact.name, fact]))),
  rules: fc.array(said, { maxLength: 6 }),
  requests: fc.array(said, { maxLength: 6 }),
  statements: fc.array(
    fc.record({
      text: prose,
      seq,
      source: fc.constantFrom('answer', 'remark', 'thought', 'plan', 'report', 'document'),
      about: path,
    }),
    { maxLength: 10 },
  ),
  repository: fc.record({
    branch: fc.record({ name: word, seq }),
    commits: fc.array(fc.record({ sha: fc.constant('abcdef1'), subject: prose, seq }), {
      maxLength: 3,
    }),
    changed: fc.array(path, { maxLength: 5 }).map((paths) => new Set(paths)),
  }),
  todos: fc.array(
    fc.record({ text: prose, status: fc.constantFrom('open', 'active', 'done'), seq }),
    { maxLength: 8 },
  ),
})

const anyRequest = fc.record({
  facts: anyFacts,
  budget: fc.integer({ min: 200, max: 6_000 }),
  count: fc.constantFrom(...counters),
  previous: fc.option(prose, { nil: undefined }),
  beside: fc.array(prose, { maxLength: 2 }),
  focus: fc.option(fc.lorem({ maxCount: 3 }), { nil: undefined }),
})

test('never more than the budget, always the five sections in order', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      const summary = summarizeLocally(request)
      expect(request.count(summary)).toBeLessThanOrEqual(request.budget)
      expect(parseSections(summary).sections.map(({ heading }) => heading)).toEqual(headings)
    }),
    { numRuns: 300 },
  )
})

test('the same input gives the same bytes', () => {
  fc.assert(
    fc.property(anyRequest, (request) => {
      expect(summarizeLocally(structuredCloneOf(request))).toBe(summarizeLocally(request))
    }),
    { numRuns: 50 },
  )
})

function structuredCloneOf(request: Parameters<typeof summarizeLocally>[0]): typeof request {
  return { ...request, facts: structuredClone(request.facts) }
}

test('where the budget allows, every changed file is named and every rule stands word for word', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const budget = 400_000
      const summary = summarizeLocally({
        facts,
        budget,
        count: counters[0] as (text: string) => number,
      })
      for (const { path, state } of facts.files.values()) {
        if (state !== 'read') expect(summary).toContain(`${state} `)
        expect(summary).toContain(path)
      }
      for (const { text } of facts.rules) expect(summary).toContain(text.trim().split('\n')[0])
      const latest = facts.requests.at(-1)
      if (latest) expect(summary).toContain(latest.text.trim().split(/\s*\n\s*/)[0])
    }),
    { numRuns: 100 },
  )
})

test('a budget of almost nothing still gives valid sections with the rules in them', () => {
  const rules = Array.from({ length: 40 }, (_, rule) => ({
    text: `Rule ${rule}: ${'never do that again '.repeat(20)}`,
    seq: rule + 1,
  }))
  const facts: Facts = {
    seq: 50,
    root: '',
    directories: [],
    files: new Map(),
    commands: new Map(),
    errors: [],
    names: new Map(),
    rules,
    requests: [{ text: 'Go on.', seq: 50 }],
    statements: [],
    repository: { commits: [], changed: new Set() },
    todos: [],
  }
  const count = counters[0] as (text: string) => number
  const summary = summarizeLocally({ facts, budget: 200, count })
  expect(count(summary)).toBeLessThanOrEqual(200)
  expect(parseSections(summary).sections.map(({ heading }) => heading)).toEqual(headings)
  expect(summary).toContain('- Rule 39')
})
