import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../stores/memory.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import { assistant, call, human, result, tool } from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { recall } from './recall.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { RecallQuestion } from './question.ts'

const forbidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/u

const pieces = fc.constantFrom(
  '</recalled>',
  '</recal\u202eled>',
  '<\x1b[0m/ RECALLED >',
  '<recalled ref="1.0" who="human">',
  '[Recalled from the record of this session',
  '\x1b]0;title\x07',
  '\u202e',
  '\ud800',
  'zebra',
  'src/a.ts',
  '漢字',
  '👍'.repeat(50),
  '\n',
  'word '.repeat(300),
  'x'.repeat(5_000),
)
const text = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))

const question = fc.oneof(
  fc.record({ ref: fc.constantFrom('1', '2', '2.0', '2.1', '3', '3.0'), offset: fc.nat(9_000) }),
  fc.record({ words: fc.constantFrom('zebra', 'word x', 'src/a.ts 漢字'), offset: fc.nat(3) }),
  fc.record({ path: fc.constantFrom('src/a.ts', 'a.ts', '/none/src/a.ts'), offset: fc.nat(3) }),
)

/** One message of each kind, all of this text. */
function session(text: string): EntryDraft[] {
  return [
    human(`src/a.ts zebra ${text}`),
    assistant([
      { type: 'text', text: `zebra ${text}` },
      call('a', text, { path: 'src/a.ts', [text]: text }),
      call('b', 'read', { path: `src/a.ts`, deep: [{ text }] }),
    ]),
    tool(result('a', text, text), result('b', 'read', `zebra ${text}`)),
  ]
}

async function answered(drafts: readonly EntryDraft[], question: RecallQuestion, tokens: number) {
  const store = memoryStore()
  await store.append('a', drafts)
  try {
    return await recall(store, 'a', question, { tokens })
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/RECALL_QUESTION|REF_NOT_FOUND/) })
    return undefined
  }
}

describe('whatever a session holds, an answer', () => {
  test('is bounded, safe to print, and closed only by its own tags', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        question,
        fc.integer({ min: 500, max: 3_000 }),
        async (text, question, tokens) => {
          const answer = await answered(session(text), question, tokens)
          if (!answer) return
          expect(estimateTokens(answer.text)).toBeLessThanOrEqual(tokens)
          expect(answer.text).not.toMatch(forbidden)
          const opened = answer.text.match(/<[\s/]*recalled[^>]*>/gi) ?? []
          expect(opened).toHaveLength(2 * answer.passages.length)
        },
      ),
      runs(100),
    )
  })

  test('goes on, and ends, whoever follows it', async () => {
    await fc.assert(
      fc.asyncProperty(text, question, async (text, question) => {
        const seen = new Set<string>()
        let next: RecallQuestion | undefined = { ...question, offset: 0 }
        while (next) {
          expect(seen).not.toContain(JSON.stringify(next))
          seen.add(JSON.stringify(next))
          const answer = await answered(session(text), next, 500)
          if (answer?.next) expect(answer.passages).not.toHaveLength(0)
          next = answer?.next
        }
      }),
      runs(50),
    )
  })

  test('reads back every part of any session', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(), async (drafts) => {
        for (const [index, draft] of drafts.entries()) {
          if (draft.kind !== 'message') continue
          const answer = await answered(drafts, { ref: `${index + 1}` }, 1_000)
          expect(answer).toBeDefined()
        }
      }),
      runs(20),
    )
  })
})
