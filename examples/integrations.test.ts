import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doTask as doAnthropic } from './anthropic.ts'
import { doTask as doLangChain } from './langchain.ts'
import { doTask as doOpenAI } from './openai.ts'

// All 300 steps with THROUGHLINE_FULL, or by running the examples.
const files = process.env['THROUGHLINE_FULL'] === undefined ? 25 : 100

const examples = [
  { file: 'anthropic.ts', doTask: doAnthropic },
  { file: 'openai.ts', doTask: doOpenAI },
  { file: 'langchain.ts', doTask: doLangChain },
]

describe.each(examples)('the example $file', ({ file, doTask }) => {
  test('has the lines of docs/sdks.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/sdks.md'), 'utf8')
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const [, body = ''] = /\/\/ readme: begin\n([\s\S]*?) *\/\/ readme: end/.exec(source) ?? []
    expect(body).not.toBe('')
    expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))
  })

  test(`does a task of ${files * 3} steps, each fact of it`, async () => {
    const { text, session, problems } = await doTask(files)
    expect(problems).toEqual([])
    expect(text).toBe('Every file is done, and the report is written.')
    const log = await session.log()
    expect(log.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(files * 6)
    expect(log.filter(({ kind }) => kind === 'checkpoint')).not.toEqual([])
    expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
  })
})
