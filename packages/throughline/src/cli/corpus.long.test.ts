import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelMessageSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { estimateTokens } from '../tokens/estimate.ts'
import { runMain } from './testing/run-main.ts'

const corpus = fileURLToPath(new URL('../../../../../shared/corpus/', import.meta.url))
const formats = ['claude-code', 'codex', 'opencode', 'pi']
// Copilot's system prompt alone fills a small window, and Gemini CLI's sessions fill none.
const others = ['copilot-cli', 'gemini-cli']
const there = formats.every((format) => existsSync(join(corpus, format)))

function filesOf(names: readonly string[]): string[] {
  if (!there) return []
  return names.flatMap((format) => {
    const paths = readdirSync(join(corpus, format)).map((name) => join(corpus, format, name))
    return process.env['THROUGHLINE_FULL'] === '1' ? paths : paths.slice(0, 1)
  })
}

const files = filesOf(formats)
const schemaPath = new URL('../../../../docs/compact-json.schema.json', import.meta.url)
const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaPath, 'utf8')))
const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

describe.skipIf(there)('real sessions, of which there are none here', () => {
  it('are not needed to use the command', () => expect(files).toEqual([]))
})

describe.each(files.map((file) => [file.slice(corpus.length), file]))(
  'the real session %s',
  (_, file) => {
    it('holds no more than --keep, as text, as messages and in its plan', async () => {
      for (const keep of [4000, 8000]) {
        const options = ['--window', '32k', '--keep', `${keep}`]
        const text = await runMain(['compact', file, ...options])
        expect(text.code).toBe(0)
        expect(estimateTokens(text.out)).toBeLessThanOrEqual(keep)
        expect(text.out).not.toMatch(forbidden)
        const json = await runMain(['compact', file, ...options, '--json'])
        const object = JSON.parse(json.out)
        expect(schema.safeParse(object).error?.message).toBeUndefined()
        expect(object.report.tokens.after).toBeLessThanOrEqual(keep)
        const messages = z.array(modelMessageSchema).safeParse(object.messages)
        expect(messages.error?.message).toBeUndefined()
      }
    })

    it('is inspected', async () => {
      const { code, out } = await runMain(['report', '--fill', file, '--json'])
      expect(code).toBe(0)
      const { context, roles } = JSON.parse(out)
      const sum = roles.reduce((total: number, role: { tokens: number }) => total + role.tokens, 0)
      expect(Math.abs(sum - context.tokens)).toBeLessThan(roles.length)
    })
  },
)

it.each(filesOf(others).map((file) => [file.slice(corpus.length), file]))(
  'the real session %s is inspected and compacted',
  async (_, file) => {
    const inspected = await runMain(['report', '--fill', file])
    expect(inspected).toMatchObject({ code: 0, out: expect.stringContaining('Changed files') })
    const compacted = await runMain(['compact', file, '--window', '128k'])
    expect(compacted).toMatchObject({ code: 0, out: expect.stringContaining('summary') })
    expect(compacted.out).not.toMatch(forbidden)
  },
)
