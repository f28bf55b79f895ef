import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostEngine } from './context-engine.ts'

test('the lines of docs/openclaw.md are those of the example, and the example runs', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/openclaw.md'), 'utf8')
  const source = readFileSync(join(import.meta.dirname, 'context-engine.ts'), 'utf8')
  const [, body = ''] = /\/\/ page: begin\n([\s\S]*?) *\/\/ page: end/.exec(source) ?? []
  expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))
  const engine = await hostEngine(60)
  const { messages, tokens } = await engine.assemble('session')
  expect(tokens).toBeLessThanOrEqual(16_000)
  expect(JSON.stringify(messages)).toContain('Never push.')
})
