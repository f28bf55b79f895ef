import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchema, tool } from 'ai'
import { expect, test } from 'vitest'
import { memoryStore, openSession, type EntryDraft } from 'throughline'
import { scriptedModel } from 'throughline/testing/ai-sdk'
import { smallFirst } from './summaries.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/summaries.md'), 'utf8')

const summary = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
  .map((heading) => `## ${heading}\nThe files are read.`)
  .join('\n\n')

const tools = {
  read: tool({
    inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
    execute: async ({ path }) => `${path} was run`,
  }),
}

/** A step that read a file, of which its provider has all in its cache. */
function step(number: number): EntryDraft[] {
  const call = { toolCallId: `c${number}`, toolName: 'read' }
  const value = 'const value = 1\n'.repeat(100)
  return [
    {
      kind: 'message',
      at: Date.now(),
      origin: 'model',
      model: 'large',
      usage: { inputTokens: number * 600, outputTokens: 40, cacheReadTokens: number * 580 },
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', ...call, input: { path: `src/f${number}.ts` } }],
      },
    },
    {
      kind: 'message',
      at: Date.now(),
      origin: 'tool',
      message: {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'text', value } }],
      },
    },
  ]
}

test('the summarizer of docs/summaries.md is that of the example, and does what the page says', async () => {
  const source = readFileSync(join(import.meta.dirname, 'summaries.ts'), 'utf8')
  const [, body = ''] = /\/\/ page: begin\n([\s\S]*?) *\/\/ page: end/.exec(source) ?? []
  expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))

  const script = ({ number }: { number: number }) =>
    number === 1 ? { text: summary } : { error: new Error('overloaded') }
  const small = scriptedModel({ script, modelId: 'small' })
  const large = scriptedModel({ script: () => ({ text: summary }), modelId: 'large' })
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    model: 'large',
    window: { context: 200_000 },
    summarizer: smallFirst(small, large, tools),
  })
  await session.say('Read all of src.')
  for (let number = 1; number <= 40; number++) await session.append(...step(number))

  const first = await session.compact()
  expect(first.spent).toMatchObject({ calls: 1, cost: expect.any(Number) })
  expect(small.requests[0]?.tools).toBeUndefined()
  expect(session.context().checkpoint?.metadata.spent).toEqual(first.spent)

  await session.say('Read it again.')
  for (let number = 41; number <= 80; number++) await session.append(...step(number))
  const second = await session.compact()
  expect(second.attempts[0]?.calls.map(({ model }) => model)).toEqual(['small', 'large'])
  expect(large.requests[0]?.tools).toHaveLength(1)
  expect(JSON.stringify(large.requests[0]?.prompt)).toContain('The files are read.')
})

test('docs/summaries.md names every setting', () => {
  for (const name of ['window', 'prices', 'livePrefix', 'fallback', 'maxCalls', 'maxRetries']) {
    expect(page).toContain(`\`${name}\``)
  }
})
