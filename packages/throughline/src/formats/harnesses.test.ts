import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { harnesses } from './harnesses.ts'
import { testIdentity } from '../testing/conformance/writer-conformance.ts'

const session = testIdentity().session
const placed = { session, directory: '/code/my project', now: Date.UTC(2026, 0, 2, 3, 4, 5) }

describe.each(harnesses)('$name', ({ name, prefix, format, writer, ...place }) => {
  it('is called by its format, which its writer writes', () => {
    expect([format.name, writer.name]).toEqual([name, name])
    expect(harnesses.filter((other) => other.prefix === prefix)).toHaveLength(1)
  })

  it('finds a session where it puts one', () => {
    const path = place.placeFor(placed)
    if (path !== undefined) expect(place.sessionIn(path)).toBe(session)
    expect(place.sessionIn('elsewhere/notes.txt')).toBeUndefined()
  })

  it('keeps sessions below the home, in paths of the system at hand', () => {
    for (const [home, path] of [
      ['/home/someone', posix],
      ['C:\\Users\\someone', win32],
    ] as const) {
      for (const root of place.roots({ variables: {}, home, path })) {
        expect(path.relative(home, root)).not.toMatch(/^\.\.|^\w:/)
      }
    }
    expect(place.roots({ variables: {}, home: undefined, path: posix })).toEqual([])
  })

  it('names the session or its file to the harness that resumes it', () => {
    const commands = place.resume({ session, file: '/kept/session.jsonl' })
    expect(commands.flat().join(' ')).toMatch(new RegExp(`${session}|/kept/session.jsonl`))
  })
})

const surroundings = { home: '/home/someone', path: posix }

describe('where sessions are', () => {
  it.each([
    ['claude-code', {}, '/home/someone/.claude/projects'],
    ['claude-code', { CLAUDE_CONFIG_DIR: '/claude' }, '/claude/projects'],
    ['claude-code', { CLAUDE_CONFIG_DIR: 'relative' }, '/home/someone/.claude/projects'],
    ['codex', {}, '/home/someone/.codex/sessions'],
    ['codex', { CODEX_HOME: '/codex' }, '/codex/sessions'],
    ['pi', {}, '/home/someone/.pi/agent/sessions'],
    ['pi', { PI_CODING_AGENT_DIR: '/pi' }, '/pi/sessions'],
    ['pi', { PI_CODING_AGENT_SESSION_DIR: '/kept' }, '/kept'],
    ['copilot-cli', {}, '/home/someone/.copilot/session-state'],
    ['copilot-cli', { COPILOT_HOME: '/copilot' }, '/copilot/session-state'],
    ['gemini-cli', {}, '/home/someone/.gemini/tmp'],
    ['gemini-cli', { GEMINI_CLI_HOME: '/other' }, '/other/.gemini/tmp'],
    ['qwen-code', {}, '/home/someone/.qwen/projects'],
    ['qwen-code', { QWEN_HOME: '/qwen' }, '/qwen/projects'],
    ['cline', {}, '/home/someone/.cline/data/sessions'],
    ['cline', { CLINE_DIR: '/cline' }, '/cline/data/sessions'],
    ['cline', { CLINE_DATA_DIR: '/data' }, '/data/sessions'],
    ['cline', { CLINE_SESSION_DATA_DIR: '/kept' }, '/kept'],
    ['cn', {}, '/home/someone/.continue/sessions'],
    ['cn', { CONTINUE_GLOBAL_DIR: '/continue' }, '/continue/sessions'],
    ['kimi-code', {}, '/home/someone/.kimi-code/sessions'],
    ['kimi-code', { KIMI_CODE_HOME: '/kimi' }, '/kimi/sessions'],
    ['qwen-code', { QWEN_HOME: '/qwen', QWEN_RUNTIME_DIR: '/run' }, '/run/projects'],
  ])('%s, with %o: %s', (name, variables, root) => {
    const harness = harnesses.find((one) => one.name === name)
    expect(harness?.roots({ ...surroundings, variables })).toEqual([root])
  })

  it.each([
    ['claude-code', `-code-my-project/${session}.jsonl`],
    ['qwen-code', `-code-my-project/chats/${session}.jsonl`],
    ['kimi-code', `wd_my-project_a7dd1cf2e371/session_${session}/agents/main/wire.jsonl`],
    ['codex', `2026/01/02/rollout-2026-01-02T03-04-05-${session}.jsonl`],
  ])('a new one of %s is %s', (name, path) => {
    expect(harnesses.find((one) => one.name === name)?.placeFor(placed)).toBe(path)
  })

  it('in a very long directory are where Claude Code itself has put them', () => {
    const directory = `/root/tl-long/${'abcdefghij'.repeat(12)}/${'klmnopqrst'.repeat(11)}`
    const harness = harnesses.find((one) => one.name === 'claude-code')
    expect(harness?.placeFor({ ...placed, directory })).toMatch(/^-root-tl-long-a.{185}-30v5v2\/5e/)
  })
})
