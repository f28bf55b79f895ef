import { spawn } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { runReplay } from './run-replay.ts'
import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '../../packages/throughline/src/compaction/policy.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../packages/throughline/src/testing/generate/build.ts'
import { claudeSession } from '../../packages/throughline/src/cli/testing/claude-session.ts'
import { capturedIo } from '../../packages/throughline/src/cli/testing/captured-io.ts'
import { newFile } from '../../packages/throughline/src/cli/testing/run-main.ts'
import { runAlone } from '../../packages/throughline/src/cli/main.ts'
import { columnsOf } from '../../packages/throughline/src/cli/terminal/columns.ts'
import { branchTokens, replaySession, type Replay, recordedOf } from './replay-session.ts'
import { meterText, replayCommand } from './command.ts'
import { chronological, type Chronological } from '../../packages/throughline/src/log/order.ts'
import { runs } from '../../packages/throughline/src/testing/generate/runs.ts'
import { estimatedTokens, modelTokens } from '../../packages/throughline/src/tokens/units.ts'

const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))

describe('recordedOf', () => {
  it('divides a log into steps with their results and what others said', () => {
    const log = logFrom([
      human('go'),
      assistant([call('1', 'Read'), call('2', 'Read')]),
      tool(result('1', 'Read', 'a')),
      tool(result('2', 'Read', 'b')),
      harness('reminder'),
      assistant('done'),
    ])
    expect(
      recordedOf(log).map((item) =>
        'seqs' in item ? item.seqs : 'seq' in item ? item.seq : item.to,
      ),
    ).toEqual([1, [2, 3, 4], 5, [6]])
  })

  it("leaves out what the session's own harness compacted and pruned", () => {
    const log = logFrom([
      human('go'),
      ...step('1', 'Read', {}, 'a'),
      { kind: 'prune', at: 0, base: 3, replacements: [], metadata: {} },
      {
        kind: 'checkpoint',
        at: 0,
        base: 4,
        summary: 'theirs',
        summarizer: 'claude-code',
        tail: [],
        continuation: null,
        metadata: {},
      },
      assistant('done'),
    ])
    expect(recordedOf(log).map(({ type }) => type)).toEqual(['message', 'step', 'step'])
  })
})

describe('branchTokens', () => {
  it('goes back with the human, to the entry of the replay', () => {
    const branch = branchTokens()
    branch.add(1, 1, estimatedTokens(10))
    branch.add(2, 2, estimatedTokens(20))
    branch.add(5, 4, estimatedTokens(30))
    expect(branch.tokens).toBe(60)
    expect(branch.rewind(3)).toBe(2)
    expect(branch.tokens).toBe(30)
    expect(branch.rewind(0)).toBe(0)
    expect(branch.tokens).toBe(0)
  })
})

function replayOf(log: Chronological, context: number) {
  return replaySession(log, {
    window: { context },
    policy: defaultPolicy,
    frame: {},
    signal: new AbortController().signal,
    onProgress: async () => {},
    now: () => 0,
  })
}

