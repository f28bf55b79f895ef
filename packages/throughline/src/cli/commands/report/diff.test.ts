import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newTestStore, testStoreWithSession } from '../../testing/new-store.ts'
import { compare, type Seen } from './diff.ts'

const seen = (words: readonly string[]): Seen[] =>
  words.map((text, index) => ({ what: 'user', seq: index + 1, text, tokens: 1 }))

describe('compare', () => {
  it('tells everything of both sides once, in order, and nothing the same that differs', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
    fc.assert(
      fc.property(words, words, (one, other) => {
        const all = compare(seen(one), seen(other), { oneLog: false })
        const before = all.flatMap((each) => ('before' in each ? [each.before.text] : []))
        const after = all.flatMap((each) => ('after' in each ? [each.after.text] : []))
        expect(before).toEqual(one)
        expect(after).toEqual(other)
        for (const each of all) {
          if (each.type === 'same') expect(each.before.text).toBe(each.after.text)
        }
      }),
    )
  })

  it('tells nothing but the same of equal sides', () => {
    const all = compare(seen(['a', 'b', 'a']), seen(['a', 'b', 'a']), { oneLog: true })
    expect(all.map(({ type }) => type)).toEqual(['same', 'same', 'same'])
  })
})

describe('diff', () => {
  it('shows what the newest compaction changed', async () => {
    const { done, json } = await testStoreWithSession()
    await done('compact', 'made', '-o', 'out.txt').catch(() => '')
    const text = await done('report', '--diff', 'made')
    expect(text).toMatch(
      /^- made before entry \d+: 168 messages, [\d,]+ tokens\n\+ after it: \d+ messages/,
    )
    expect(text).toMatch(/^- \[1\] user {2}\d+ tokens {2}Please make feature 1 work/m)
    expect(text).toMatch(/^\+ summary {2}[\d,]+ tokens\n\+ {3}## Goal/m)
    expect(text).toMatch(/^ {2}\d+ messages the same \[\d+–168\], [\d,]+ tokens$/m)
    const { differences, before, after } = await json('report', '--diff', 'made')
    expect(before.tokens).toBeGreaterThan(after.tokens)
    expect(differences.length).toBeGreaterThan(before.messages)
  })

  it('compares two sessions', async () => {
    const { done } = await testStoreWithSession()
    await done('compact', 'made', '-o', 'out.txt').catch(() => '')
    const text = await done('report', '--diff', 'session.jsonl', 'made')
    expect(text).toMatch(/^- session\.jsonl: 168 messages/)
    expect(text).toMatch(/^\+ made: \d+ messages/m)
  })

  it('says that there was no compaction', async () => {
    const { fails } = newTestStore()
    expect(await fails(1, ['report', '--diff', 'session.jsonl'])).toContain('was not compacted')
  })
})
