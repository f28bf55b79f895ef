import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { newTestStore } from '../../testing/new-store.ts'
import { newDirectory, newFile, runMain } from '../../testing/run-main.ts'
import { columnsOf } from '../../terminal/columns.ts'

const hostile = '\u001b]0;owned\u0007\u001b[31m\u202e<script>alert(1)</script>'
const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))

describe('report --text', () => {
  it.each([80, 120])(
    'fits %i columns, and no word of it is run by the terminal',
    async (terminal) => {
      const odd = newFile('odd.jsonl', claudeSession({ turns: 8, steps: 6, text: ` ${hostile}` }))
      for (const file of [path, odd]) {
        const { code, out } = await runMain(['report', file, '--text'], { terminal })
        expect(code).toBe(0)
        const bare = out.replace(/\u001b\[\d+m/g, '')
        expect(bare).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
        for (const line of bare.split('\n')) {
          // A path that somebody has to copy is never cut.
          if (!line.startsWith('  throughline '))
            expect(columnsOf(line)).toBeLessThanOrEqual(terminal)
        }
      }
    },
  )

  it('answers what fills the window, what it cost, what is still in, and what to do', async () => {
    const { out } = await runMain(['report', path, '--text'])
    expect(out).toMatch(/^window .* usable tokens, \d+%; \d+% is tool results$/m)
    expect(out).toMatch(/^cost +\$\d+\.\d\d for 84 requests/m)
    expect(out).toMatch(/^forgotten +nothing: nobody has compacted it$/m)
    expect(out).toMatch(/✓ rule +Never touch config\/prod\.ts\. \[1\]$/m)
    expect(out).toMatch(/a compaction would leave [\d,]+ of [\d,]+ tokens/)
    expect(out).toContain('throughline resume ')
  })

  it('tells of a stored session what its compactions did, and how to undo them', async () => {
    const store = newTestStore()
    await store.done('import', 'session.jsonl')
    await store.done('compact', 'made')
    const out = await store.done('report', 'made', '--text')
    expect(out).toMatch(
      /1\. \[\d+\] after request 84: summarized by Throughline without a model, [\d,]+ → [\d,]+ tokens/,
    )
    expect(out).toContain('throughline undo made')
    // The session ended with its last message, however much later it was compacted.
    const { session } = await store.json('report', 'made')
    expect(session.to).toBe(
      (await store.read('made')).findLast(({ kind }) => kind === 'message')?.at,
    )
    await store.done('undo', 'made')
    const undone = await store.done('report', 'made', '--text')
    expect(undone).toMatch(/tokens, undone$/m)
    expect(undone).not.toContain('throughline undo made')
  })

  it('takes prices, and is one JSON object if asked', async () => {
    const cheap = await runMain(['report', path, '--json', '--prices', 'in=0,out=0'])
    expect(JSON.parse(cheap.out)).toMatchObject({ version: 1, money: { dollars: 0 } })
  })
})

const hasPage = existsSync(new URL('../../../../dist/report-page.html', import.meta.url))

describe.skipIf(!hasPage)('report -o', () => {
  it('writes one page with the session in it, which is its owner’s alone', async () => {
    const cwd = newDirectory()
    const { code, out, err } = await runMain(['report', path, '-o', 'r.html'], { cwd })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/Open r\.html in a browser\.\n$/)
    const page = readFileSync(join(cwd, 'r.html'), 'utf8')
    expect(page).toContain('Please make feature 1 work.')
    expect(page).toContain("connect-src 'none'")
    expect(statSync(join(cwd, 'r.html')).mode & 0o077).toBe(0)
  })

  it('keeps the data of a hostile session from ending its element', async () => {
    const text = '</script><script>alert(1)</script><!--\u2028\u202e'
    const odd = newFile('odd.jsonl', claudeSession({ turns: 2, steps: 2, text }))
    const { out } = await runMain(['report', odd, '-o', '-'])
    expect(out.match(/<\/script>/g)).toHaveLength(2)
    expect(out.match(/<!--/g)).toBeNull()
    expect(out).not.toMatch(/[\u2028\u202e]/)
    const [, json = ''] = /id="report-data">([^<]*)<\/script>/.exec(out) ?? []
    expect(JSON.stringify(JSON.parse(json))).toContain('<!--\u2028\u202e')
  })

  it('does not overwrite the session', async () => {
    const { code, err } = await runMain(['report', path, '-o', path])
    expect(code).toBe(1)
    expect(err).toContain('this is the session itself')
  })
})

describe('report', () => {
  it.each([
    [['--text', '--json'], 'use --text or --json, not both'],
    [['--text', '-o', 'x.html'], '--text prints to standard output: omit -o'],
    [['--window', 'big'], '--window'],
  ])('refuses %j', async (more, message) => {
    const { code, err } = await runMain(['report', path, ...more])
    expect(err).toContain(message)
    expect(code).toBe(2)
  })

  it('without a session takes the newest of this directory, or says that there is none', async () => {
    const home = newDirectory()
    const { code, err } = await runMain(['report', '--text'], {
      cwd: home,
      env: { HOME: home, USERPROFILE: home },
    })
    expect(code).toBe(1)
    expect(err).toMatch(/^throughline: no sessions were found on this machine/)
  })
})