describe('replaySession', () => {
  it('sends what the model saw, step by step, where nothing has to be compacted', async () => {
    const log = logFrom([
      human('go'),
      ...step('1', 'Read', {}, 'a'),
      assistant('done'),
      human('on'),
      assistant('yes'),
    ])
    const { replay, messages, error } = await replayOf(log, 200_000)
    expect(error).toBeUndefined()
    expect(replay).toMatchObject({ done: 3, of: 3, compactions: [] })
    expect(replay.sent).toBe(replay.uncompacted)
    expect(messages).toEqual(
      log.map((entry) => (entry.kind === 'message' ? entry.message : undefined)),
    )
  })

  it('follows the human back to an earlier point', async () => {
    const log = logFrom([
      human('go'),
      assistant('wrong way'),
      { kind: 'rewind', at: 0, to: 1 },
      assistant('right way'),
    ])
    const { replay, messages } = await replayOf(log, 200_000)
    expect(messages).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'right way' },
    ])
    expect(replay.sent).toBe(replay.uncompacted)
  })

  it('goes on behind a call that never got its result', async () => {
    const log = logFrom([
      human('go'),
      assistant([call('1', 'Bash')]),
      human('stop'),
      assistant('stopped'),
    ])
    const { replay } = await replayOf(log, 200_000)
    expect(replay.done).toBe(2)
  })

  it('ends on calls and results in whatever order they were recorded', async () => {
    const id = fc.constantFrom('1', '2', '3')
    const asked = fc.record({ ids: fc.uniqueArray(id, { maxLength: 3 }), approval: fc.boolean() })
    const recorded = fc.oneof(
      fc.constant(human('go on')),
      asked.map(({ ids, approval }) =>
        assistant([
          ...ids.map((each) => call(each, 'Bash')),
          ...(approval && ids[0] !== undefined
            ? [{ type: 'tool-approval-request' as const, approvalId: 'a', toolCallId: ids[0] }]
            : []),
        ]),
      ),
      id.map((each) => tool(result(each, 'Bash', 'ok'))),
      fc.constant(assistant('done')),
    )
    const log = fc
      .array(recorded, { minLength: 1, maxLength: 12 })
      .map((drafts) => logFrom(drafts).map((entry, at) => ({ ...entry, at: (at * 7919) % 13 })))
    await fc.assert(
      fc.asyncProperty(log, async (entries) => {
        const { replay, error } = await replayOf(chronological(entries), 200_000)
        expect(error).toBeUndefined()
        expect(replay.done).toBe(replay.of)
      }),
      runs(100),
    )
  })

  it('never sends more than fits, and compacts one overflow once', async () => {
    const log = logFrom([
      human('go'),
      ...Array.from({ length: 60 }, (_, index) =>
        step(`${index}`, 'Read', { file_path: `f${index}` }, `line of file ${index}\n`.repeat(150)),
      ),
      assistant('done'),
    ])
    const { replay, usable } = await replayOf(log, 16_000)
    expect(replay.done).toBe(61)
    expect(replay.largest.tokens).toBeLessThan(usable)
    expect(replay.compactions.length).toBeGreaterThan(2)
    const steps = replay.compactions.map((compaction) => compaction.step)
    expect(new Set(steps).size).toBe(steps.length)
    for (const { before, after } of replay.compactions) expect(after).toBeLessThan(before)
    expect(replay.sent).toBeLessThan(replay.uncompacted / 2)
  })
})

describe('the meter', () => {
  const replay: Replay = {
    done: 120,
    of: 456,
    tokens: 14_200,
    requests: [],
    compactions: [
      { step: 3, action: 'prune', rung: 'prune', before: modelTokens(2), after: modelTokens(1) },
    ],
    sent: 0,
    uncompacted: 0,
    tooLarge: 0,
    largest: { tokens: 0, step: 0 },
  }
  const plain = (_: string, text: string): string => text

  it('fits whatever width there is', () => {
    for (let columns = 1; columns <= 120; columns++) {
      expect(columnsOf(meterText(replay, 24_000, columns, plain))).toBeLessThanOrEqual(columns)
    }
    expect(meterText(replay, 24_000, 60, plain)).toBe(
      '█████████████░░░░░░░░░ 14.2k/24k  step 120/456  1 compaction',
    )
  })

  it('redraws one line in a terminal and takes it away before the table', async () => {
    const { code, err } = await runReplay([path, '--window', '8k'], { terminal: 60 })
    expect(code).toBe(0)
    expect(err).not.toContain('\n')
    expect(err).toMatch(/step \d+\/84/)
    expect(err.endsWith('\r\x1b[2K')).toBe(true)
  })

  it('prints a line now and then elsewhere, and none with --quiet', async () => {
    for (const setting of [{}, { terminal: 80, env: { TERM: 'dumb' } }]) {
      const { err } = await runReplay([path, '--window', '8k'], setting)
      expect(err).not.toMatch(/[\r\x1b]/)
      expect(err).toMatch(/^before step \d+: (pruned|summarized), [\d,]+ → [\d,]+ tokens$/m)
      expect(err).toMatch(/^84 of 84 steps: .* of 6k tokens in the context$/m)
      expect(err.split('\n').length).toBeLessThan(40)
    }
    const quiet = await runReplay([path, '--window', '8k', '--quiet'], { terminal: 80 })
    expect(quiet.err).toBe('')
  })
})

