import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import OpenAI from 'openai'
import { afterAll, describe, expect, it, test } from 'vitest'
import { jsonLinesStore } from 'throughline/stores'
import { importedAs, libraryEntries } from '../packages/throughline/build/entries.ts'
import {
  answered,
  compactedOnce,
  configured,
  ownFiles,
  ownHost,
  planned,
  whyNot,
  writersOver,
} from './doors.ts'
import type { Message } from 'throughline'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'throughline-doors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const texts = Array.from({ length: 60 }, (_, at) => `Part ${at}. ${'word '.repeat(300)}`)
const messages: Message[] = texts.map((content, at) =>
  at === 0
    ? { role: 'user', content: `Never touch config/prod.ts. ${content}` }
    : { role: 'assistant', content },
)

test('a compaction is planned without being made, and what code reads is there', () => {
  const { plan, rules, said, tokens } = planned(messages, 12_000)
  expect(plan.action).toBe('summarize')
  expect(rules).toEqual(['Never touch config/prod.ts.'])
  expect(said).toBe(messages.length)
  expect(tokens).toBeGreaterThan(12_000)
})

test('the configuration of a folder decides how much is kept', async () => {
  writeFileSync(
    join(folder, 'throughline.config.json'),
    '{ "models": { "m": { "window": "16k", "keep": "3k" } } }',
  )
  const { report } = await configured(messages, { cwd: folder, model: 'm' })
  expect(report.after).toBeLessThan(5_000)
})

test('a loop ends with what its model said', async () => {
  expect(await answered()).toMatchObject({ reason: 'finished' })
})

test('a store that is no file says why it is none', () => {
  expect(whyNot(join(folder, 'a.db'))).toBe('')
  expect(whyNot(folder)).not.toBe('')
})

test('messages of each API are compacted in their own form', async () => {
  for (const left of await compactedOnce(texts)) expect(left).toBeLessThan(texts.length)
})

test('each SDK writes summaries under its own name', () => {
  const names = writersOver(
    new OpenAI({ apiKey: 'none' }),
    new Anthropic({ apiKey: 'none' }),
    new FakeListChatModel({ responses: [''] }),
  )
  expect(new Set(names).size).toBe(3)
})

test.each(ownHost.cases)('a host of one’s own $name', async ({ run }) => run(ownHost.create))

test.each(ownFiles.cases)('files of one’s own $name', async ({ run }) => {
  await run(() => {
    const directory = mkdtempSync(join(folder, 'files-'))
    return ownFiles.create(directory, () => jsonLinesStore({ directory }))
  })
})

/** Every name that a door exports. */
function namesOf(file: string): string[] {
  const source = readFileSync(join(root, 'packages/throughline', file), 'utf8')
  expect(source).not.toMatch(/^export (?:type )?\*/m)
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => name.trim() || []),
  )
  const own = [
    ...source.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm),
  ]
  const renamed = listed.map((name) => name.replace(/^type /, '').replace(/^.* as /, ''))
  return [...renamed, ...own.map(([, name = '']) => name)]
}

/** What is imported from a door by examples, pages, the gateway, the bench and the trials, which all run. */
const imported = new Map<string, Set<string>>()
for (const place of [
  'examples',
  'packages/gateway/src',
  'bench',
  'docs',
  'clients',
  'attacks',
  'scripts',
]) {
  for (const name of readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|mjs|md)$/.test(name) || name.includes('node_modules')) continue
    const text = readFileSync(join(root, place, name), 'utf8')
    for (const [, names = '', door = ''] of text.matchAll(
      /\b(?:im|ex)port (?:type )?\{([^}]*)\} from '(throughline[\w/-]*)'/g,
    )) {
      const own = imported.get(door) ?? new Set()
      imported.set(door, own)
      for (const each of names.split(',')) {
        own.add(
          each
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*$/, ''),
        )
      }
    }
  }
}

describe('the public names', () => {
  const doors = Object.entries(libraryEntries).map(([entry, file]) => ({
    door: importedAs(entry),
    names: namesOf(file),
  }))

  it('are at most 60 in the root, and 230 in all doors', () => {
    const count = ({ names }: { names: string[] }): number => names.length
    expect(doors.filter(({ door }) => door === 'throughline').map(count)[0]).toBeLessThanOrEqual(60)
    expect(doors.map(count).reduce((sum, each) => sum + each)).toBeLessThanOrEqual(230)
  })

  it.each(doors)('of $door have a use each, which runs', ({ door, names }) => {
    expect(names.filter((name) => !imported.get(door)?.has(name))).toEqual([])
  })
})
