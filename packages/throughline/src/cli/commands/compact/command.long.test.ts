import { inItsLog } from '../../testing/in-its-log.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modelMessageSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { alternateRoles } from '../../../testing/alternate-roles.ts'
import { estimateTokens } from '../../../tokens/estimate.ts'
import { messageTokens } from '../../../tokens/message-tokens.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { newDirectory, newFile, runMain } from '../../testing/run-main.ts'
import type { Message } from '../../../log/message.ts'

const schemaPath = new URL('../../../../../../docs/compact-json.schema.json', import.meta.url)
const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaPath, 'utf8')))

const long = claudeSession({ turns: 12, steps: 6 })
const path = newFile('session.jsonl', long)

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, estimateTokens), 0)
}

async function json(...options: string[]) {
  const { code, out, err } = await runMain(['compact', '--if-needed', path, '--json', ...options])
  expect(code).toBe(0)
  return { object: JSON.parse(out), err }
}

describe('compact', () => {
  it('prints the summary first, then the newest words, and reports on standard error', async () => {
    const { code, out, err } = await runMain(['compact', '--if-needed', path, '--window', '32k'])
    expect(code).toBe(0)
    expect(out).toMatch(/^=== note\nRefs that begin with q\w{5}: belong to the session ".*"\.\n/)
    expect(inItsLog(out)).toMatch(/^=== summary\n## Goal\n/)
    expect(out).toContain('=== user\nPlease make feature 12 work.')
    expect(out.trimEnd().endsWith('Feature 12 works now.')).toBe(true)
    expect(err).toMatch(
      /^[\d,]+ → [\d,]+ tokens \(\d+%\): summarized locally, no model was called\n/,
    )
    expect(err).toContain('1/1 rules word for word, 36/36 changed files named, the latest request')
    expect(err).toContain('32k (as requested), 24k usable; a session of claude-code')
  })

  it('prints what the model no longer sees, as many as the report lists', async () => {
    const { object, err } = await json('--window', '32k')
    const { humanMessages, results } = object.report.dropped
    expect(results.length).toBeGreaterThan(0)
    const line = `${humanMessages.length} human messages, ${results.length} tool results; the session`
    expect(err).toContain(line)
    const planned = await runMain(['compact', '--if-needed', path, '--window', '32k', '--dry-run'])
    expect(planned.out).toContain(line)
  })

  it('prints the same bytes for the same session', async () => {
    const first = await runMain(['compact', '--if-needed', path, '--window', '32k'])
    expect(
      await runMain(['compact', '--if-needed', '-', '--window', '32k'], { input: long }),
    ).toEqual(first)
  })

  it('returns a session that fits as it is, and says so', async () => {
    const { object, err } = await json()
    expect(object.report).toMatchObject({ action: 'none', reason: 'fits' })
    expect(object.messages).toHaveLength(168)
    expect(object.summary).toBeNull()
    expect(err).toMatch(
      /^Small enough already: [\d,]+ tokens, printed unchanged. Without --if-needed/,
    )
  })

  it('compacts it without --if-needed', async () => {
    const object = JSON.parse((await runMain(['compact', path, '--json'])).out)
    expect(object.report.action).toBe('summary')
    expect(object.report.tokens.after).toBeLessThan(object.report.tokens.before / 2)
  })

  it('says why a small session hardly shrinks, and how it would', async () => {
    const small = newFile('small.jsonl', claudeSession())
    const { err } = await runMain(['compact', small])
    const [, keep = ''] =
      /little +the session was small already.* --keep ([\d.]+k)\n/.exec(err) ?? []
    expect(keep).not.toBe('')
    const { err: told } = await runMain(['compact', small, '--keep', keep])
    expect(told).not.toContain('small already')
    expect((await runMain(['compact', path])).err).not.toContain('small already')
  })

  it('prunes where that is enough, and says that no summary needed', async () => {
    const tall = newFile('s.jsonl', claudeSession({ turns: 4, steps: 2, lines: 1_600 }))
    const { out, err } = await runMain(['compact', '--if-needed', tall, '--window', '90k'])
    expect(err).toContain('old tool outputs pruned, no summary needed (--keep makes one)')
    expect(err).toMatch(/\n {2}pruned +\d+ messages, [\d,]+ → [\d,]+ tokens\n/)
    expect(out).toContain('<tool-output-compacted tool="Read"')
    expect(out).not.toContain('=== summary')
  })

  it('gives most room to the focus', async () => {
    const names = (text: string): number => text.match(/part2\/file/g)?.length ?? 0
    const plain = await runMain(['compact', '--if-needed', path, '--keep', '2k'])
    const focused = await runMain([
      'compact',
      '--if-needed',
      path,
      '--keep',
      '2k',
      '--focus',
      'part2 file1',
    ])
    expect(focused.out).not.toBe(plain.out)
    expect(names(focused.out)).toBeGreaterThanOrEqual(names(plain.out))
  })

  it('takes the window from the session, its model, or the usual', async () => {
    const of = async (model: string): Promise<string> => {
      const { err } = await runMain(['compact', '--if-needed', '-'], {
        input: claudeSession({ model }),
      })
      return err
    }
    expect(await of('claude-opus-4-5')).toContain('200k (as the session recorded), 180k usable')
    expect(await of('gpt-4o')).toContain('128k (the window of gpt-4o)')
    expect(await of('my-own-model')).toContain('200k (the default: my-own-model is unknown)')
  })
})

describe('--keep', () => {
  it.each(['1k', '2k', '4k', '8k', '16k'])('%s holds in every form', async (keep) => {
    const most = Number.parseInt(keep, 10) * 1000
    const { object } = await json('--keep', keep)
    expect(object.report.tokens.after).toBeLessThanOrEqual(most)
    expect(tokensOf(object.messages)).toBeLessThanOrEqual(most)
    expect(object.report.retained.rules).toEqual({ kept: 1, of: 1 })
    expect(object.report.retained.latestRequest).toBe(true)
    for (const format of ['text', 'markdown']) {
      const { out } = await runMain([
        'compact',
        '--if-needed',
        path,
        '--keep',
        keep,
        '--format',
        format,
      ])
      expect(estimateTokens(out)).toBeLessThanOrEqual(most)
      expect(Buffer.byteLength(out) / 4).toBeLessThanOrEqual(most)
    }
  })

  it('uses what it is given', async () => {
    const { object: little } = await json('--keep', '2k')
    const { object: more } = await json('--keep', '8k')
    expect(more.report.tokens.after).toBeGreaterThan(little.report.tokens.after)
  })

  it('leaves a session alone that holds no more', async () => {
    const { object } = await json('--keep', '100k')
    expect(object.report).toMatchObject({ action: 'none', reason: 'fits' })
  })
})

describe('--json', () => {
  it.each([
    [['--window', '32k']],
    [['--window', '32k', '--dry-run']],
    [['--window', '90k', '--dry-run']],
    [[]],
    [['--dry-run']],
    [['--keep', '3k']],
  ])('agrees with its schema with %j', async (options) => {
    const { object } = await json(...options)
    expect(schema.safeParse(object).error?.message).toBeUndefined()
  })

  it('has a schema that says no to something else', async () => {
    const { object } = await json('--window', '32k')
    const { version: _, ...without } = object
    expect(schema.safeParse(without).success).toBe(false)
    expect(schema.safeParse({ ...object, more: 1 }).success).toBe(false)
    expect(
      schema.safeParse({ ...object, messages: [{ role: 'robot', content: '' }] }).success,
    ).toBe(false)
  })

  it('holds every message of the plan once, with what becomes of it', async () => {
    const { object } = await json('--window', '32k', '--dry-run')
    expect(object.plan.items).toHaveLength(168)
    expect(object).toMatchObject({ report: null, summary: null, messages: null })
  })
})

describe('--format ai-sdk', () => {
  it('is an array of messages in which every call has its result', async () => {
    const { out } = await runMain([
      'compact',
      '--if-needed',
      path,
      '--window',
      '32k',
      '--format',
      'ai-sdk',
    ])
    const messages = JSON.parse(out) as Message[]
    expect(z.array(modelMessageSchema).safeParse(messages).error?.message).toBeUndefined()
    expect(alternateRoles(messages)[0]?.role).toBe('user')
    const ids = (type: string): string[] =>
      messages.flatMap(({ content }) =>
        typeof content === 'string'
          ? []
          : content.flatMap((part) =>
              part.type === type && 'toolCallId' in part ? [part.toolCallId] : [],
            ),
      )
    expect(ids('tool-call').length).toBeGreaterThan(0)
    expect(ids('tool-result')).toEqual(ids('tool-call'))
  })
})

describe('--dry-run', () => {
  it('prints the plan and nothing else', async () => {
    const { code, out, err } = await runMain([
      'compact',
      '--if-needed',
      path,
      '--window',
      '32k',
      '--dry-run',
    ])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('summarize the old part and keep the newest word for word')
    expect(out).toContain('no model is called: the summary is written locally')
    expect(out).toMatch(/\nsummarized +\d+ messages +[\d,]+ +0\n/)
    expect(out).toMatch(/\nin total +[\d,]+ +up to [\d,]+\n/)
    expect(out).toMatch(/\n1–\d+ +\d+ messages +summarized/)
    expect(out).not.toContain('## Goal')
  })

  it('shows at most a screen or two of rows, and says how many it leaves out', async () => {
    const tall = newFile('s.jsonl', claudeSession({ turns: 30, steps: 6, lines: 60 }))
    const config = newFile('c.mjs', 'export default { policy: { pruneAlone: () => true } }')
    const argv = ['compact', '--if-needed', tall, '--window', '160k', '--dry-run']
    const { out } = await runMain([...argv, '--config', config])
    expect(out).toContain('pruned')
    expect(out.split('\n').length).toBeLessThan(60)
    expect(out).toMatch(/\(\d+ messages before these; --json shows each\)/)
  })

  it('says in money why it prunes without a summary, or does not', async () => {
    const plan = async (shape: object): Promise<string> => {
      const file = newFile('s.jsonl', claudeSession(shape))
      const { out } = await runMain([
        'compact',
        '--if-needed',
        file,
        '--window',
        '90k',
        '--dry-run',
      ])
      return out.replaceAll(/\s+/g, ' ')
    }
    const large = { turns: 4, steps: 2, lines: 1_600 }
    expect(await plan(large)).toMatch(
      /pruning it alone makes enough room, and a request then costs \$0\.\d{4}; with a summary \$0\.\d{4}/,
    )
    expect(await plan({ turns: 6, steps: 6, lines: 200 })).toMatch(
      /pruning it alone would make enough room, and a request then would cost \$0\.\d{4}; with a summary \$0\.\d{4}/,
    )
    expect(await plan({ ...large, model: 'my-own' })).toMatch(
      /and a request then (?:costs|would cost) about \d+% (?:more|less) than with a summary/,
    )
    expect(await plan({ turns: 1, steps: 1, lines: 1_600 })).not.toContain('pruning')
  })

  it('says in money what less is kept for', async () => {
    const config = newFile(
      'economic.json',
      JSON.stringify({ preset: 'economic', policy: { keep: '30%' } }),
    )
    const planned = async (window: string): Promise<string> => {
      const argv = ['compact', path, '--window', window, '--dry-run', '--config', config]
      return (await runMain(argv)).out.replaceAll(/\s+/g, ' ')
    }
    const [, cost = '', fuller = ''] =
      /compacted at [\d,]+ tokens, a request costs \$(0\.\d{4}).*; up to 14,400 tokens are kept, with 19,200 it would cost \$(0\.\d{4})/.exec(
        await planned('64k'),
      ) ?? []
    expect(Number(fuller)).toBeGreaterThan(Number(cost))
  })

  it('keeps to the promise of the run that follows', async () => {
    const plan = (await json('--window', '32k', '--dry-run')).object.plan
    const done = (await json('--window', '32k')).object
    expect(done.plan).toEqual(plan)
    const kept = plan.items.filter((item: { action: string }) => item.action === 'kept')
    expect(done.report.actions[0]).toMatchObject({ action: 'kept', messages: kept.length })
  })
})

describe('-o', () => {
  it('writes what would have been printed, and nothing beside it', async () => {
    const target = join(newDirectory(), 'out.md')
    const argv = ['compact', '--if-needed', path, '--window', '32k', '--format', 'markdown']
    const printed = await runMain(argv)
    const { code, out, err } = await runMain([...argv, '-o', target])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(readFileSync(target, 'utf8')).toBe(printed.out)
    expect(inItsLog(printed.out)).toMatch(/^# Summary\n\n## Goal\n/)
    expect(err).toContain(`written to`)
    expect(readdirSync(dirname(target))).toEqual(['out.md'])
  })

  it('takes - for standard output', async () => {
    const { out } = await runMain(['compact', '--if-needed', path, '-o', '-'])
    expect(out).toContain('=== user')
  })
})
