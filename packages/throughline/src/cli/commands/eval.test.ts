import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../testing/claude-session.ts'
import { newFile, runMain } from '../testing/run-main.ts'
import { columnsOf } from '../terminal/columns.ts'

const sample = fileURLToPath(
  new URL('../../../../../examples/sample-session.jsonl', import.meta.url),
)
// In it nothing is needed twice.
const made = newFile('session.jsonl', claudeSession({ turns: 3, steps: 3 }))

describe('eval', () => {
  it('says what would be kept, the same in words and as JSON', async () => {
    const argv = ['eval', sample, '--keep', '8k', '--fail-under']
    const { code, out, err } = await runMain([...argv, '50'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/forward need +\d+(\.\d)?% at \d cuts?, \d+(\.\d)?% at worst/)
    expect(out).toMatch(/artifact trail +(\d+) of \1 changed files named/)
    expect(out).toMatch(/rules +100% after 1, 100% after 5, 100% after 20 compactions in a row/)
    const failed = await runMain([...argv, '100', '--json'])
    expect(failed.code).toBe(1)
    expect(failed.err).toMatch(/less than 100% is kept: forward need \d+(\.\d)?%/)
    const object = JSON.parse(failed.out)
    expect(object).toMatchObject({ version: 1, keep: 8_000, over: 0, invented: [], orphans: 0 })
    expect(object.forwardNeed.share).toBeGreaterThanOrEqual(object.forwardNeed.lastTokens)
    expect(object.series.map(({ rounds }: { rounds: number }) => rounds)).toEqual([1, 5, 20])
  })

  it('keeps what the policy keeps where nothing else is asked for', async () => {
    const { out } = await runMain(['eval', made, '--window', '40k', '--json'])
    expect(JSON.parse(out).keep).toBe(12_000)
  })

  it('fails a check that has nothing to measure, and prints the figures all the same', async () => {
    const { code, out, err } = await runMain(['eval', made, '--fail-under', '50'])
    expect(code).toBe(1)
    expect(out).toContain('nothing to measure: nowhere are ten things needed again')
    expect(err).toContain('--fail-under has nothing to measure')
  })

  it.each(['90%', '101', '-1', 'all', '1e2'])('takes no per cent like %s', async (value) => {
    const { code, err } = await runMain(['eval', made, `--fail-under=${value}`])
    expect(code).toBe(2)
    expect(err).toContain('--fail-under must be a percentage from 0 to 100')
  })

  it('counts the facts of an exam, by kind, and says what is no exam', async () => {
    const fact = (id: string, kind: string, key: string): object => {
      return { id, kind, fact: key, keys: [[key]] }
    }
    const facts = [fact('1', 'constraint', 'the'), fact('2', 'recall', 'a word never said here')]
    const exam = JSON.stringify({ case: 'E', session: 'x', records: 8, facts })
    const { code, out, err } = await runMain(['eval', made, '--exam', newFile('exam.json', exam)])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/facts +1 of 2 \(50%\) in [\d,]+ tokens: .*constraint 1 of 1/)
    const wrong = await runMain(['eval', made, '--exam', newFile('none.json', '{}')])
    expect(wrong.code).toBe(1)
    expect(wrong.err).toMatch(/this is no exam\. An exam has the fields/)
  })

  it('fits its terminal', async () => {
    const { out } = await runMain(['eval', made, '--keep', '2k'], {
      terminal: 60,
      env: { NO_COLOR: '1' },
    })
    for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(60)
  })
})
