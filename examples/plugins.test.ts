import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CompactionVetoedError, memoryStore, openSession, type EntryDraft } from 'throughline'
import { releasePlugin } from './plugins.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/plugins.md'), 'utf8')

/** A step of an agent: a call of a tool, and what it gave. */
function step(id: string, toolName: string, input: unknown, value: string): EntryDraft[] {
  const call = { toolCallId: id, toolName }
  return [
    {
      kind: 'message',
      at: 0,
      origin: 'model',
      message: { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    },
    {
      kind: 'message',
      at: 0,
      origin: 'tool',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }],
      },
    },
  ]
}

test('the plugin of docs/plugins.md is that of the example, and does what its lines say', async () => {
  const source = readFileSync(join(import.meta.dirname, 'plugins.ts'), 'utf8')
  const [, body = ''] = /\/\/ page: begin\n([\s\S]*?) *\/\/ page: end/.exec(source) ?? []
  expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))

  const release = { running: true, log: [] as string[] }
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    plugins: [releasePlugin(release)],
  })
  await session.say('Release 1.2.0 to internal.example.com.')
  await session.append(
    ...step('a', 'bump_version', { file: 'package.json' }, 'done'),
    ...step('b', 'publish', {}, 'released 1.2.0'),
    ...Array.from({ length: 30 }, (_, n) =>
      step(`c${n}`, 'read', { path: `src/f${n}.ts` }, 'const value = 1\n'.repeat(200)),
    ).flat(),
  )
  await expect(session.compact()).rejects.toBeInstanceOf(CompactionVetoedError)
  release.running = false
  const { after } = await session.compact()
  const { summary = '' } = session.context().checkpoint ?? {}
  expect(summary).toMatch(/## Releases\n[^#]*- The registry is read-only on Sundays\.$/)
  expect(summary).toMatch(/edited package\.json/)
  expect(JSON.stringify(session.messages())).toContain('released 1.2.0')
  expect(release.log).toEqual([`now ${after} tokens`])
})

test('docs/plugins.md names every hook and every error code', async () => {
  const hooks = [
    'protectedTools',
    'lenses',
    'template',
    'sections',
    'beforeCompact',
    'afterSummary',
    'continuation',
    'onEvent',
  ]
  for (const name of [...hooks, 'COMPACTION_VETOED', 'PLUGIN', 'plugin-failed']) {
    expect(page).toContain(`\`${name}\``)
  }
})
