import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { claudeSession } from '../../cli/testing/claude-session.ts'
import { codex } from '../../cli/installed/of/codex.ts'
import { fieldsOf, objectsOf, textOf } from '../../json/fields.ts'
import { newDirectory } from '../../cli/testing/run-main.ts'
import { placeOf } from '../../cli/installed/place.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-programs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

// Of such rules there are more than a client takes.
const turns = 60
const says = Array.from(
  { length: turns },
  (_, turn) => `Never touch config/part-${turn}.ts, because team ${turn * 7} owns it.`,
)
const session = claudeSession({ turns, steps: 8, lines: 30, says }).trimEnd()
const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'c1', parentUuid: null }
const summary = {
  type: 'user',
  uuid: 'c2',
  parentUuid: 'c1',
  isCompactSummary: true,
  message: { role: 'user', content: 'Summary:\nThe work goes well.' },
}
const file = join(root, 'session.jsonl')
writeFileSync(file, `${[session, JSON.stringify(boundary), JSON.stringify(summary)].join('\n')}\n`)
const running = join(root, 'running.jsonl')
writeFileSync(running, `${session}\n`)

/** What the program gives to the model of its client. */
function addedBy(client: 'codex' | 'qwen-code', event: object): string {
  const program = join(import.meta.dirname, '..', client, 'program.ts')
  const printed = execFileSync(process.execPath, [program], {
    encoding: 'utf8',
    input: JSON.stringify({ session_id: 's', cwd: '/code/app', transcript_path: file, ...event }),
    env: { ...process.env, HOME: root, XDG_DATA_HOME: join(root, client) },
  })
  const output = fieldsOf(fieldsOf(JSON.parse(printed))?.['hookSpecificOutput'])
  return textOf(output?.['additionalContext']) ?? ''
}

const after = { hook_event_name: 'SessionStart', source: 'compact' }

describe('the hook of Codex', () => {
  it('adds what Codex takes because its settings say so, which is more than by itself', () => {
    const place = { ...placeOf({ HOME: newDirectory(), PATH: '' }, 'linux') }
    const hooks = codex
      .plan(place, { local: false })
      .changes.flatMap((change) =>
        change.type === 'entries' && change.entries.syntax === 'json' ? change.entries.entries : [],
      )
    const [limit] = hooks.flatMap(({ value }) =>
      objectsOf(fieldsOf(value)?.['hooks']).map((hook) => Number(hook['additionalContextLimit'])),
    )
    const tokens = Buffer.byteLength(addedBy('codex', after)) / 4
    expect(tokens).toBeGreaterThan(2_500)
    expect(tokens).toBeLessThanOrEqual(limit ?? 0)
  })
})

describe('the hook of Qwen Code', () => {
  it('says before a compaction no more than the 4,000 characters that are taken', () => {
    const told = addedBy('qwen-code', { hook_event_name: 'PreCompact', transcript_path: running })
    // The newest stand, and it is said that there are older ones.
    expect(told).toContain('Never touch config/part-59.ts, because team 413 owns it.')
    expect(told).toMatch(/\d+ older rules of the human are left out/)
    expect(told.length).toBeGreaterThan(2_000)
    expect(told.length).toBeLessThanOrEqual(4_000)
  })

  it('adds after it more than a hook of other clients may', () => {
    expect(Buffer.byteLength(addedBy('qwen-code', after))).toBeGreaterThan(10_000)
  })
})
