import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../log/context/context.ts'
import { unitsOf } from '../../../log/steps.ts'
import { summaryAsUser } from '../../../compaction/render/summary-block.ts'
import {
  assistant,
  call,
  harness,
  logFrom,
  result,
  tool,
  human,
  step,
} from '../../../testing/generate/build.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { newFile, runMain } from '../../testing/run-main.ts'
import { columnsOf } from '../../terminal/columns.ts'
import { defaultPolicy } from '../../../compaction/policy.ts'
import { rolesIn, turnsOf } from './fill.ts'
import { itemKinds, partTokens, sumOfKinds } from '../../../report/kinds.ts'
import { fillings } from '../../../report/filling.ts'
import type { AssistantPart, ToolPart } from '../../../log/message.ts'
import { counterOf } from '../../../tokens/counter.ts'

const sample = fileURLToPath(
  new URL('../../../../../../examples/sample-session.jsonl', import.meta.url),
)
const path = newFile('session.jsonl', claudeSession({ turns: 12, steps: 6 }))
const count = (text: string): number => text.length
const counter = counterOf({ count, ratio: 1 })
const counting = { counter, summaryRole: summaryAsUser }

const log = logFrom([
  human('go'),
  harness('reminder'),
  assistant([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'ok' },
    call('1', 'Read', { file_path: '/w/src/a.ts' }),
  ]),
  tool(result('1', 'Read', 'x'.repeat(1000))),
  ...step('2', 'Edit', { file_path: '/w/src/a.ts', old_string: 'a', new_string: 'b' }, 'updated'),
  ...step('3', 'Read', { file_path: '/w/src/b.ts' }, 'y'.repeat(10)),
  assistant('done'),
  human('more'),
  assistant('sure'),
])
const context = contextOf(log)
const units = unitsOf(context.items)
const all = context.items.reduce((sum, item) => sum + sumOfKinds(itemKinds(item, counting)), 0)
const sum = (shares: readonly { tokens: number }[]): number =>
  shares.reduce((total, { tokens }) => total + tokens, 0)

describe('the shares', () => {
  it('by role and by turn add up to the whole', () => {
    expect(sum(rolesIn(context.items, counting, 0))).toBe(all)
    expect(sum(turnsOf(units, counting))).toBe(all)
  })

  it('by role are the largest first, and tell words, thoughts and calls apart', () => {
    const roles = rolesIn(context.items, counting, 0)
    expect(roles.map(({ name }) => name).sort()).toEqual(
      ['assistant', 'harness', 'human', 'thinking', 'tool calls', 'tool results'].sort(),
    )
    expect(roles[0]?.name).toBe('tool results')
  })

  it('by file count a call with its result, under the path below the root', () => {
    const sizeOf = (part: AssistantPart | ToolPart): number => partTokens(part, counter)
    const { files, tools } = fillings(units, { sizeOf, root: '/w', lenses: defaultPolicy.lenses })
    expect(files.map(({ name, count: calls }) => [name, calls])).toEqual([
      ['src/a.ts', 2],
      ['src/b.ts', 1],
    ])
    expect(sum(files)).toBe(sum(tools))
  })

  it('by turn begin with what the human said', () => {
    expect(turnsOf(units, counting).map(({ text, steps }) => [text, steps])).toEqual([
      ['go', 4],
      ['more', 1],
    ])
  })
})

describe('inspect', () => {
  it('shows what fills the context, by role, tool, file and turn', async () => {
    const { code, out, err } = await runMain(['report', '--fill', path, '--window', '64k'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const title of ['By role', 'By tool', 'By file', 'By turn'])
      expect(out).toContain(`\n${title}\n`)
    expect(out).toMatch(/context +[\d,]+ of 48,000 tokens usable, \d+%/)
    expect(out).toMatch(/Read +36 calls +[\d,]+ +\d+%\n/)
    expect(out).toMatch(/Pruning would free [\d,]+ tokens \(\d+%\) in \d+ old outputs and inputs\./)
    expect(out).toContain('The human’s rules: 1\n  [1] Never touch config/prod.ts.')
    expect(out).toContain('Changed files: 36\n  src/part11/file5.ts (edited)')
    expect(out).toContain('… and 31 more; --top 36 shows all')
    expect(out).not.toContain('█')
  })

  it('shows as many of each as --top wants', async () => {
    const { out } = await runMain(['report', '--fill', path, '--top', '36'])
    expect(out).not.toContain('… and')
    expect(out).toContain('  src/part0/file1.ts (edited)')
  })

  it('shows what the provider counted, as the list does, and how much of it the messages are', async () => {
    const { out } = await runMain(['report', '--fill', sample])
    expect(out).toMatch(
      /counted +by the provider, with system prompt and tools; the messages below are about [\d,]+ of it\n/,
    )
  })

  it('draws bars in a terminal and fits its width', async () => {
    for (const terminal of [60, 80, 200]) {
      const { out } = await runMain(['report', '--fill', path], {
        terminal,
        env: { NO_COLOR: '1' },
      })
      expect(out).toContain('█')
      const tables = out.slice(out.indexOf('By role'), out.indexOf('Pruning would'))
      for (const line of tables.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(terminal)
    }
  })

  it('says everything as JSON', async () => {
    const { out } = await runMain(['report', '--fill', path, '--json'])
    const object = JSON.parse(out)
    expect(object).toMatchObject({
      version: 1,
      session: { format: 'claude-code', id: 'made', entries: 168 },
      window: { context: 200_000, usable: 180_000 },
      skipped: { count: 0, lines: [] },
    })
    expect(object.turns).toHaveLength(12)
    expect(object.changed).toHaveLength(36)
    expect(object.files.length).toBeGreaterThan(36)
    expect(object.prunable.tokens).toBeGreaterThan(0)
  })
})

it('tells what the reader left out, by reason', async () => {
  const lines = claudeSession({ turns: 2, steps: 2 }).trimEnd().split('\n')
  const twice = newFile('twice.jsonl', `${[...lines, lines.at(-1)].join('\n')}\n`)
  const { code, out } = await runMain(['report', '--fill', twice])
  expect(code).toBe(0)
  expect(out).toMatch(/^ *not seen +by the model: records \(1 duplicate\)$/m)
  expect(
    (await runMain(['report', '--fill', newFile('once.jsonl', lines.join('\n'))])).out,
  ).not.toContain('not seen')
})
