import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../testing/generate/build.ts'
import { latest } from './latest.ts'
import { chronological } from './order.ts'

describe('latest', () => {
  it('finds the newest human message, assistant and finished assistant by seq', () => {
    const log = logFrom([
      human('one'),
      assistant('first answer'),
      human('two'),
      harness('a reminder'),
      step('c1', 'read', {}, 'text'),
      assistant('partial', { finish: 'aborted' }),
    ])
    const found = latest(log)
    expect(found.human?.seq).toBe(3)
    expect(found.assistant?.seq).toBe(7)
    expect(found.finished?.seq).toBe(5)
    expect(found.pending).toEqual([])
  })

  it('lists the calls of the newest assistant message that wait for a result', () => {
    const log = logFrom([
      human('go'),
      assistant([call('a', 'read'), call('b', 'bash')]),
      tool(result('a', 'read', 'text')),
    ])
    expect(latest(log).pending.map(({ call }) => call.toolCallId)).toEqual(['b'])
  })

  it('finds nothing in an empty log', () => {
    expect(latest(chronological([]))).toEqual({
      human: undefined,
      assistant: undefined,
      finished: undefined,
      pending: [],
    })
  })

  it("does not compile with the model's order", () => {
    const root = fileURLToPath(new URL('../../../../', import.meta.url))
    const { status, stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'packages/throughline/src/log/does-not-compile'],
      { cwd: root, encoding: 'utf8' },
    )
    expect(stdout).toMatch(/latest-of-context\.ts\(7,\d+\): error TS2345/)
    expect(stdout.match(/error TS/g)).toHaveLength(1)
    expect(status).not.toBe(0)
  })
})

describe('a log', () => {
  it('refuses entries that are not in order of seq', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 2, maxLength: 20 }), (seqs) => {
        const log = logFrom(seqs.map((seq) => human(String(seq))))
        const entries = log.map((entry, index) => ({ ...entry, seq: seqs[index] ?? 0 }))
        const sorted = seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))
        if (sorted) expect(() => chronological(entries)).not.toThrow()
        else expect(() => chronological(entries)).toThrow(/stands after/)
      }),
    )
  })
})
