import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doTask } from './ai-sdk.ts'

test('the lines of docs/ai-sdk.md are those of the example', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/ai-sdk.md'), 'utf8')
  const source = readFileSync(join(import.meta.dirname, 'ai-sdk.ts'), 'utf8')
  const [, body = ''] = /\/\/ readme: begin\n([\s\S]*?) *\/\/ readme: end/.exec(source) ?? []
  expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))
})

test('an agent of the AI SDK does a task of 300 steps in a window of a tenth of it', async () => {
  const { text, session, problems } = await doTask()
  expect(problems).toEqual([])
  expect(text).toBe('Every file is done, and the report is written.')
  const log = await session.log()
  expect(log.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(600)
  expect(log.filter(({ kind }) => kind === 'checkpoint').length).toBeGreaterThan(2)
  expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
})