describe('replay', () => {
  it('ends with what was compacted, saved and kept', async () => {
    const { code, out } = await runReplay([path, '--window', '8k', '-q'])
    expect(code).toBe(0)
    expect(out).toContain('\nReplayed 84 steps in a window of 8k, 6k usable\n')
    expect(out).toMatch(/\n *1 +\d+ +(?:pruned|summarized) +[\d,]+ +[\d,]+\n/)
    expect(out).toMatch(/\ncompactions +\d+ \(\d+ summaries, \d+ prunings?\)\n/)
    expect(out).toMatch(
      /\ntokens sent +[\d,]+ in \d+ requests; without compaction, \d+ of them would not have fit\n/,
    )
    expect(out).toMatch(
      /\ncost +\$[\d.]+ by this; \$[\d.]+ as its own client sent it, never compacted/,
    )
    expect(out).not.toContain('saved')
    expect(out).toMatch(
      /\nkept at the end +1\/1 rules word for word, 36\/36 changed files named, the latest request\n/,
    )
  })

  it('shows a screen or two of compactions, and all of them as JSON', async () => {
    const input = claudeSession({ turns: 60, steps: 10, lines: 60 })
    const { out } = await runReplay(['-', '--window', '6k', '-q'], { input })
    const json = await runReplay(['-', '--window', '6k', '-q', '--json'], { input })
    const all = JSON.parse(json.out).compactions.length
    expect(all).toBeGreaterThan(40)
    expect(out.split('\n').length).toBeLessThan(60)
    expect(out).toContain(`(${all - 40} in the middle are omitted; --json has all)`)
    expect(out).toMatch(new RegExp(`\n *${all} +\\d+ `))
  })

  it('says the same as JSON', async () => {
    const { out } = await runReplay([path, '--window', '8k', '-q', '--json'])
    const object = JSON.parse(out)
    expect(object).toMatchObject({
      version: 1,
      complete: true,
      steps: { done: 84, of: 84 },
      window: { context: 8000, usable: 6000, from: 'as requested' },
      retained: { rules: { kept: 1, of: 1 }, files: { kept: 36, of: 36 }, latestRequest: true },
    })
    expect(object.tokens.tooLarge).toBeGreaterThan(0)
    expect(object.tokens.tooLarge).toBeLessThan(object.steps.of)
    expect(object.cost.own).toBeGreaterThan(0)
    expect(object.cost).toMatchObject({ counted: null, prices: 'claude-opus-4-5-20251101' })
    expect(object.largest.tokens).toBeLessThan(6000)
  })

  it('keeps no more than --keep after a compaction', async () => {
    const { out } = await runReplay([path, '--window', '32k', '--keep', '2k', '-q', '--json'])
    const { compactions } = JSON.parse(out)
    expect(compactions.length).toBeGreaterThan(0)
    for (const { action, after } of compactions) {
      if (action === 'summary') expect(after).toBeLessThanOrEqual(2000)
    }
  })

  it('stops at Ctrl-C with one line, what was done so far, and exit code 130', async () => {
    let seen = 0
    const captured = capturedIo({
      terminal: 80,
      onErr: () => {
        if (++seen === 10) captured.interrupt()
      },
    })
    const code = await runAlone(replayCommand, [path, '--window', '8k', '--json'], captured.io)
    expect(code).toBe(130)
    const { complete, steps } = JSON.parse(captured.out())
    expect(complete).toBe(false)
    expect(steps.done).toBeGreaterThan(0)
    expect(steps.done).toBeLessThan(84)
    expect(captured.err()).toMatch(
      /\r\x1b\[2Kthroughline: interrupted after \d+ of 84 steps; this is what was done so far.\n$/,
    )
  })

  it('shows what was done until the session could not be made to fit', async () => {
    const says = ['start', 'Do this. '.repeat(3000)]
    const input = claudeSession({ turns: 2, says })
    const { code, out, err } = await runReplay(['-', '--window', '2k', '-q'], { input })
    expect(code).toBe(1)
    expect(out).toContain('Replayed 5 of 10 steps in')
    expect(err).toMatch(
      /^throughline: standard input: stopped after 5 of 10 steps\. .*cannot be made to fit.*\n$/,
    )
  })
})

it('stops at Ctrl-C in the middle of a replay', async () => {
  const long = newFile('long.jsonl', claudeSession({ turns: 400, steps: 12 }))
  const argv = [replay, long, '--window', '16k', '--json']
  const child = spawn(process.execPath, argv, { env: { ...process.env, NO_COLOR: '1' } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    if (err === '') child.kill('SIGINT')
    err += chunk.toString()
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(err).toMatch(
    /throughline: interrupted after \d+ of \d+ steps; this is what was done so far\.\n$/,
  )
  expect(code).toBe(130)
  expect(JSON.parse(out)).toMatchObject({ version: 1, complete: false })
})

const replay = join(import.meta.dirname, 'run.ts')
