import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { doTask as doAgents } from './openai-agents.ts'
import { doTask as doAnthropic } from './anthropic.ts'
import { doTask as doGoogle } from './google.ts'
import { doTask as doLangChain } from './langchain.ts'
import { doTask as doLlamaIndex } from './llamaindex.ts'
import { doTask as doMastra } from './mastra.ts'
import { doTask as doOpenAI } from './openai.ts'
import { told } from './told.ts'

// All 300 steps with THROUGHLINE_FULL, or by running the examples.
const files = process.env['THROUGHLINE_FULL'] === undefined ? 25 : 100

const examples = [
  { file: 'anthropic.ts', page: 'docs/sdks.md', doTask: doAnthropic },
  { file: 'openai.ts', page: 'docs/sdks.md', doTask: doOpenAI },
  { file: 'langchain.ts', page: 'docs/sdks.md', doTask: doLangChain },
  { file: 'openai-agents.ts', page: 'docs/frameworks.md', doTask: doAgents },
  { file: 'google.ts', page: 'docs/frameworks.md', doTask: doGoogle },
  { file: 'mastra.ts', page: 'docs/frameworks.md', doTask: doMastra },
  { file: 'llamaindex.ts', page: 'docs/frameworks.md', doTask: doLlamaIndex },
]

describe.each(examples)('the example $file', ({ file, page, doTask }) => {
  test(`has the lines of ${page}`, () => {
    const text = readFileSync(join(import.meta.dirname, '..', page), 'utf8')
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const [, body = ''] =
      /\/\/ (?:readme|docs): begin\n([\s\S]*?) *\/\/ (?:readme|docs): end/.exec(source) ?? []
    expect(body).not.toBe('')
    expect(text).toContain(body.replaceAll(/^ {2}/gm, ''))
  })

  test(`does a task of ${files * 3} steps, each fact of it`, async () => {
    const { text, session, problems } = await doTask(files)
    expect(problems).toEqual([])
    expect(text).toBe('Every file is done, and the report is written.')
    const log = await session.log()
    expect(log.filter(({ kind }) => kind === 'message').length).toBeGreaterThan(files * 6)
    expect(log.filter(({ kind }) => kind === 'checkpoint')).not.toEqual([])
    expect(log.filter(({ kind }) => kind === 'rewind')).toEqual([])
    const lines = await told('The agent', { text, session, problems })
    expect(lines).toMatch(/It made \d\d+ tool calls[^]*: [1-9]\d* summaries/)
    expect(lines).toContain('no fact and no rule was lost')
  })
})
