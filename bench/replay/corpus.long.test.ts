import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runReplay } from './run-replay.ts'

const corpus = join(import.meta.dirname, '../../../shared/corpus')
const formats = ['claude-code', 'codex', 'opencode', 'pi', 'copilot-cli', 'gemini-cli']
const files = formats
  .map((format) => join(corpus, format))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => {
    const paths = readdirSync(folder).map((name) => join(folder, name))
    return process.env['THROUGHLINE_FULL'] === '1' ? paths : paths.slice(0, 1)
  })

it.skipIf(files.length === 0).each(files)(
  'the real session %s is replayed to its end, fits at every step, and keeps what must be kept',
  async (file) => {
    // Copilot's system prompt alone fills a small window, and Gemini CLI's sessions fill none.
    const small = !/copilot-cli|gemini-cli/.test(file)
    const argv = [file, '--window', small ? '32k' : '128k', '--quiet', '--json']
    const { code, out } = await runReplay(argv)
    expect(code).toBe(0)
    const { complete, steps, largest, window, compactions, retained, tokens } = JSON.parse(out)
    expect(complete).toBe(true)
    expect(steps.done).toBe(steps.of)
    expect(retained.latestRequest).toBe(true)
    if (!small) return
    expect(largest.tokens).toBeLessThan(window.usable)
    expect(compactions.length).toBeGreaterThan(0)
    expect(tokens.sent).toBeLessThan(tokens.uncompacted)
    expect(retained.rules.kept).toBe(retained.rules.of)
  },
)
