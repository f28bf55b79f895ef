import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assistant, human, step } from '../../../testing/generate/build.ts'
import { looseWritings, writings } from '../../../testing/secret-writings.ts'
import { newTestStore, type TestStore } from '../../testing/new-store.ts'

const secret = 'Zq7/x+K9&wL"mP<2vB4>nT=9'
const all = [...writings, ...looseWritings]
const store = newTestStore()
const printed = new Map<string, string>()
let said = ''

/** Each way of writing it in what the human says, in a call, in an output and in a note. */
async function fill({ inside }: TestStore): Promise<void> {
  await inside(async (inner) => {
    for (const [index, { write }] of all.entries()) {
      const text = `Number ${index}: ${write(secret)} .`
      await inner.append('a', [
        human(text),
        ...step(`c${index}`, 'bash', { command: `echo ${write(secret)}` }, text),
        { kind: 'observation', at: 0, observation: { type: 'note', name: 'n', data: { text } } },
      ])
    }
    const half = secret.length / 2
    await inner.append('a', [
      assistant(`It is ${secret.slice(0, half)}`),
      assistant(secret.slice(half)),
    ])
    await inner.append('a', [human('It began with Zq7/x+K9&wL"m, I think.')])
  })
}

beforeAll(async () => {
  await fill(store)
  await store.done('recall', 'a', 'Number')
  said = await store.done('redact', 'a', '--secret', secret, '--yes')
  const exported = join(store.directory, 'exported.jsonl')
  await store.done('export', 'a', '-o', exported)
  printed.set('export', readFileSync(exported, 'latin1'))
  for (const to of ['claude-code', 'codex', 'openai-chat']) {
    printed.set(to, await store.done('compact', exported, '--to', to, '--window', '200k'))
  }
  printed.set('show', await store.done('report', '--history', 'a', '--log'))
  for (const name of readdirSync(store.directory).filter((each) =>
    each.startsWith('sessions.db'),
  )) {
    printed.set(name, readFileSync(join(store.directory, name), 'latin1'))
  }
})

describe('after a redaction, in the store’s files and in exports', () => {
  it.each(all)('nothing is left of the secret as $name', ({ write }) => {
    const written = Buffer.from(write(secret)).toString('latin1')
    const inJson = Buffer.from(JSON.stringify(write(secret)).slice(1, -1)).toString('latin1')
    for (const [where, content] of printed) {
      expect(content.includes(written) || content.includes(inJson), where).toBe(false)
    }
  })

  it('everything else is there', async () => {
    const entries = JSON.stringify(await store.read('a'))
    for (const [index] of all.entries()) expect(entries).toContain(`Number ${index}: `)
    expect(printed.get('export')).toContain('Number 30: ')
    expect(printed.get('show')).toContain('Number 30: ')
  })

  it('it says what it looked for, what is alike, and what it cannot find', () => {
    expect(said).toMatch(/^Redacted \d+ entries of a /)
    expect(said).toMatch(/^Looked for it as it is; escaped .*base64/m)
    expect(said).toMatch(/^Look at these yourself.* \d+\.0 \(a piece of it\)\.$/m)
    expect(said).toMatch(/^It cannot be found where it is compressed/m)
    expect(said).not.toContain('Zq7')
  })
})
