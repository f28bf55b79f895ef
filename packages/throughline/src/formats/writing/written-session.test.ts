import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactLog } from '../../session/once/compact-log.ts'
import { illegalities } from '../../testing/legal.ts'
import { logOf } from '../../testing/conformance/format-conformance.ts'
import { messageText, partsOf } from '../../log/message.ts'
import { readSession } from '../reading/read-session.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { titleWithin, writtenSession } from './written-session.ts'

describe('a written session', () => {
  it('has whole pairs, ids that every provider takes, and no reasoning', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), fc.boolean(), async (drafts, compacted) => {
        const read = logOf(drafts)
        const log = compacted
          ? (await compactLog(read, { window: { context: 1e6 }, trigger: 'manual' })).log
          : read
        const { messages, summary } = writtenSession(log, {})
        expect(illegalities(messages.map(({ message }) => message))).toEqual([])
        if (log.some((entry) => entry.kind === 'checkpoint'))
          expect(summary).toContain('<prior-conversation-summary>')
        const calls = messages.flatMap(({ message }) => partsOf(message))
        const ids = calls.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/)
        const results = calls.filter(({ type }) => type === 'tool-result')
        expect(results.length).toBeGreaterThanOrEqual(ids.length)
        expect(calls.some(({ type }) => type === 'reasoning')).toBe(false)
      }),
      runs(40),
    )
  })

  it.each([
    ['Mend the lexer', 'Mend the lexer · compacted'],
    ['Mend the lexer · compacted', 'Mend the lexer · compacted'],
    [
      'Please find out why the parser reads the header twice, and mend it',
      'Please find out why the parser reads the header… · compacted',
    ],
    ['/a/path/without/any/space/in/it/that/is/very/long.ts', undefined],
    ['読'.repeat(60), undefined],
    [`${'x'.repeat(46)}${'😀'.repeat(9)}`, undefined],
  ])('has a title that lists of 80 columns show with its mark: %s', (title, expected) => {
    const written = writtenSession(logOf([]), { title }).title ?? ''
    if (expected !== undefined) expect(written).toBe(expected)
    expect(written.length).toBeLessThanOrEqual(60)
    expect(written).toMatch(title.length > 48 ? /… · compacted$/ : / · compacted$/)
    expect(written).not.toContain('\uFFFD')
  })

  it.each([
    ['Find out why the parser is slow', 'Find out why the… · compacted'],
    ['Please find out why the parser reads the header twice', 'Please find out why… · compacted'],
    ['Mend the lexer', 'Mend the lexer · compacted'],
    ['x'.repeat(60), `${'x'.repeat(20)}… · compacted`],
    ['読'.repeat(60), undefined],
    [`${'x'.repeat(19)}${'😀'.repeat(9)}`, undefined],
  ])('keeps the mark where a list shows 33 characters: %s', (title, expected) => {
    const shown = titleWithin(writtenSession(logOf([]), { title }).title ?? '', 33)
    if (expected !== undefined) expect(shown).toBe(expected)
    expect(shown.length).toBeLessThanOrEqual(33)
    expect(shown).toMatch(/ · compacted$/)
    expect(shown.isWellFormed()).toBe(true)
    expect(titleWithin('A title that a person gave to a session', 33)).toMatch(/ session$/)
  })

  it('names who of several people speaks', async () => {
    const asked = (name: string, content: string) => JSON.stringify({ role: 'user', name, content })
    const lines = [asked('ann', 'Never push to main.'), asked('user', 'Go on.')]
    const { log } = await readSession(lines.join('\n'))
    const words = (from: typeof log) =>
      writtenSession(from, {}).messages.map(({ message }) => messageText(message))
    expect(words(log)).toEqual(['[ann] Never push to main.', 'Go on.'])
    const again = JSON.stringify(words(log).map((content) => ({ role: 'user', content })))
    expect(words((await readSession(again)).log)).toEqual(words(log))
  })

  it('answers the calls that nobody will answer any more', () => {
    const { messages } = writtenSession(
      logOf([
        { kind: 'message', at: 1, origin: 'human', message: { role: 'user', content: 'go' } },
        {
          kind: 'message',
          at: 2,
          origin: 'model',
          message: {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'a b|c', toolName: 'read', input: {} }],
          },
        },
      ]),
      {},
    )
    expect(messages.at(-1)?.message).toMatchObject({
      role: 'tool',
      content: [{ toolCallId: 'a_b_c', output: { type: 'error-text' } }],
    })
  })
})
