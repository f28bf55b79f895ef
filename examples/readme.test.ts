import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compactMessages, type Message } from 'throughline'
import { scriptedModel } from 'throughline/testing/ai-sdk'
import { quickstart } from './quickstart.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the ten lines of the README are those of the example, and the example runs', async () => {
  const source = readFileSync(join(import.meta.dirname, 'quickstart.ts'), 'utf8')
  const [, body = ''] = /\/\/ readme: begin\n([\s\S]*?) *\/\/ readme: end/.exec(source) ?? []
  expect(readme).toContain(body.replaceAll(/^ {2}/gm, ''))
  const tools = {
    run_tests: tool({
      inputSchema: z.object({}),
      execute: () => 'all tests pass',
    }),
  }
  const model = scriptedModel({
    script: [{ calls: [{ name: 'run_tests' }] }, { text: 'The test is fixed.' }],
  })
  const session = await quickstart(model, tools)
  expect((await session.history()).map(({ message }) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ])
})

test('messages of an own array are compacted as the README says', async () => {
  expect(readme).toContain(
    'const { messages: shorter } = await compactMessages(messages, { window: { context: 200_000 } })',
  )
  const messages = Array.from({ length: 400 }, (_, turn): Message[] => [
    { role: 'user', content: `request ${turn}` },
    { role: 'assistant', content: 'word '.repeat(600) },
  ]).flat()
  const { messages: shorter } = await compactMessages(messages, { window: { context: 200_000 } })
  expect(shorter.length).toBeLessThan(messages.length)
})

test('every file that the README and AGENTS.md link to is there', () => {
  for (const name of ['README.md', 'AGENTS.md', 'docs/seeds.md']) {
    const text = readFileSync(join(root, name), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(join(root, name, '..', target)), `${name}: ${target}`).not.toThrow(
        /ENOENT/,
      )
    }
  }
})
